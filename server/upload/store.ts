import type { ExpressionBuilder, Selectable } from 'kysely';
import type { UploadPurpose } from '#contract/values/upload.ts';
import { HELD_FOR, type Unfinished } from '#rules/upload/room.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Tables, Uploads } from '#server/db/schema.ts';

/** An upload as it is stored. */
export type StoredUpload = Selectable<Uploads>;

/** What is under way: of one person, and of everybody. @param but an upload that does not count */
export async function readUnfinished(query: Query, userId: number, but: string | null): Promise<Unfinished> {
  const all = query.selectFrom('uploads').where('state', 'in', ['receiving', 'checking']);
  const open = but === null ? all : all.where('address', '<>', but);
  const missing = await open
    .select(({ fn, eb }) => fn.sum<number | string | null>(eb('bytes', '-', eb.ref('received'))).as('missing'))
    .executeTakeFirstOrThrow();
  const own = await open
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | string | null>('bytes').as('bytes')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { own: { count: Number(own.count), bytes: Number(own.bytes ?? 0) }, missing: Number(missing.missing ?? 0) };
}

interface NewUpload {
  address: string;
  userId: number;
  purpose: UploadPurpose;
  fileName: string;
  fingerprint: string;
  bytes: number;
  expiresAt: number;
}

/** Notes an upload of which nothing has come yet. */
export async function addUpload(query: Query, upload: NewUpload, now: number): Promise<void> {
  await query
    .insertInto('uploads')
    .values({
      ...{ address: upload.address, user_id: upload.userId, purpose: upload.purpose, file_name: upload.fileName },
      ...{ fingerprint: upload.fingerprint, bytes: upload.bytes, state: 'receiving', writer: null, heard_at: null },
      ...{ created_at: now, expires_at: upload.expiresAt },
    })
    .execute();
}

/** An upload of one person; null: there is none of theirs. */
export async function findUpload(query: Query, address: string, userId: number): Promise<StoredUpload | null> {
  if (!/^[\w-]{32}$/.test(address)) return null;
  const row = await query
    .selectFrom('uploads')
    .selectAll()
    .where('address', '=', address)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** An upload by its id, whosever it is. */
export async function readUpload(query: Query, id: number): Promise<StoredUpload | null> {
  return (await query.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Uploads for one purpose that are not taken in, the newest first. */
export async function readOpenUploads(query: Query, purpose: UploadPurpose, limit: number): Promise<StoredUpload[]> {
  return query
    .selectFrom('uploads')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('state', '<>', 'done')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** As `isHeld` says it (rules/upload/room.ts): a time that lies far ahead is of before the clock was set back. */
const isSilent = (now: number) => (is: ExpressionBuilder<Tables, 'uploads'>) =>
  is.or([is('heard_at', '<=', now - HELD_FOR), is('heard_at', '>=', now + HELD_FOR)]);

/** Lets one write, at the place where the upload stands and while nobody else does. @returns whether they may */
export async function takeUpload(
  query: Query,
  { id, writer, offset }: { id: number; writer: string; offset: number },
  now: number,
): Promise<boolean> {
  const row = await query
    .updateTable('uploads')
    .set({ writer, heard_at: now })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .where('received', '=', offset)
    .where((is) => is.or([is('writer', 'is', null), isSilent(now)(is)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps how far a writer came. @param done they write no more @returns whether it is still theirs */
export async function noteReceived(
  query: Query,
  { id, writer, received, done }: { id: number; writer: string; received: number; done: boolean },
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<boolean> {
  const row = await query
    .updateTable('uploads')
    .set({ received, expires_at: expiresAt, ...(done ? { writer: null, heard_at: null } : { heard_at: now }) })
    .where('id', '=', id)
    .where('writer', '=', writer)
    .where('state', '=', 'receiving')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the upload from a writer who is silent. */
export async function releaseUpload(query: Query, id: number, now: number): Promise<void> {
  await query
    .updateTable('uploads')
    .set({ writer: null, heard_at: null })
    .where('id', '=', id)
    .where(isSilent(now))
    .execute();
}

/** Takes every upload from whoever wrote to it: said by a server that is alone on its database, when it starts. */
export async function releaseAll(query: Query): Promise<void> {
  await query.updateTable('uploads').set({ writer: null, heard_at: null }).where('writer', 'is not', null).execute();
}

/** Says that all bytes are here. @returns false: somebody said so already, or it is gone */
export async function markWhole(trx: Trx, id: number, writer: string): Promise<boolean> {
  const row = await trx
    .updateTable('uploads')
    .set(({ ref }) => ({ state: 'checking', received: ref('bytes'), writer: null, heard_at: null }))
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .where('writer', '=', writer)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Says how an upload ended; it is kept for a while, for the browser that asks again. */
export async function endUpload(
  query: Query,
  id: number,
  { state, reason = '', until }: { state: 'done' | 'refused'; reason?: string; until: number },
): Promise<void> {
  await query
    .updateTable('uploads')
    .set({ state, reason, expires_at: until, writer: null, heard_at: null })
    .where('id', '=', id)
    .where('state', 'in', ['receiving', 'checking'])
    .execute();
}

/** Forgets an upload. One that is being looked at stays. @returns whether it is gone */
export async function deleteUpload(query: Query, id: number): Promise<boolean> {
  const row = await query
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('state', '<>', 'checking')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets uploads of which nothing came for too long, and those that ended a while ago. */
export async function deleteExpired(query: Query, now: number): Promise<void> {
  await query.deleteFrom('uploads').where('state', '<>', 'checking').where('expires_at', '<', now).execute();
}

/** Which of these addresses have bytes that are still needed. */
export async function readNeeded(query: Query, addresses: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of inLists(addresses)) {
    const rows = await query
      .selectFrom('uploads')
      .select('address')
      .where('address', 'in', some)
      .where('state', 'in', ['receiving', 'checking'])
      .execute();
    for (const { address } of rows) found.add(address);
  }
  return found;
}
