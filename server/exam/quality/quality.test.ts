import { afterAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate } from '../scene.test-kit.ts';
import { COUNT, classRoom } from './quality.test-kit.ts';

const LIST = 'GET /app/question/quality_list';
const ONE = 'GET /app/question/quality';

describe.each(databases)('the quality of questions on $name', async ({ kind }) => {
  const kit: TestApp = await testApp(kind);
  const { ok, refused } = kit;
  afterAll(() => kit.close());

  it('a key that the good students do not choose stands first, with the reason and the figures', async () => {
    const { pack, ids, teacher: as, wholeClass } = await classRoom(kit);
    await wholeClass();
    await kit.chore(COUNT);
    const { list, next } = await ok(LIST, { packId: pack.packId }, { as });
    expect([list.length, next]).toEqual([8, null]);
    expect(list[0]).toMatchObject({
      questionId: ids[0],
      answered: 44,
      rightRate: 0.5,
      discrimination: -1,
      reasons: ['keyBeaten', 'negative'],
    });
    expect(list[0]?.letters.slice(0, 2)).toEqual([
      { letter: 'A', right: true, all: 22, upper: 0, lower: 1 },
      { letter: 'B', right: false, all: 22, upper: 1, lower: 0 },
    ]);
    expect(list[1]).toMatchObject({ questionId: ids[7], discrimination: 1, reasons: [] });
    const one = await ok(ONE, { questionId: ids[0] ?? 0 }, { as });
    expect(one).toMatchObject({ group: 12, history: [], papers: [{ score: 2 }] });
    expect(one.question.rightAnswer).toBe('A');
    expect(one.answers.map(({ answer, all }) => [answer, all])).toEqual([
      ['A', 22],
      ['B', 22],
    ]);
    expect(await ok('GET /app/question/quality_choices', { packId: pack.packId }, { as })).toMatchObject({
      packId: pack.packId,
      looks: 1,
    });
    const looks = await ok('GET /app/question/quality_looks', {}, { as });
    expect(looks.packs.find(({ packId }) => packId === pack.packId)?.looks).toBe(1);
    expect(looks.total).toBe(looks.packs.reduce((sum, { looks: of }) => sum + of, 0));
    expect(looks.packs.every(({ looks: of }) => of > 0)).toBe(true);
  });

  it('counts the first answer of a student alone, whichever paper it was in, and nothing twice', async () => {
    const { pack, ids, teacher: as, sits } = await classRoom(kit);
    const { as: student } = await sits('A-------');
    await sits('BB------', student);
    await kit.chore(COUNT);
    await kit.chore(COUNT);
    const figures = async (at: number) => {
      const { answered, letters } = await ok(ONE, { questionId: ids[at] ?? 0 }, { as });
      return [answered, letters.map(({ all }) => all).join('')];
    };
    // What was left open in the first record is answered in the second.
    expect([await figures(0), await figures(1), await figures(2)]).toEqual([
      [1, '1000'],
      [1, '0100'],
      [0, '0000'],
    ]);
    const again = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const { recordId } = await ok('GET /app/exam/test_start', { examId: again }, { as: student });
    const answers = ids.map((questionId, at) => ({ questionId, answer: 'C', seq: at + 1 }));
    await ok('POST /api/exam/submit', { examId: again, recordId, answers }, { as: student });
    await kit.chore(COUNT);
    expect([await figures(0), await figures(2)]).toEqual([
      [1, '1000'],
      [1, '0010'],
    ]);
  });

  it('a question that students report needs a look until every report is decided', async () => {
    const { pack, ids, teacher: as } = await classRoom(kit);
    const student = await classmate(kit, pack);
    const [questionId = 0] = ids;
    const told = { packId: pack.packId, questionId, feedbackType: 14, feedbackDesc: '答案有误' };
    const { id } = await ok('POST /app/feedback/lx_submit', told, { as: student });
    await kit.chore(COUNT);
    const look = async () => (await ok(LIST, { packId: pack.packId, only: 'look' }, { as })).list;
    expect(await look()).toMatchObject([{ questionId, reports: 1, reasons: ['reported'], answered: 0 }]);
    await ok('POST /app/feedback/answer', { id, version: 0, state: 1, answer: '' }, { as });
    await kit.chore(COUNT);
    expect(await look()).toHaveLength(1);
    await ok('POST /app/feedback/answer', { id, version: 1, state: 2, answer: '' }, { as });
    await kit.chore(COUNT);
    expect(await look()).toEqual([]);
  });

  it('a page goes on where the one before ended, and is narrowed by chapter, type and text', async () => {
    const { pack, ids, teacher: as, wholeClass } = await classRoom(kit);
    const { packId, chapterIds } = pack;
    await wholeClass();
    await kit.chore(COUNT);
    await kit.db.query
      .updateTable('questions')
      .set({ topic: '<p>若 a &lt; b，<em>求 50%_解</em></p>' })
      .where('id', '=', ids[3] ?? 0)
      .execute();
    const seen: number[] = [];
    let after: string | undefined;
    for (let turn = 0; turn < 9; turn += 1) {
      const { list, next } = await ok(LIST, { packId, pageSize: 3, ...(after && { after }) }, { as });
      seen.push(...list.map(({ questionId }) => questionId));
      if (next === null) break;
      after = next;
    }
    expect(seen).toEqual([ids[0], ...ids.slice(1).reverse()]);
    const found = async (filter: object) =>
      (await ok(LIST, { packId, ...filter }, { as })).list.map(({ questionId }) => questionId);
    expect(await found({ chapterId: chapterIds[3] })).toEqual(ids.slice(4).reverse());
    // Each chapter before what is below it: the choice is read as a tree.
    const { chapters } = await kit.ok('GET /app/question/quality_choices', { packId }, { as });
    expect(chapters.map(({ chapterId }) => chapterId)).toEqual(chapterIds);
    expect(await found({ questionTypesId: 3 })).toEqual([]);
    expect(await found({ questionTypesId: 2 })).toHaveLength(8);
    expect(await found({ text: 'A < B' })).toEqual([ids[3]]);
    expect(await found({ text: '50%_' })).toEqual([ids[3]]);
    expect(await found({ text: '_%' })).toEqual([]);
    // A tag is nothing that anybody reads.
    expect(await found({ text: 'em>' })).toEqual([]);
    expect(await refused(LIST, { packId, chapterId: 999_999 }, { as })).toBe('notFound');
    expect(await refused(LIST, {}, { as })).toBe('badInput');
    expect(await refused(ONE, { questionId: 999_999 }, { as })).toBe('notFound');
  });
});
