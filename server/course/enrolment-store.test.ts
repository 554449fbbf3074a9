import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { endEnrolment, enrolInOpenPacks, enrolmentStore } from './enrolment-store.ts';
import { enrol, makePack } from './pack.test-kit.ts';

describe.each(databases)('enrolments on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { query } = kit.db;
  const archive = (packId: number) =>
    query.updateTable('packs').set({ archived: 1 }).where('id', '=', packId).execute();
  const of = (userIds: readonly number[]) =>
    query
      .selectFrom('enrolments')
      .selectAll()
      .where('user_id', 'in', userIds)
      .orderBy('user_id')
      .orderBy('pack_id')
      .execute();

  it('tells of many students in many packs at once how each stands to theirs, in the order asked', async () => {
    const store = enrolmentStore(kit.db);
    const students = await Promise.all(Array.from({ length: 6 }, () => kit.user()));
    const ids = students.map(({ userId }) => userId);
    const [first, empty, archived] = [
      await makePack(kit, { students: students.slice(0, 4) }),
      await makePack(kit),
      await makePack(kit, { students: students.slice(5) }),
    ];
    await archive(archived.packId);
    const asked = [first.packId, empty.packId, archived.packId, 987_654].flatMap((packId) =>
      ids.map((userId) => ({ packId, userId })),
    );
    const facts = await store.readFacts(query, asked);
    const expected = asked.map(({ packId, userId }) => {
      const at = ids.indexOf(userId);
      if (packId === first.packId) return { archived: false, enrolled: at < 4 };
      if (packId === empty.packId) return { archived: false, enrolled: false };
      return packId === archived.packId ? { archived: true, enrolled: at === 5 } : null;
    });
    expect(facts).toEqual(expected);
    expect(await store.readFacts(query, [])).toEqual([]);
  });

  it('notes when students last studied, and passes over who is not enrolled', async () => {
    const store = enrolmentStore(kit.db);
    const [first, second, outside] = [await kit.user(), await kit.user(), await kit.user()];
    const both = await makePack(kit, { students: [first, second] });
    const own = await makePack(kit, { students: [first] });
    const studied = [
      { userId: second.userId, packId: own.packId },
      { userId: first.userId, packId: own.packId },
      { userId: first.userId, packId: own.packId },
      { userId: outside.userId, packId: both.packId },
    ];
    await kit.db.transaction((trx) => store.noteStudied(trx, studied, kit.time.now + 1));
    const rows = await of([first.userId, second.userId, outside.userId]);
    expect(rows.map((row) => [row.user_id, row.pack_id, row.last_studied_at])).toEqual([
      [first.userId, both.packId, null],
      [first.userId, own.packId, kit.time.now + 1],
      [second.userId, both.packId, null],
    ]);
  });

  it('ends, and says whether there was one', async () => {
    const student = await kit.user();
    const { packId } = await makePack(kit);
    await enrol(kit, student, packId);
    await enrol(kit, student, packId);
    expect(await endEnrolment(query, student.userId, packId)).toBe(true);
    expect(await endEnrolment(query, student.userId, packId)).toBe(false);
    expect(await of([student.userId])).toEqual([]);
  });

  it('enrols people in open packs only, and once', async () => {
    await query.updateTable('packs').set({ archived: 1 }).execute();
    const [open, closed, retired] = [
      await makePack(kit),
      await makePack(kit, { enrol: 'closed' }),
      await makePack(kit),
    ];
    await archive(retired.packId);
    const ids = [(await kit.user()).userId, (await kit.user()).userId];
    await enrolInOpenPacks(query, ids, kit.time.now);
    await enrolInOpenPacks(query, ids, kit.time.now + 5);
    expect(closed.packId).not.toBe(open.packId);
    expect(await of(ids)).toEqual(
      ids.map((id) => ({
        user_id: id,
        pack_id: open.packId,
        created_at: kit.time.now,
        last_studied_at: null,
        by_order: 0,
      })),
    );
  });
});
