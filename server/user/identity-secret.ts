import { createHash, createHmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '#server/db/open.ts';
import { settledSetting, writeSetting } from '#server/db/settings-store.ts';
import type { Environment } from '#server/environment.ts';
import { hasIdentities } from './identity-store.ts';

/** The file of the secret in `DATA_DIR`: beside the database, so that neither alone is enough. */
const FILE = 'identity.key';
/** What the database knows of the secret: enough to notice another one, and nothing to find it by. */
const CHECK = 'identity_secret_check';

/**
 * The secret that seals identity numbers: `IDENTITY_SECRET`, which several servers share, else a file in `DATA_DIR`, made at the first
 * start. Of servers that start at once one makes it.
 */
export function openIdentitySecret({
  identitySecret,
  dataDir,
}: Pick<Environment, 'identitySecret' | 'dataDir'>): Buffer {
  if (identitySecret !== null) return createHash('sha256').update(identitySecret).digest();
  const path = join(dataDir, FILE);
  const read = () => readFileSync(path, 'utf8').trim();
  let text: string;
  try {
    text = read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    makeKey(path);
    text = read();
  }
  if (text.length < 32) throw new Error(`${path} is damaged`);
  return createHash('sha256').update(text).digest();
}

/** Written whole under another name first: nobody reads a half. */
function makeKey(path: string): void {
  const mine = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(mine, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(mine, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const folder = openSync(join(path, '..'), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * Whether this is the secret with which the identity numbers of this database were sealed. Another one would find nobody by their number,
 * and take a number that is known here for a new one. Alone on a database that has none yet, any will do.
 */
export async function isSecretOf(db: Pick<Db, 'query' | 'kind'>, secret: Buffer): Promise<boolean> {
  const check = createHmac('sha256', secret).update('check').digest('hex');
  const known = await settledSetting(db.query, CHECK, () => check);
  if (known === check) return true;
  if (known !== '' && (db.kind === 'postgres' || (await hasIdentities(db.query)))) return false;
  await writeSetting(db.query, CHECK, check);
  return true;
}

/** Forgets which secret it was, once all numbers are given up. */
export const forgetSecret = (query: Parameters<typeof writeSetting>[0]): Promise<void> =>
  writeSetting(query, CHECK, '');
