import type { Query } from '#server/db/open.ts';

/** What is stored of a code that was sent. */
interface StoredCode {
  code_hash: string;
  tries_left: number;
  created_at: number;
  expires_at: number;
}

/** Stores a code for phone and purpose in place of an older one of the same pair. */
export async function putCode(query: Query, phone: string, purpose: string, code: StoredCode): Promise<void> {
  await query
    .insertInto('sms_codes')
    .values({ phone, purpose, ...code })
    .onConflict((conflict) => conflict.columns(['phone', 'purpose']).doUpdateSet(code))
    .execute();
}

/**
 * Counts one try at the code of phone and purpose, by one conditional UPDATE: of any number of parallel tries no more
 * succeed than the code has left.
 * @returns undefined when there is no code, or it has expired or no try left
 */
export async function countTry(
  query: Query,
  phone: string,
  purpose: string,
  now: number,
): Promise<{ id: number; code_hash: string } | undefined> {
  return query
    .updateTable('sms_codes')
    .set((expression) => ({ tries_left: expression('tries_left', '-', 1) }))
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .returning(['id', 'code_hash'])
    .executeTakeFirst();
}

/** Takes a code out of the database. @returns false when it is gone already, or a newer one has replaced it */
export async function takeCode(query: Query, id: number, codeHash: string): Promise<boolean> {
  const taken = await query
    .deleteFrom('sms_codes')
    .where('id', '=', id)
    .where('code_hash', '=', codeHash)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes codes that have expired. */
export async function deleteExpiredCodes(query: Query, now: number): Promise<void> {
  await query.deleteFrom('sms_codes').where('expires_at', '<=', now).execute();
}
