import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

/** A chapter of a pack; `level` is 1 to 3. */
interface Chapter {
  id: number;
  /** Its stable key in the pack. */
  slug: string;
  name: string;
  courseId: number;
  parentId: number | null;
  level: number;
}

/** The chapters on offer of a pack, each level in its order. */
export async function listChapters(query: Query, packId: number): Promise<Chapter[]> {
  return query
    .selectFrom('chapters')
    .select(['id', 'slug', 'name', 'course_id as courseId', 'parent_id as parentId', 'level'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The chapters on offer of a pack as a reader goes through them: course by course, each chapter before what is below it. */
export async function listChapterTree(query: Query, packId: number): Promise<Chapter[]> {
  const courses = await query
    .selectFrom('courses')
    .select('id')
    .where('pack_id', '=', packId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const chapters = await listChapters(query, packId);
  const below = Map.groupBy(chapters, ({ parentId }) => parentId);
  const walk = (chapter: Chapter): Chapter[] => [chapter, ...(below.get(chapter.id) ?? []).flatMap(walk)];
  const roots = below.get(null) ?? [];
  return courses.flatMap(({ id }) => roots.filter(({ courseId }) => courseId === id).flatMap(walk));
}

/** The ids of a chapter and of everything below it; null when the pack has no such chapter. */
export async function chapterWithBelow(query: Query, packId: number, chapterId: number): Promise<number[] | null> {
  const rows = await query
    .selectFrom('chapters')
    .select(['id', 'parent_id'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  if (!rows.some((row) => row.id === chapterId)) return null;
  const wanted = new Set([chapterId]);
  // Three levels (spec §3): the second pass reaches the third.
  for (let pass = 0; pass < 2; pass += 1) {
    for (const row of rows) if (row.parent_id !== null && wanted.has(row.parent_id)) wanted.add(row.id);
  }
  return [...wanted];
}

/** The names of chapters, archived ones too, by id. */
export async function readChapterNames(query: Query, chapterIds: readonly number[]): Promise<Map<number, string>> {
  if (chapterIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('chapters')
    .select(['id', 'name'])
    .where('id', 'in', padded(chapterIds))
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The course in which a chapter stands; null when there is none. */
export async function courseOfChapter(query: Query, chapterId: number): Promise<number | null> {
  const row = await query.selectFrom('chapters').select('course_id').where('id', '=', chapterId).executeTakeFirst();
  return row?.course_id ?? null;
}
