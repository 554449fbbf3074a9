import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { type MakeQuestion, makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate, SWEEP } from '../scene.test-kit.ts';

const MAKE = 'POST /app/exam/random_paper';
const SUBMIT = 'POST /api/exam/submit';
const CLEAN = 'exam: delete own papers that nobody began';
const DAY = 86_400_000;

describe.each(databases)('a random paper on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, raw } = kit;

  /** A pack with 3 judge, 6 single and 2 text questions; the last four single ones are two cases in the second chapter. */
  async function bank() {
    kit.time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const caseOf = async (slug: string) =>
      (
        await kit.db.query
          .insertInto('cases')
          .values({ pack_id: pack.packId, slug, title: slug, text: `<p>材料 ${slug}</p>` })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const cases = [await caseOf('甲'), await caseOf('乙')];
    const judge: MakeQuestion = { type: 1, right: 'A', chapter: 2 };
    const single: MakeQuestion = { type: 2, right: 'B', chapter: 2 };
    const text: MakeQuestion = { type: 4, right: '<p>参考</p>', chapter: 2 };
    const [caseA = 0, caseB = 0] = cases;
    const ids = await makeQuestions(kit, pack, [
      ...[judge, judge, judge, single, single, text, text],
      ...[caseA, caseA, caseB, caseB].map((caseId): MakeQuestion => ({ ...single, chapter: 3, caseId })),
    ]);
    // As an import does: what stands in no practice is kept for its papers.
    await makeExam(kit, pack, { kind: 'chapter', questionIds: ids, name: '题库' });
    const { packId } = pack;
    const wanted = {
      packId,
      name: '随机组卷 11月22日',
      lines: [
        { questionTypesId: 1 as const, count: 2, score: 1 },
        { questionTypesId: 2 as const, count: 4, score: 2.5 },
      ],
      examTime: 30,
    };
    return { as, pack, packId, ids, cases, wanted };
  }

  it('has no question that counts for nothing: it would give its points to everybody', async () => {
    const { as, packId, ids, wanted } = await bank();
    const [voided = 0] = ids;
    await kit.db.query
      .updateTable('questions')
      .set({ grade_mode: 'void', score: 0 })
      .where('id', '=', voided)
      .execute();
    const { chapters } = await ok('GET /app/exam/random_options', { packId }, { as });
    expect(chapters.flatMap(({ types }) => types).find(({ questionTypesId }) => questionTypesId === 1)?.count).toBe(2);
    const lines = [{ questionTypesId: 1 as const, count: 3, score: 1 }];
    expect((await raw(MAKE, { ...wanted, lines }, { as })).data).toMatchObject({ why: 'bankTooSmall', at: 0 });
  });

  it('is drawn from the bank, scored and timed as a mock exam is, and only its student’s', async () => {
    const { as, pack, packId, ids, wanted } = await bank();
    const { chapters } = await ok('GET /app/exam/random_options', { packId }, { as });
    expect(chapters.find(({ chapterId }) => chapterId === pack.chapterIds[2])).toMatchObject({
      types: [
        { questionTypesId: 1, count: 3 },
        { questionTypesId: 2, count: 2 },
        { questionTypesId: 4, count: 2 },
      ],
    });
    const made = await ok(MAKE, wanted, { as });
    expect(made).toMatchObject({ totalQuestion: 6, totalScore: 12 });
    // The next one opens as this one was wanted, for its student alone.
    const last = async (of: TestUser) => (await ok('GET /app/exam/random_options', { packId }, { as: of })).last;
    expect(await last(as)).toEqual({ chapterIds: null, lines: wanted.lines, examTime: 30 });
    const chapterIds = [pack.chapterIds[2]] as number[];
    await ok(MAKE, { ...wanted, chapterIds, lines: wanted.lines.slice(0, 1), examTime: 25 }, { as });
    expect(await last(as)).toMatchObject({ chapterIds, examTime: 25 });
    expect(await last(await classmate(kit, pack))).toBeNull();
    const { examId } = made;
    const started = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(started).toMatchObject({ kind: 'random', examMode: 1, examTime: 30, endsAt: kit.time.now + 30 * 60_000 });
    const { recordId } = started;
    const { questions, cases } = await ok('GET /api/exam/details', { recordId }, { as });
    expect(questions.map(({ questionTypesId }) => questionTypesId)).toEqual([1, 1, 2, 2, 2, 2]);
    expect(questions.map(({ score }) => score)).toEqual([1, 1, 2.5, 2.5, 2.5, 2.5]);
    // Each case that is in it stands in one piece, with its material.
    const runs = questions
      .map(({ parentCaseStudyId }) => parentCaseStudyId)
      .filter((id, at, all) => id !== null && id !== all[at - 1]);
    expect(cases.map(({ id }) => id)).toEqual(runs.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(new Set(runs)).toHaveLength(runs.length);

    expect(await refused('GET /app/exam/recite', { recordId }, { as })).toBe('noRecite');
    expect(
      await refused('POST /app/exam/show_answer', { recordId, questionId: questions[0]?.questionId ?? 0 }, { as }),
    ).toBe('keyHidden');
    const mate = await classmate(kit, pack);
    expect(await refused('GET /app/exam/test_start', { examId }, { as: mate })).toBe('notFound');
    expect(await refused('GET /app/exam/print', { examId }, { as: mate })).toBe('notFound');

    const answers = questions.map(({ questionId, questionTypesId }, at) => ({
      questionId,
      answer: questionTypesId === 1 ? 'A' : at === 2 ? 'C' : 'B',
      seq: 1,
    }));
    expect(await ok(SUBMIT, { examId, recordId, answers }, { as })).toMatchObject({ score: 9.5, wrongCount: 1 });
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({ kind: 'random', score: 9.5 });
    const wrong = await ok('GET /api/exam/error', { packId, examId }, { as });
    expect(wrong.list).toMatchObject([{ examId, examName: wanted.name, timesWrong: 1 }]);
    expect((await ok('GET /api/user/exam_list', { kind: 'random' }, { as })).list).toMatchObject([{ recordId }]);
    expect((await ok('POST /app/exam/history', { examId }, { as })).list).toMatchObject([{ recordId, score: 9.5 }]);
    // Nowhere among what the school offers, and counted in nothing of it.
    expect((await ok('GET /api/exam/exam_list', { packId }, { as })).list).toEqual([]);
    expect(await ok('GET /api/common/course_details', { packId }, { as })).toMatchObject({ examCount: 0 });
    // Sat again as often as its student likes, with the same questions.
    kit.time.now += 1000;
    const again = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(again).toMatchObject({ resumed: false });
    expect((await ok('GET /api/exam/details', again, { as })).questions).toEqual(questions);
    kit.time.now += 31 * 60_000;
    await kit.chore(SWEEP);
    expect((await ok('GET /api/exam/cache', again, { as })).submittedAt).toBe(again.endsAt);
    expect(ids).toHaveLength(11);
  });

  it('prefers what its student never answered, then what they answered longest ago', async () => {
    const { as, pack, packId, ids, wanted } = await bank();
    const practice = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids.slice(0, 5) });
    for (const answered of [ids.slice(1, 2), ids.slice(0, 1), ids.slice(3, 5)]) {
      const { recordId } = await ok('GET /app/exam/test_start', { examId: practice }, { as });
      const answers = answered.map((questionId) => ({ questionId, answer: 'A', seq: 1 }));
      await ok(SUBMIT, { examId: practice, recordId, answers }, { as });
      kit.time.now += 60_000;
    }
    const { examId } = await ok(MAKE, wanted, { as });
    const printed = await ok('GET /app/exam/print', { examId }, { as });
    const drawn = printed.questions.map(({ questionId }) => questionId);
    expect(new Set(drawn)).toEqual(new Set([ids[1], ids[2], ...ids.slice(7)]));
    expect(packId).toBe(pack.packId);
  });

  it('says what the bank cannot give before anything is made', async () => {
    const { as, pack, wanted } = await bank();
    const only = { ...wanted, chapterIds: [pack.chapterIds[3] ?? 0] };
    const reply = await raw(MAKE, { ...only, lines: [wanted.lines[1], { ...wanted.lines[0], count: 1 }] }, { as });
    expect(reply).toMatchObject({ code: 422, data: { why: 'bankTooSmall', field: 'lines', at: 1 } });
    expect(await ok(MAKE, { ...only, lines: [{ questionTypesId: 2, count: 4, score: 1 }] }, { as })).toMatchObject({
      totalQuestion: 4,
    });
    const twice = [wanted.lines[0], wanted.lines[0]] as never;
    expect(await refused(MAKE, { ...wanted, lines: twice }, { as })).toBe('badInput');
    const tooMany = wanted.lines.map((line) => ({ ...line, count: 150 }));
    expect(await refused(MAKE, { ...wanted, lines: tooMany }, { as })).toBe('badInput');
    const others = await bank();
    expect(await refused(MAKE, { ...wanted, chapterIds: [others.pack.chapterIds[0]] }, { as })).toBe('notFound');
    expect(await refused(MAKE, { ...others.wanted }, { as })).toBe('notEnrolled');
    const made = await kit.db.query
      .selectFrom('own_papers')
      .select('exam_id')
      .where('user_id', '=', as.userId)
      .execute();
    expect(made).toHaveLength(1);
  });

  it('two presses of one button make one paper, another press another one', async () => {
    const { as, wanted } = await bank();
    const press = (requestId: string) => ok(MAKE, { ...wanted, requestId }, { as });
    const pressed = await Promise.all([press('press-0001'), press('press-0001'), press('press-0001')]);
    expect(new Set(pressed.map(({ examId }) => examId))).toHaveLength(1);
    expect(pressed[2]).toEqual(pressed[0]);
    expect((await press('press-0002')).examId).not.toBe(pressed[0]?.examId);
  });

  it('while it is open its questions are in no list of what went wrong, and nothing tells whether they are right', async () => {
    const { as, pack, packId, ids, wanted } = await bank();
    const practice = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const first = await ok('GET /app/exam/test_start', { examId: practice }, { as });
    const answers = ids.slice(0, 5).map((questionId) => ({ questionId, answer: 'C', seq: 1 }));
    await ok(SUBMIT, { ...first, answers: answers.slice(3) }, { as });
    expect((await ok('GET /api/exam/error', { packId }, { as })).total).toBe(2);
    kit.time.now += 60_000;
    const lines = [{ questionTypesId: 2 as const, count: 6, score: 2 }];
    const { examId } = await ok(MAKE, { ...wanted, lines }, { as });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(await ok('GET /api/exam/error', { packId }, { as })).toMatchObject({ total: 0, withheld: true });
    const review = await ok('GET /app/exam/review', first, { as });
    expect(review.questions.map(({ hidden }) => hidden)).toEqual(ids.map((_, at) => at > 2 && at !== 5 && at !== 6));
    const printed = await ok('GET /app/exam/print', { examId: practice, recordId: first.recordId }, { as });
    expect(printed).toMatchObject({ keys: true, withheld: true });
    expect(printed.questions.map(({ rightAnswer }) => rightAnswer !== '')).toEqual(
      ids.map((_, at) => at <= 2 || at === 5 || at === 6),
    );
    expect(await ok('GET /app/exam/print', { examId }, { as })).toMatchObject({ keys: false, recordId });
    expect(await refused('GET /app/exam/question_history', { questionId: ids[3] ?? 0 }, { as })).toBe('keyHidden');
    await ok(SUBMIT, { examId, recordId }, { as });
    expect((await ok('GET /api/exam/error', { packId }, { as })).total).toBe(2);
  });

  it('that nobody began is gone after a day; one with a record stays, and so does a school’s paper', async () => {
    const { as, pack, ids, wanted } = await bank();
    const mock = await makeExam(kit, pack, { questionIds: ids });
    const [left, begun] = [await ok(MAKE, wanted, { as }), await ok(MAKE, wanted, { as })];
    const record = await ok('GET /app/exam/test_start', begun, { as });
    await ok(SUBMIT, record, { as });
    kit.time.now += DAY - 1;
    await kit.chore(CLEAN);
    const there = async () =>
      (
        await kit.db.query
          .selectFrom('exams')
          .select('id')
          .where('id', 'in', [mock, left.examId, begun.examId])
          .orderBy('id')
          .execute()
      ).map(({ id }) => id);
    expect(await there()).toEqual([mock, left.examId, begun.examId]);
    kit.time.now += 2;
    await kit.chore(CLEAN);
    expect(await there()).toEqual([mock, begun.examId]);
    expect(await ok('GET /app/exam/review', record, { as })).toMatchObject({ totalQuestion: 6 });
  });
});
