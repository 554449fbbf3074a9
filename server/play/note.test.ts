import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { makeLesson } from './lesson.test-kit.ts';

describe.each(databases)('notes on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  const LIST = 'GET /app/course/note_list';
  const SAVE = 'POST /app/course/note_save';
  const DELETE = 'POST /app/course/note_delete';

  it('are written, found, changed and deleted by their writer alone', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    const pack = await makePack(kit, { students: [as, other] });
    const { packId } = pack;
    const [one, two] = [await makeLesson(kit, pack, { name: '极限 100%' }), await makeLesson(kit, pack)];
    const write = (firstVideoId: number, position: number, note: string) =>
      ok(SAVE, { packId, firstVideoId, position, note }, { as });
    const late = await write(one, 90, 'ε-δ 语言');
    const early = await write(one, 10, ' Abc\u0000 第一行\n第二行 ');
    await write(two, 5, '别的');
    expect(early).toMatchObject({ note: 'Abc 第一行\n第二行', firstVideoName: '极限 100%', position: 10 });
    const found = async (more: object) => (await ok(LIST, { packId, ...more }, { as })).list.map(({ id }) => id);
    expect(await found({ firstVideoId: one })).toEqual([early.id, late.id]);
    expect(await found({})).toHaveLength(3);
    expect(await found({ keyword: 'aBC' })).toEqual([early.id]);
    expect(await found({ keyword: '100%' })).toEqual([early.id, late.id]);
    expect(await found({ keyword: '_' })).toEqual([]);
    expect(await ok(LIST, { packId }, { as: other })).toMatchObject({ total: 0, list: [] });
    expect(
      await refused(SAVE, { packId, firstVideoId: one, position: 1, note: '改', id: late.id }, { as: other }),
    ).toBe('notFound');
    await ok(DELETE, { packId, id: late.id }, { as: other });
    expect(await ok(SAVE, { packId, firstVideoId: one, position: 91, note: '改', id: late.id }, { as })).toMatchObject({
      position: 91,
      note: '改',
    });
    await ok(DELETE, { packId, id: late.id }, { as });
    await ok(DELETE, { packId, id: late.id }, { as });
    expect(await found({ firstVideoId: one })).toEqual([early.id]);
    const sent = { packId, firstVideoId: two, position: 7, note: '只有一条', clientId: 'note-0001' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => ok(SAVE, sent, { as })));
    const [first] = answers;
    expect(
      answers.every(({ id }) => id === first?.id),
      'one that is sent again is one',
    ).toBe(true);
    expect(await ok(SAVE, { ...sent, position: 9 }, { as }), 'the film went on meanwhile').toEqual(first);
    expect(await found({ keyword: '只有一条' })).toEqual([first?.id]);
    expect((await ok(SAVE, sent, { as: other })).id, 'names are a person’s own').not.toBe(first?.id);
    expect(await refused(SAVE, { packId, firstVideoId: one, position: 1, note: ' \n' }, { as })).toBe('badInput');
    expect(await refused(SAVE, { packId, firstVideoId: 987_654, position: 1, note: 'x' }, { as })).toBe('notFound');
    expect((await write(one, 1, '𠮷'.repeat(2000))).note).toHaveLength(4000);
    expect(await refused(SAVE, { packId, firstVideoId: one, position: 1, note: '𠮷'.repeat(2001) }, { as })).toBe(
      'badInput',
    );
  });

  it('are no more than there may be, also where many come at once', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const { packId } = pack;
    const firstVideoId = await makeLesson(kit, pack);
    const one = { ...{ user_id: as.userId, pack_id: packId, lesson_id: firstVideoId, position: 1, note: '记' } };
    const rows = Array.from({ length: 1998 }, (_, at) => ({ ...one, created_at: at, updated_at: at, client_id: null }));
    for (let at = 0; at < rows.length; at += 500)
      await kit.db.query
        .insertInto('lesson_notes')
        .values(rows.slice(at, at + 500))
        .execute();
    const sent = { packId, firstVideoId, position: 2, note: '同时' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => kit.raw(SAVE, sent, { as })));
    expect(answers.filter(({ data }) => 'id' in (data as object))).toHaveLength(2);
    expect((await ok(LIST, { packId }, { as })).total).toBe(2000);
  });

  it('stand within their film, or where they stood when it was longer', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const { packId } = pack;
    const film = await makeLesson(kit, pack, { duration: 45 });
    const text = await makeLesson(kit, pack, { kind: 'text' });
    const write = (firstVideoId: number, position: number, id?: number) =>
      kit.call(SAVE, { packId, firstVideoId, position, note: '记', ...(id === undefined ? {} : { id }) }, { as });
    expect(await write(film, 4000)).toMatchObject({ code: 422, data: { why: 'beyondEnd' } });
    expect(await write(film, 48)).toMatchObject({ code: 422 });
    // Lengths differ by fractions.
    expect((await write(film, 47)).code).toBe(200);
    expect((await write(text, 4000)).code).toBe(200);
    const { data: last } = await write(film, 40);
    expect(await write(film, 4000, last.id)).toMatchObject({ code: 422, data: { why: 'beyondEnd' } });
    // What another lesson would take does not count: the note stays at its own.
    expect(await write(text, 4000, last.id)).toMatchObject({ code: 422 });
    await kit.db.query.updateTable('lessons').set({ duration: 20 }).where('id', '=', film).execute();
    expect(await ok(SAVE, { packId, firstVideoId: film, position: 40, note: '改', id: last.id }, { as })).toMatchObject(
      {
        ...{ position: 40, note: '改' },
      },
    );
    expect((await write(film, 41, last.id)).code).toBe(422);
    expect((await write(film, 12, last.id)).code).toBe(200);
    expect(await ok(LIST, { packId, firstVideoId: film }, { as })).toMatchObject({ total: 2 });
  });
});
