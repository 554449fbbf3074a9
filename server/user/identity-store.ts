import { type Insertable, type Selectable, sql } from 'kysely';
import type { PeopleTrx, Query, Trx } from '#server/db/open.ts';
import type { Identities } from '#server/db/schema.ts';

type StoredIdentity = Selectable<Identities>;

/** Who somebody says they are; undefined: they have not said. */
export async function findIdentity(query: Query, userId: number): Promise<StoredIdentity | undefined> {
  return query.selectFrom('identities').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Writes who somebody is. @throws a duplicate (`isDuplicate`) when they have said so before, or the number is another account's */
export async function addIdentity(trx: Trx, identity: Insertable<Identities>): Promise<void> {
  await trx.insertInto('identities').values(identity).execute();
}

/** Takes away who somebody is. @returns whether it was known */
export async function deleteIdentity(trx: Query, userId: number): Promise<boolean> {
  const deleted = await trx.deleteFrom('identities').where('user_id', '=', userId).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Hashes that an earlier version of the program made, some of them. */
export async function readOldHashes(query: Query, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('identities')
    .select('number_hash')
    .where('number_hash', 'not like', '%:%')
    .limit(limit)
    .execute();
  return rows.map(({ number_hash }) => number_hash);
}

/** Puts a hash in the place of another one. */
export async function changeHash(query: Query, hash: string, next: string): Promise<void> {
  await query.updateTable('identities').set({ number_hash: next }).where('number_hash', '=', hash).execute();
}

/** Whether anybody gave an identity number. */
export async function hasIdentities(query: Query): Promise<boolean> {
  return (await query.selectFrom('identities').select('user_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Takes out the days on which people turned 14, once they have. @param today YYYY-MM-DD in China */
export async function forgetPassedBirthdays(query: Query, today: string): Promise<void> {
  await query.updateTable('identities').set({ fourteen_on: null }).where('fourteen_on', '<=', today).execute();
}

/**
 * Gives up all identity numbers, because the secret that sealed them is lost: nobody's can be compared any more. Of who is not 14 yet
 * that much stays known, and the school clears it (`user forget-identity`) before they give their number anew.
 * @returns how many
 */
export async function forgetAllIdentities(trx: PeopleTrx): Promise<number> {
  const gone = await trx.deleteFrom('identities').where('fourteen_on', 'is', null).executeTakeFirst();
  const kept = await trx
    .updateTable('identities')
    .set({ number_hash: sql<string>`'lost:' || cast(user_id as text)` })
    .executeTakeFirst();
  return Number(gone.numDeletedRows) + Number(kept.numUpdatedRows);
}
