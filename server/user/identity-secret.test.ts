import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { forgetIdentities } from './admin.ts';
import { isSecretOf, openIdentitySecret } from './identity-secret.ts';
import { addIdentity } from './identity-store.ts';

const home = mkdtempSync(join(tmpdir(), 'lixue-secret-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the secret of identity numbers', () => {
  it('is made once, in a file that nobody else reads', () => {
    const dataDir = mkdtempSync(join(home, 'data-'));
    const open = () => openIdentitySecret({ identitySecret: null, dataDir });
    const first = open();
    expect(first).toHaveLength(32);
    expect(open().equals(first)).toBe(true);
    expect(readdirSync(dataDir)).toEqual(['identity.key']);
    expect(statSync(join(dataDir, 'identity.key')).mode & 0o777).toBe(0o600);
    writeFileSync(join(dataDir, 'identity.key'), '');
    expect(open).toThrow(/damaged/);
  });

  it('comes from the setting where there is one, and then leaves no file', () => {
    const dataDir = mkdtempSync(join(home, 'data-'));
    const of = (identitySecret: string) => openIdentitySecret({ identitySecret, dataDir }).toString('hex');
    expect(of('a'.repeat(32))).toBe(of('a'.repeat(32)));
    expect(of('a'.repeat(32))).not.toBe(of('b'.repeat(32)));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each(databases)('is the one of the database, on $name', async ({ kind }) => {
    const t = await testApp(kind);
    const [one, other] = [Buffer.from('one'), Buffer.from('other')];
    expect(await isSecretOf(t.db, one)).toBe(true);
    expect(await isSecretOf(t.db, one)).toBe(true);
    // Alone on a database without numbers any will do; of several servers each has to have the same from the start.
    expect(await isSecretOf(t.db, other)).toBe(kind === 'sqlite');
    if (kind === 'sqlite') await isSecretOf(t.db, one);
    const [grown, child] = [await t.user(), await t.user()];
    await t.db.changePeople(async (trx) => {
      const more = { masked: '110*************2X', created_at: 1 };
      await addIdentity(trx, { user_id: grown.userId, number_hash: 'v2:1', fourteen_on: null, ...more });
      await addIdentity(trx, { user_id: child.userId, number_hash: 'v2:2', fourteen_on: '2030-01-01', ...more });
    });
    expect(await isSecretOf(t.db, other)).toBe(false);
    expect(await isSecretOf(t.db, one)).toBe(true);
    expect(await forgetIdentities(t.db)).toBe(2);
    const left = await t.db.query.selectFrom('identities').selectAll().execute();
    expect(left).toMatchObject([{ user_id: child.userId, number_hash: `lost:${child.userId}` }]);
    expect(await isSecretOf(t.db, other)).toBe(true);
    expect(await isSecretOf(t.db, one)).toBe(false);
    await t.close();
  });
});
