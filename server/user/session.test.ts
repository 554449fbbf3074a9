import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { setDisabled } from './admin.ts';
import { sessionFinder } from './session.ts';
import { endAllSessions } from './session-store.ts';
import { changeUser } from './store.ts';

describe.each(databases)('what is in memory of sessions on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
    find = sessionFinder(t.db, true);
  });
  afterAll(() => t.close());

  // Asked as a request asks it: beside the transactions, which on SQLite share one connection.
  let find: ReturnType<typeof sessionFinder>;
  const signedIn = (as: TestUser) => find(as.token, t.time.now);
  /** A person whose session has just been looked up. */
  const known = async () => {
    const user = await t.user();
    expect(await signedIn(user)).toMatchObject({ role: 'student' });
    return user;
  };

  it('is given up after a change, however its statement begins', async () => {
    const user = await known();
    await t.db.changePeople((trx) =>
      trx
        .with('found', (find) => find.selectFrom('users').select('id').where('phone', '=', user.phone))
        .updateTable('users')
        .set({ disabled: 1 })
        .where('id', 'in', (find) => find.selectFrom('found').select('id'))
        .execute(),
    );
    expect(await signedIn(user)).toBeNull();
  });

  it('is given up with the commit, not with the statement: what is rolled back changes nothing', async () => {
    const user = await known();
    const undone = t.db.changePeople(async (trx) => {
      await changeUser(trx, user.userId, { role: 'teacher' });
      await endAllSessions(trx, user.userId);
      expect(await signedIn(user)).toMatchObject({ role: 'student' });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await signedIn(user)).toMatchObject({ role: 'student' });
    await t.db.changePeople(async (trx) => {
      await changeUser(trx, user.userId, { role: 'teacher' });
      expect(await signedIn(user)).toMatchObject({ role: 'student' });
    });
    expect(await signedIn(user)).toMatchObject({ role: 'teacher' });
  });

  it('serves requests that come at the same time as the change, and none after it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const user = await known();
      const change = setDisabled(t.db, user.phone, true);
      const during = Promise.all(Array.from({ length: 5 }, () => signedIn(user)));
      await change;
      expect(await signedIn(user)).toBeNull();
      await during;
      expect(await signedIn(user)).toBeNull();
    }
  });

  it("notices another process's change within a moment", async () => {
    const other = await t.sibling();
    const user = await known();
    await setDisabled(other.db, user.phone, true);
    await expect.poll(() => signedIn(user), { timeout: 2000, interval: 20 }).toBeNull();
    await other.close();
  });
});
