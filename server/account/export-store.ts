import type { Selectable, Updateable } from 'kysely';
import { inLists } from '#server/db/batches.ts';
import type { PeopleTrx, Query, Trx } from '#server/db/open.ts';
import type { DataExports } from '#server/db/schema.ts';

export type StoredExport = Selectable<DataExports>;

/** Adds a copy that is to be made. */
export async function addExport(
  trx: Trx,
  { id, userId, now, expiresAt }: { id: number; userId: number; now: number; expiresAt: number },
): Promise<StoredExport> {
  return trx
    .insertInto('data_exports')
    .values({ id, user_id: userId, state: 'waiting', created_at: now, ready_at: null, expires_at: expiresAt })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A person's copies that have not expired, newest first. */
export async function listExports(query: Query, userId: number, now: number): Promise<StoredExport[]> {
  return query
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** One copy; undefined: it is gone. */
export async function findExport(query: Query, id: number): Promise<StoredExport | undefined> {
  return query.selectFrom('data_exports').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Writes what became of a copy. */
export async function changeExport(trx: Trx, id: number, change: Updateable<DataExports>): Promise<void> {
  await trx.updateTable('data_exports').set(change).where('id', '=', id).execute();
}

/** The copy of this person that a stored file is, and that has not expired; undefined: it is none. */
export async function findExportFile(
  query: Query,
  file: string,
  userId: number,
  now: number,
): Promise<StoredExport | undefined> {
  return query
    .selectFrom('data_exports')
    .selectAll()
    .where('file', '=', file)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Which of these stored files are somebody's copy. */
export async function exportFilesAmong(query: Query, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(files)) {
    const rows = await query.selectFrom('data_exports').select('file').where('file', 'in', some).execute();
    for (const { file } of rows) found.push(file);
  }
  return found;
}

/** Copies whose time is over. */
export async function readExpiredExports(query: Query, now: number, limit: number): Promise<StoredExport[]> {
  return query
    .selectFrom('data_exports')
    .selectAll()
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** Forgets a copy. */
export async function deleteExport(query: Query, id: number): Promise<void> {
  await query.deleteFrom('data_exports').where('id', '=', id).execute();
}

/** Forgets all copies of a person: their files belong to nobody then. */
export async function deleteExportsOf(trx: PeopleTrx, userId: number): Promise<void> {
  await trx.deleteFrom('data_exports').where('user_id', '=', userId).execute();
}
