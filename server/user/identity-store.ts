import type { Insertable, Selectable } from 'kysely';
import type { Query, Trx } from '#server/db/open.ts';
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
