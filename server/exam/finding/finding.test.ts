import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('finding an exam on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('questions of a chapter and all below it, in pages, by type, without archived ones', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const ids = await makeQuestions(
      kit,
      pack,
      Array.from({ length: 25 }, (_, at) => ({
        type: at % 5 === 0 ? (1 as const) : (2 as const),
        right: 'A',
        chapter: at < 20 ? 2 : 3,
      })),
    );
    await kit.db.query
      .updateTable('questions')
      .set({ archived: 1 })
      .where('id', '=', ids[1] ?? 0)
      .execute();
    const asked = { packId: pack.packId, chapterId: pack.chapterIds[0] };
    const first = await ok('GET /app/question/list', asked, { as });
    expect(first).toMatchObject({ total: 19, pages: 2, pageNum: 1 });
    const second = await ok('GET /app/question/list', { ...asked, pageNum: 2 }, { as });
    expect([...first.list, ...second.list].map((question) => question.questionId)).toEqual(
      ids.filter((_, at) => at < 20 && at !== 1),
    );
    expect(await ok('GET /app/question/list', { ...asked, questionTypesId: 1 }, { as })).toMatchObject({ total: 4 });
    expect(await ok('GET /app/question/list', { ...asked, pageNum: 1_000_000 }, { as })).toMatchObject({
      list: [],
      total: 19,
    });
    expect(await refused('GET /app/question/list', { ...asked, chapterId: 987_654 }, { as })).toBe('notFound');
  });

  it('papers by kind, year and course, and the years', async () => {
    const { as, pack, ids, recordId, examId } = await startScene(kit);
    const past = await makeExam(kit, pack, { kind: 'past', year: 2023, questionIds: ids });
    const newer = await makeExam(kit, pack, { kind: 'past', year: 2025, questionIds: ids });
    const timed = await makeExam(kit, pack, { kind: 'timed', questionIds: ids, minutes: 10 });
    await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const { packId, courseId } = pack;
    const list = async (filter: object) =>
      (await ok('GET /api/exam/exam_list', { packId, ...filter }, { as })).list.map((exam) => exam.examId);
    expect(new Set(await list({}))).toEqual(new Set([past, newer, timed, examId]));
    expect(await list({ kind: 'past' })).toEqual([newer, past]);
    expect(await list({ year: 2023 })).toEqual([past]);
    expect(await list({ courseId: courseId + 1_000_000 })).toEqual([]);
    // An empty filter is none.
    const unset = { packId, kind: '', year: '', courseId: '' };
    const { data } = await kit.raw('GET /api/exam/exam_list', unset, { as });
    expect((data as { list: unknown[] }).list).toHaveLength(4);
    expect(await ok('GET /api/exam/year_list', { packId }, { as })).toEqual({ list: [2025, 2023] });
    const mock = (await ok('GET /api/exam/exam_list', { packId, kind: 'mock' }, { as })).list[0];
    expect(mock).toMatchObject({
      openRecordId: recordId,
      endsAt: START + 3_600_000,
      lastRecordId: null,
      takerCount: 0,
      testType: 0,
    });
    const special = (await ok('GET /api/exam/exam_list', { packId, kind: 'timed' }, { as })).list[0];
    expect(special).toMatchObject({ testType: 11, examTime: 10, examMode: 1 });
  });

  it('a paper sat twice is listed with the best score and with the last', async () => {
    const { as, pack, examId, ids } = await startScene(kit);
    const sit = async (answers: readonly string[]) => {
      kit.time.now += 1000;
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      for (const [at, answer] of answers.entries()) {
        await ok(SAVE, { examId, recordId, questionId: ids[at] ?? 0, answer, seq: at + 1 }, { as });
      }
      await ok(SUBMIT, { examId, recordId }, { as });
    };
    const listed = async () => (await ok('GET /api/exam/exam_list', { packId: pack.packId }, { as })).list[0];
    await sit(['A']);
    expect(await listed()).toMatchObject({ bestScore: 2, lastScore: 2 });
    await sit(['A', 'B']);
    expect(await listed()).toMatchObject({ bestScore: 4, lastScore: 4 });
    await sit(['B', 'A']);
    expect(await listed()).toMatchObject({ bestScore: 4, lastScore: 0 });
  });

  it('my exams: newest first, in pages, by pack, kind and state, and nobody else’s', async () => {
    const { as, pack, examId } = await startScene(kit, { kind: 'chapter' });
    const recordIds: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      kit.time.now += 1000;
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      recordIds.unshift(recordId);
      if (turn < 11) await ok(SUBMIT, { examId, recordId, windowId: undefined }, { as });
    }
    const first = await ok('GET /api/user/exam_list', {}, { as });
    expect(first).toMatchObject({ total: 12, pages: 2, pageNum: 1 });
    expect(first.list.map((record) => record.recordId)).toEqual(recordIds.slice(0, 10));
    expect(first.list[0]).toMatchObject({ closed: null, score: null, examType: 1, packName: expect.any(String) });
    const rest = await ok('GET /api/user/exam_list', { pageNum: 2 }, { as });
    expect(rest.list.map((record) => record.recordId)).toEqual(recordIds.slice(10));
    expect(await ok('GET /api/user/exam_list', { state: 'open' }, { as })).toMatchObject({ total: 1 });
    expect(
      await ok('GET /api/user/exam_list', { state: 'closed', kind: 'chapter', packId: pack.packId }, { as }),
    ).toMatchObject({ total: 11 });
    expect(await ok('GET /api/user/exam_list', { kind: 'mock' }, { as })).toMatchObject({
      total: 0,
      pages: 0,
      list: [],
    });
    const other = await classmate(kit, pack);
    expect(await ok('GET /api/user/exam_list', {}, { as: other })).toMatchObject({ total: 0 });
    expect(await ok('POST /app/exam/history', { examId }, { as: other })).toEqual({ list: [] });
    expect((await ok('POST /app/exam/history', { examId }, { as })).list).toHaveLength(12);
    expect(await refused('POST /app/exam/test_history', { examId }, { as })).toBe('notFound');
    expect(await refused('POST /app/exam/history', { examId: 987_654 }, { as })).toBe('notFound');
  });

  it('earlier records of a timed special test (testType 11)', async () => {
    const { as, examId, recordId } = await startScene(kit, { kind: 'timed', minutes: 5 });
    const { list } = await ok('POST /app/exam/test_history', { examId }, { as });
    expect(list).toMatchObject([{ recordId, testType: 11, examTime: 5 }]);
  });

  it('junk gets a 4xx and a sentence from every call', async () => {
    const { as } = await startScene(kit);
    const junk = [
      {},
      { packId: 'x' },
      { packId: -1 },
      { packId: 1e30 },
      { packId: null },
      { recordId: [] },
      { recordId: 1.5, examId: {} },
      { packId: 1, pageNum: 0 },
      { packId: 1, pageSize: 1e9 },
      { examId: 9e99, recordId: 1, questionId: 1, answer: 'A' },
      { examId: 987_654, recordId: 1, questionId: 1, answer: 7 },
      { examId: 987_654, recordId: 1, questionId: 1, answer: 'A', seq: -1 },
      { examId: 987_654, recordId: 1, answers: 'x' },
      { examId: 987_654, windowId: 'a b\u0000c d e' },
      { examId: 987_654, windowId: 'x'.repeat(99) },
      {
        recordId: Number.MAX_SAFE_INTEGER,
        examId: Number.MAX_SAFE_INTEGER,
        questionId: Number.MAX_SAFE_INTEGER,
        answer: '',
        packId: Number.MAX_SAFE_INTEGER,
        chapterId: Number.MAX_SAFE_INTEGER,
        windowId: 'window-0001',
        myScore: 1,
      },
    ];
    const names = [
      'GET /app/question/index',
      'GET /app/question/list',
      'GET /api/exam/exam_list',
      'GET /api/exam/year_list',
      'GET /app/exam/test_start',
      'GET /api/exam/details',
      'GET /api/exam/cache',
      'POST /api/exam/save_question',
      'POST /api/exam/flag',
      'POST /api/exam/submit',
      'POST /app/exam/show_answer',
      'GET /app/exam/recite',
      'GET /app/exam/review',
      'POST /app/exam/subjective_submit',
      'GET /app/exam/result_tip',
      'POST /app/exam/history',
      'POST /app/exam/test_history',
      'POST /app/exam/take_over',
    ] as const;
    for (const name of names) {
      for (const input of junk) {
        const reply = await kit.raw(name, input, { as });
        expect([name, input, reply.code >= 400 && reply.code < 500 && reply.msg !== ''], JSON.stringify(reply)).toEqual(
          [name, input, true],
        );
      }
    }
  });
});
