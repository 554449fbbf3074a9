import { createHmac } from 'node:crypto';
import { checkIdCard } from '#rules/user/id-card.ts';
import type { Query } from '#server/db/open.ts';
import { settledSetting } from '#server/db/settings-store.ts';
import type { Parts } from '#server/parts.ts';
import { changeHash, findIdentity, readOldHashes } from './identity-store.ts';
import { checkHash, hashToFind } from './password-hash.ts';
import type { User } from './store.ts';
import { TooBusy } from './turnstile.ts';

/** Hashes identity numbers. */
export type HashIdNumber = (number: string) => Promise<string>;

/**
 * Makes the hash of identity numbers of this installation. The numbers themselves are stored nowhere: the hash finds the account
 * that has one, the mask shows it to its person. Version 2 seals what version 1 was (argon2id with one salt) with a secret that is not in
 * the database, so that hashes made before are found again once they are sealed, too: which happens here.
 */
export async function idNumberHash({
  db,
  random,
  identitySecret,
}: Pick<Parts, 'db' | 'random' | 'identitySecret'>): Promise<HashIdNumber> {
  const salt = Buffer.from(await settledSetting(db.query, 'identity_salt', () => random(16).toString('hex')), 'hex');
  const seal = (hash: string) => `v2:${createHmac('sha256', identitySecret).update(`identity|${hash}`).digest('hex')}`;
  for (;;) {
    const old = await readOldHashes(db.query, 500);
    for (const hash of old) await changeHash(db.query, hash, seal(hash));
    if (old.length === 0) break;
  }
  return async (number) => seal(await hashToFind(number, salt));
}

/** Whether a number is the one that the account gave; an account that gave none takes as long to say no. */
async function isIdNumberOf(query: Query, hashId: HashIdNumber, userId: number, number: string): Promise<boolean> {
  const hash = await hashId(number);
  return (await findIdentity(query, userId))?.number_hash === hash;
}

/** Whether somebody knows what only the person of an account knows; `tooBusy`: too many are being looked at, and this one was not. */
export async function knowsFact(
  query: Query,
  hashId: HashIdNumber,
  user: User,
  { password, idNumber }: { password?: string | undefined; idNumber?: string | undefined },
  now: number,
): Promise<boolean | 'tooBusy'> {
  const number = idNumber === undefined ? null : checkIdCard(idNumber, now);
  try {
    if (password !== undefined) return await checkHash(user.password_hash, password);
    return number?.ok === true && (await isIdNumberOf(query, hashId, user.id, number.number));
  } catch (error) {
    if (error instanceof TooBusy) return 'tooBusy';
    throw error;
  }
}
