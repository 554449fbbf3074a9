import type { ImageOpt } from '#contract/values/image.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Images } from '#server/db/schema.ts';

type StoredImage = Omit<Images, 'taken_for'>;

/** Notes a picture that was uploaded. */
export async function saveImage(query: Query, image: StoredImage): Promise<void> {
  await query
    .insertInto('images')
    .values({ ...image, taken_for: null })
    .execute();
}

/** How many pictures one person has here, and their bytes: those in use, and those of the last day that nothing has taken. */
export async function countImages(query: Query, userId: number): Promise<{ count: number; size: number }> {
  const { count, size } = await query
    .selectFrom('images')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('size')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { count: Number(count), size: Number(size ?? 0) };
}

/** Pictures of one person by these names. */
export async function readImages(
  query: Query,
  userId: number,
  fileNames: readonly string[],
): Promise<Pick<Images, 'file_name' | 'opt' | 'file' | 'taken_for'>[]> {
  return query
    .selectFrom('images')
    .select(['file_name', 'opt', 'file', 'taken_for'])
    .where('user_id', '=', userId)
    .where('file_name', 'in', fileNames)
    .execute();
}

/** Marks a picture of this person as used, if nothing has used it. @returns its stored file; undefined: it is not to be had */
export async function markTaken(
  trx: Trx,
  { userId, opt, fileName, takenFor }: { userId: number; opt: ImageOpt; fileName: string; takenFor: string },
): Promise<string | undefined> {
  const row = await trx
    .updateTable('images')
    .set({ taken_for: takenFor })
    .where('file_name', '=', fileName)
    .where('user_id', '=', userId)
    .where('opt', '=', opt)
    .where('taken_for', 'is', null)
    .returning('file')
    .executeTakeFirst();
  return row?.file;
}

/** Forgets the pictures that something had taken, but for these. */
export async function deleteTaken(trx: Trx, takenFor: string, but: readonly string[]): Promise<void> {
  const taken = trx.deleteFrom('images').where('taken_for', '=', takenFor);
  await (but.length === 0 ? taken : taken.where('file_name', 'not in', but)).execute();
}

/** Forgets pictures that nothing took, uploaded before a time. */
export async function deleteUntakenBefore(query: Query, time: number): Promise<void> {
  await query.deleteFrom('images').where('created_at', '<', time).where('taken_for', 'is', null).execute();
}

/** Whether this person uploaded this file, and nothing has taken it. */
export async function isUntakenOf(query: Query, userId: number, file: string): Promise<boolean> {
  const row = await query
    .selectFrom('images')
    .select('file_name')
    .where('file', '=', file)
    .where('user_id', '=', userId)
    .where('taken_for', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these files are pictures that nothing has taken yet. */
export async function untakenFiles(query: Query, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(files)) {
    const rows = await query
      .selectFrom('images')
      .select('file')
      .distinct()
      .where('file', 'in', some)
      .where('taken_for', 'is', null)
      .execute();
    found.push(...rows.map(({ file }) => file));
  }
  return found;
}

/** All pictures that somebody uploaded and that are there. */
export async function readImagesOf(
  query: Query,
  userId: number,
): Promise<Pick<Images, 'file_name' | 'opt' | 'file' | 'size' | 'created_at'>[]> {
  return query
    .selectFrom('images')
    .select(['file_name', 'opt', 'file', 'size', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('file_name')
    .execute();
}

/** Forgets all pictures of somebody. */
export async function deleteImagesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('images').where('user_id', '=', userId).execute();
}
