import type { Query } from '#server/db/open.ts';
import { settledSetting } from '#server/db/settings-store.ts';
import type { Parts } from '#server/parts.ts';
import { findIdentity } from './identity-store.ts';
import { hashToFind } from './password-hash.ts';

/** Hashes identity numbers. */
export type HashIdNumber = (number: string) => Promise<string>;

/**
 * Makes the hash of identity numbers of this installation. The numbers themselves are stored nowhere: the hash finds the account
 * that has one, the mask shows it to its person.
 */
export async function idNumberHash({ db, random }: Pick<Parts, 'db' | 'random'>): Promise<HashIdNumber> {
  const salt = Buffer.from(await settledSetting(db.query, 'identity_salt', () => random(16).toString('hex')), 'hex');
  return (number) => hashToFind(number, salt);
}

/** Whether a number is the one that the account gave; an account that gave none takes as long to say no. */
export async function isIdNumberOf(
  query: Query,
  hashId: HashIdNumber,
  userId: number,
  number: string,
): Promise<boolean> {
  const hash = await hashId(number);
  return (await findIdentity(query, userId))?.number_hash === hash;
}
