import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { packAccess } from './access.ts';
import { enrolmentStore } from './enrolment-store.ts';
import { makePack } from './pack.test-kit.ts';

describe.each(databases)('who may open a pack, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { query } = kit.db;
  const { mayOpen, askAll } = packAccess(kit.db, enrolmentStore(kit.db));
  const yes = { ok: true };
  const no = (why: string) => ({ ok: false, why });

  it('who is enrolled, as long as it is on offer', async () => {
    const [inside, outside] = [await kit.user(), await kit.user()];
    const { packId } = await makePack(kit, { students: [inside] });
    const access = () => Promise.all([inside, outside].map(({ userId }) => mayOpen(userId, packId)));
    expect(await access()).toEqual([yes, no('notEnrolled')]);
    expect(await mayOpen(inside.userId, 987_654)).toEqual(no('notFound'));
    await query.updateTable('packs').set({ archived: 1 }).where('id', '=', packId).execute();
    expect(await access()).toEqual([no('notFound'), no('notFound')]);
  });

  it('of many at once each gets their own answer, and what was taken out of a pack on offer is as its pack', async () => {
    const [inside, outside] = [await kit.user(), await kit.user()];
    const { packId } = await makePack(kit, { students: [inside] });
    const asks = [inside, outside].flatMap(({ userId }) =>
      [false, true].map((archived) => ({ userId, packId, archived })),
    );
    expect(await askAll(query, [...asks, { userId: inside.userId, packId: 987_654, archived: false }])).toMatchObject([
      { ask: asks[0], open: yes, goOn: yes },
      { ask: asks[1], open: no('notFound'), goOn: yes },
      { ask: asks[2], open: no('notEnrolled'), goOn: no('notEnrolled') },
      { ask: asks[3], open: no('notFound'), goOn: no('notFound') },
      { open: no('notFound'), goOn: no('notFound') },
    ]);
  });
});
