import { availableParallelism } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { turnstile } from './turnstile.ts';

/** OWASP's second choice for argon2id: 19 MiB, 2 passes, 1 lane. @see https://cheatsheetseries.owasp.org (Password Storage) */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * A flood of logins may not take all of libuv's four threads, which also read files. One check takes some 25 ms of a
 * core, so the last of those who wait is answered after about 8 s on two cores; more are refused at once.
 */
const inTurn = turnstile(Math.max(1, Math.min(3, availableParallelism())), 600);

/** Hashes a password (argon2id, PHC form, its own salt). Throws `TooBusy`. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

let dummy: Promise<string> | undefined;

/**
 * Whether the password is the one of the hash. Without a hash (unknown phone, or no password set) the same work is done
 * against a dummy, so that time tells nothing, and the answer is no. Throws `TooBusy`.
 */
export async function checkHash(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  dummy ??= hash('no password', COST);
  const against = passwordHash ?? (await dummy);
  const right = await inTurn(() => verify(against, password));
  return right && passwordHash != null;
}

/**
 * The hash of a number that must be found again by itself (an identity number): argon2id at the same cost with one salt for the
 * whole installation. Slow, because such numbers can be counted through. Throws `TooBusy`.
 */
export async function hashToFind(text: string, salt: Buffer): Promise<string> {
  return (await inTurn(() => hashRaw(text, { ...COST, salt }))).toString('hex');
}
