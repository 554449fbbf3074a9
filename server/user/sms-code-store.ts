import type { Query } from '#server/db/open.ts';

/** What is stored of a code that was sent. */
interface StoredCode {
  code_hash: string;
  own_tries: number;
  other_tries: number;
  created_at: number;
  expires_at: number;
}

/** Whose code it is: who asked for it, for which phone and purpose. */
export interface CodeOwner {
  phone: string;
  purpose: string;
  asker: string;
}

/** Stores a code in place of an older one of the same asker; codes that others asked for stay. */
export async function putCode(query: Query, owner: CodeOwner, code: StoredCode): Promise<void> {
  await query
    .insertInto('asked_codes')
    .values({ ...owner, ...code })
    .onConflict((conflict) => conflict.columns(['phone', 'purpose', 'asker']).doUpdateSet(code))
    .execute();
}

/** How many tries an asker has left at the code that they asked for; null when they have none that lives. */
export async function ownTries(query: Query, owner: CodeOwner, now: number): Promise<number | null> {
  const row = await query
    .selectFrom('asked_codes')
    .select('own_tries')
    .where('phone', '=', owner.phone)
    .where('purpose', '=', owner.purpose)
    .where('asker', '=', owner.asker)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.own_tries ?? null;
}

/**
 * Counts one try of an asker, at the code that they asked for or, if they asked for none, at each that others asked for,
 * by one conditional UPDATE: of any number of parallel tries no more are given than a code has left.
 * @returns the codes to look at: none when there is none that lives and has a try left
 */
export async function countTry(
  query: Query,
  { phone, purpose, asker }: CodeOwner,
  whose: 'own' | 'others',
  now: number,
): Promise<{ id: number; code_hash: string }[]> {
  const column = whose === 'own' ? 'own_tries' : 'other_tries';
  return query
    .updateTable('asked_codes')
    .set((expression) => ({ [column]: expression(column, '-', 1) }))
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('asker', whose === 'own' ? '=' : '!=', asker)
    .where(column, '>', 0)
    .where('expires_at', '>', now)
    .returning(['id', 'code_hash'])
    .execute();
}

/** Gives a try at a code back that `countTry` counted, if the code is still there. */
export async function returnTry(query: Query, id: number, codeHash: string, whose: 'own' | 'others'): Promise<void> {
  const column = whose === 'own' ? 'own_tries' : 'other_tries';
  await query
    .updateTable('asked_codes')
    .set((expression) => ({ [column]: expression(column, '+', 1) }))
    .where('id', '=', id)
    .where('code_hash', '=', codeHash)
    .execute();
}

/** Takes a code out of the database. @returns false when it is gone already, or a newer one has replaced it */
export async function takeCode(query: Query, id: number, codeHash: string): Promise<boolean> {
  const taken = await query
    .deleteFrom('asked_codes')
    .where('id', '=', id)
    .where('code_hash', '=', codeHash)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes codes that have expired. */
export async function deleteExpiredCodes(query: Query, now: number): Promise<void> {
  await query.deleteFrom('asked_codes').where('expires_at', '<=', now).execute();
}
