import type { Query } from '#server/db/open.ts';

/** A pack on offer as the market sorts and filters it. */
interface ShelfRow {
  packId: number;
  name: string;
  position: number;
  price: number | null;
  listedAt: number;
  categoryId: number | null;
}

/**
 * Every pack on offer. It is read anew for each list, along an index that has all of these columns: two thousand are a
 * matter of two milliseconds, and what a school changes is seen at once.
 */
export async function readShelf(query: Query): Promise<ShelfRow[]> {
  return query
    .selectFrom('packs')
    .select(['id as packId', 'name', 'position', 'price', 'listed_at as listedAt', 'category_id as categoryId'])
    .where('archived', '=', 0)
    .execute();
}

/** The packs on offer whose exam is on this day (YYYY-MM-DD) or later, the nearest first. */
export async function readExamDays(
  query: Query,
  from: string,
  most: number,
): Promise<{ packId: number; packageName: string; categoryId: number | null; examDate: string }[]> {
  const rows = await query
    .selectFrom('packs')
    .select(['id as packId', 'name as packageName', 'category_id as categoryId', 'exam_date'])
    .where('archived', '=', 0)
    .where('exam_date', '>=', from)
    .orderBy('exam_date')
    .orderBy('position')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ exam_date, ...row }) => ({ ...row, examDate: exam_date ?? '' }));
}
