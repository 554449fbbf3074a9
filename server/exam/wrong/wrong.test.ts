import { afterAll, describe, expect, it } from 'vitest';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate, HOUR, startScene } from '../scene.test-kit.ts';

const DAY = 86_400_000;

describe.each(databases)('the wrong-question list on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  /** The list of a pack as ids of questions. */
  const listed = async (as: TestUser, packId: number, filter: object = {}) =>
    (await ok('GET /api/exam/error', { packId, ...filter }, { as })).list.map(({ question }) => question.questionId);

  /** Sits an exam with these answers, by index of the question. */
  async function sit(as: TestUser, examId: number, ids: readonly number[], letters: Record<number, string>) {
    kit.time.now += 1000;
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const answers = Object.entries(letters).map(([at, answer]) => ({
      questionId: ids[Number(at)] ?? 0,
      answer,
      seq: 1,
    }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    return recordId;
  }

  it('holds what a hand-in got wrong, partly right too, with key, place and history; not what is unanswered', async () => {
    const { as, pack, ids, base, examId } = await startScene(kit);
    const answers = ['B', 'B', 'AB', '文'].map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: 1 }));
    await ok('POST /api/exam/submit', { ...base, answers }, { as });
    const page = await ok('GET /api/exam/error', { packId: pack.packId }, { as });
    expect(page.total).toBe(2);
    expect(page.list.map(({ question }) => question.questionId).sort()).toEqual([ids[0], ids[2]]);
    const judge = page.list.find(({ question }) => question.questionId === ids[0]);
    expect(judge).toMatchObject({
      state: 'in',
      timesWrong: 1,
      rightStreak: 0,
      guessed: 0,
      examId,
      onOffer: 1,
      collected: 0,
      question: { rightAnswer: 'A' },
    });
    expect(judge?.chapterName).not.toBe('');
    const { list } = await ok('GET /app/exam/question_history', { questionId: ids[0] }, { as });
    expect(list).toMatchObject([{ recordId: base.recordId, answer: 'B', state: 2, guess: 0 }]);
    // Nobody else's answers.
    const other = await classmate(kit, pack);
    expect(await ok('GET /app/exam/question_history', { questionId: ids[0] }, { as: other })).toEqual({ list: [] });
    expect(await ok('GET /app/exam/question_history', { questionId: ids[5] }, { as })).toEqual({ list: [] });
  });

  it('shows a text that its student scored too low, and lets go of it when the score is changed', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    const [, , , text] = ids;
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: text, answer: '文', seq: 1 }] }, { as });
    expect(await listed(as, pack.packId)).toEqual([]);
    const score = (myScore: number) =>
      ok('POST /app/exam/subjective_submit', { recordId: base.recordId, questionId: text, myScore }, { as });
    await score(1);
    expect(await listed(as, pack.packId)).toEqual([text]);
    await score(5);
    expect(await listed(as, pack.packId)).toEqual([]);
    // It was never wrong: no list or count has it, and nothing can be done with it.
    expect(await listed(as, pack.packId, { state: 'left' })).toEqual([]);
    expect(await ok('GET /app/exam/error_index', { packId: pack.packId }, { as })).toMatchObject({ leftCount: 0 });
    expect((await ok('GET /app/question/error_pack_list', {}, { as })).list).toEqual([]);
    expect(await refused('POST /app/exam/error_restore', { ids: [text] }, { as })).toBe('notFound');
    expect(await refused('POST /api/exam/error_rm', { id: text }, { as })).toBe('notFound');
    expect(await refused('POST /app/v2/exam/save_review', { questionId: text }, { as })).toBe('notFound');
    await score(0);
    expect(await listed(as, pack.packId)).toEqual([text]);
  });

  it('in practice takes a question as soon as its answer is shown, and once for one attempt', async () => {
    const { as, pack, ids, base, save } = await startScene(kit, { kind: 'chapter' });
    await ok('POST /api/exam/save_question', save(0, 'B', 1), { as });
    expect(await listed(as, pack.packId)).toEqual([]);
    await ok('POST /app/exam/show_answer', { ...base, questionId: ids[0] }, { as });
    await ok('POST /app/exam/show_answer', { ...base, questionId: ids[0] }, { as });
    expect(await listed(as, pack.packId)).toEqual([ids[0]]);
    await ok('POST /api/exam/submit', base, { as });
    await ok('POST /api/exam/submit', base, { as });
    const { list } = await ok('GET /api/exam/error', { packId: pack.packId }, { as });
    expect(list.map(({ timesWrong }) => timesWrong)).toEqual([1]);
  });

  it('takes a right answer that its student calls a guess, marked before hand-in or after, and lets go of it again', async () => {
    const { as, pack, ids, base, save } = await startScene(kit);
    await ok('POST /api/exam/save_question', save(0, 'A', 1), { as });
    await ok('POST /api/exam/save_question', save(1, 'B', 1), { as });
    const guess = (questionId: number, value?: number) =>
      ok('POST /app/exam/guess', { ...base, questionId, ...(value === undefined ? {} : { guess: value }) }, { as });
    expect(await guess(ids[0])).toEqual({ guess: 1 });
    const cache = await ok('GET /api/exam/cache', { recordId: base.recordId }, { as });
    expect(cache.answers.map(({ guess }) => guess)).toEqual([1, 0]);
    await ok('POST /api/exam/submit', base, { as });
    const { list } = await ok('GET /api/exam/error', { packId: pack.packId, guessed: 1 }, { as });
    expect(list).toMatchObject([{ guessed: 1, timesWrong: 0, question: { questionId: ids[0] } }]);
    await guess(ids[1], 1);
    expect(new Set(await listed(as, pack.packId))).toEqual(new Set([ids[0], ids[1]]));
    // Said once more it says nothing new: what was learned since stands.
    await ok('POST /app/v2/exam/save_review', { questionId: ids[1], answer: 'B' }, { as });
    await guess(ids[1], 1);
    expect((await ok('GET /api/exam/error', { packId: pack.packId }, { as })).list).toContainEqual(
      expect.objectContaining({ rightStreak: 1, question: expect.objectContaining({ questionId: ids[1] }) }),
    );
    await guess(ids[1], 0);
    await guess(ids[0], 0);
    expect(await listed(as, pack.packId)).toEqual([]);
    const review = await ok('GET /app/exam/review', { recordId: base.recordId }, { as });
    expect(review.questions.map(({ guess }) => guess)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('lets a question go after so many right answers in a row as the student says; a mistake brings it back', async () => {
    const student = await kit.user();
    const pack = await makePack(kit, { students: [student] });
    const ids = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
    const examId = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const { packId } = pack;
    const answer = (letter: string) => sit(student, examId, ids, { 0: letter });
    const counts = async () => {
      const { count, leftCount, leaveAfter } = await ok('GET /app/exam/error_index', { packId }, { as: student });
      return { count, leftCount, leaveAfter };
    };
    await answer('B');
    await answer('A');
    expect(await counts()).toEqual({ count: 1, leftCount: 0, leaveAfter: 2 });
    await answer('A');
    expect(await counts()).toEqual({ count: 0, leftCount: 1, leaveAfter: 2 });
    await ok('POST /app/exam/study_settings', { packId, leaveAfter: 1 }, { as: student });
    await answer('B');
    await answer('A');
    expect(await counts()).toEqual({ count: 0, leftCount: 1, leaveAfter: 1 });
    await ok('POST /app/exam/study_settings', { packId, leaveAfter: 0 }, { as: student });
    await answer('B');
    for (let times = 0; times < 4; times += 1) await answer('A');
    expect(await counts()).toEqual({ count: 1, leftCount: 0, leaveAfter: 0 });
    const { list } = await ok('GET /api/exam/error', { packId, timesWrong: 3 }, { as: student });
    expect(list).toMatchObject([{ timesWrong: 3, rightStreak: 4 }]);
    expect(await refused('POST /app/exam/study_settings', { packId, leaveAfter: 4 } as never, { as: student })).toBe(
      'badInput',
    );
  });

  it('is removed from by hand and restored to, its own entries alone', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    const { packId } = pack;
    const answers = ['B', 'A', 'C'].map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: 1 }));
    await ok('POST /api/exam/submit', { ...base, answers }, { as });
    const other = await classmate(kit, pack);
    expect(await refused('POST /api/exam/error_rm', { id: ids[0] }, { as: other })).toBe('notFound');
    expect(await refused('POST /api/exam/error_rm', {}, { as })).toBe('badInput');
    expect(await ok('POST /api/exam/error_rm', { id: ids[0] }, { as })).toEqual({ count: 1 });
    expect(await ok('POST /api/exam/error_rm', { ids: [ids[0], ids[1]] }, { as })).toEqual({ count: 2 });
    expect(await listed(as, packId)).toEqual([ids[2]]);
    expect(new Set(await listed(as, packId, { state: 'removed' }))).toEqual(new Set([ids[0], ids[1]]));
    expect(await ok('POST /app/exam/error_restore', { ids: [ids[0]] }, { as })).toEqual({ count: 1 });
    expect(new Set(await listed(as, packId))).toEqual(new Set([ids[0], ids[2]]));
    expect(await listed(other, packId)).toEqual([]);
    // Restored a second time (another window, an answer that was lost) it keeps the right answers it has.
    const streaks = async () =>
      (await ok('GET /api/exam/error', { packId }, { as })).list.map((row) => row.rightStreak);
    await ok('POST /app/v2/exam/save_review', { questionId: ids[0], answer: 'A' }, { as });
    expect((await streaks()).sort()).toEqual([0, 1]);
    await ok('POST /app/exam/error_restore', { ids: [ids[0]] }, { as });
    expect((await streaks()).sort()).toEqual([0, 1]);
    expect(await ok('GET /app/question/error_pack_list', {}, { as })).toMatchObject({
      list: [{ packId, count: 2, removedCount: 1, leftCount: 0 }],
      withheld: false,
    });
  });

  it('is narrowed by chapter, type, paper, times and age, and says what there is to narrow by', async () => {
    const { as, pack, ids, base, examId } = await startScene(kit);
    const { packId, chapterIds } = pack;
    const wrong = { 0: 'B', 1: 'A', 2: 'C', 4: 'B' };
    const answers = Object.entries(wrong).map(([at, answer]) => ({ questionId: ids[Number(at)] ?? 0, answer, seq: 1 }));
    await ok('POST /api/exam/submit', { ...base, answers }, { as });
    const past = await makeExam(kit, pack, { kind: 'past', questionIds: [ids[0]], name: '真题' });
    kit.time.now += HOUR;
    await sit(as, past, ids, { 0: 'B' });
    expect(await listed(as, packId, { order: 'timesWrong' })).toHaveLength(4);
    expect((await listed(as, packId, { order: 'timesWrong' }))[0]).toBe(ids[0]);
    expect(await listed(as, packId, { chapterId: chapterIds[3] })).toEqual([ids[4]]);
    expect(await listed(as, packId, { questionTypesId: 2 })).toEqual([ids[1]]);
    expect(await listed(as, packId, { questionTypesId: 0 })).toHaveLength(4);
    expect(await listed(as, packId, { examId: past })).toEqual([ids[0]]);
    expect(await listed(as, packId, { timesWrong: 2 })).toEqual([ids[0]]);
    expect(await listed(as, packId, { since: kit.time.now - 1000 })).toEqual([ids[0]]);
    expect(await listed(as, packId, { pageSize: 2, pageNum: 2 })).toHaveLength(2);
    expect(await refused('GET /api/exam/error', { packId, chapterId: 999_999 }, { as })).toBe('notFound');
    const choices = await ok('GET /api/exam/error_opt', { packId }, { as });
    expect(choices).toMatchObject({
      types: [
        { questionTypesId: 1, count: 1 },
        { questionTypesId: 2, count: 1 },
        { questionTypesId: 3, count: 1 },
        { questionTypesId: 5, count: 1 },
      ],
      timesWrong: [
        { timesWrong: 2, count: 1 },
        { timesWrong: 3, count: 0 },
      ],
      guessedCount: 0,
    });
    expect(choices.exams).toHaveLength(2);
    expect(choices.exams).toContainEqual({ examId, examName: expect.any(String), count: 3 });
    expect((await ok('GET /api/exam/error_type', { packId }, { as })).list).toEqual(choices.types);
    const chapter = await ok('GET /app/question/error_list', { packId, chapterId: chapterIds[0] }, { as });
    expect(chapter.total).toBe(3);
    const index = await ok('GET /app/exam/error_index', { packId }, { as });
    expect([index.count, index.courses[0]?.chapters.map(({ count }) => count)]).toEqual([4, [3, 1]]);
  });

  it('is left out while its questions are sat in a scored exam, with every count, and cannot be changed by trying', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    const { packId } = pack;
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: ids[0], answer: 'B', seq: 1 }] }, { as });
    kit.time.now += 1000;
    const exam = await makeExam(kit, pack, { kind: 'timed', questionIds: [ids[0]] });
    const { recordId } = await ok('GET /app/exam/test_start', { examId: exam }, { as });
    expect(await listed(as, packId)).toEqual([]);
    expect(await ok('GET /app/exam/error_index', { packId }, { as })).toMatchObject({ count: 0, withheld: true });
    expect(await ok('GET /app/question/error_pack_list', {}, { as })).toEqual({ list: [], withheld: true });
    expect(await refused('POST /api/exam/error_rm', { id: ids[0] }, { as })).toBe('notFound');
    expect(await refused('POST /app/v2/exam/save_review', { questionId: ids[0] }, { as })).toBe('keyHidden');
    expect(await refused('GET /app/exam/question_history', { questionId: ids[0] }, { as })).toBe('keyHidden');
    expect(await refused('POST /app/exam/own_paper', { packId, name: '错题', from: 'wrong' }, { as })).toBe(
      'noQuestions',
    );
    await ok('POST /api/exam/submit', { examId: exam, recordId }, { as });
    expect(await listed(as, packId)).toEqual([ids[0]]);
  });

  it('takes the outcome of a review: by letters, by what the student says, for what is in the list or collected', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: ids[2], answer: 'C', seq: 1 }] }, { as });
    const review = (input: object) =>
      ok('POST /app/v2/exam/save_review', { questionId: ids[2], ...input } as never, { as });
    expect(await review({ answer: 'ABD' })).toMatchObject({ state: 1, wrong: { state: 'in', rightStreak: 1 } });
    expect(await review({ answer: 'AB' })).toMatchObject({ state: 2, wrong: { timesWrong: 2, rightStreak: 0 } });
    expect(await review({})).toMatchObject({ state: 1, question: { rightAnswer: 'ABD' } });
    kit.time.now += DAY;
    expect(await review({})).toMatchObject({ wrong: { state: 'left' } });
    expect(await review({ judgeFlag: 2 })).toMatchObject({ state: 2, wrong: { state: 'in', timesWrong: 3 } });
    expect(await refused('POST /app/v2/exam/save_review', { questionId: ids[2], answer: 'XY' }, { as })).toBe(
      'answerMalformed',
    );
    expect(await refused('POST /app/v2/exam/save_review', { questionId: ids[0] }, { as })).toBe('notFound');
    await ok('POST /app/exam/collect', { questionId: ids[0], collect: 1 }, { as });
    const known = await ok('POST /app/v2/exam/save_review', { questionId: ids[0], answer: 'A' }, { as });
    expect(known).toMatchObject({ state: 1, wrong: null });
    expect(await listed(as, pack.packId)).toEqual([ids[2]]);
  });

  it('takes one review once, however often it is sent that day; another outcome, a mistake between and another day are others', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: ids[2], answer: 'C', seq: 1 }] }, { as });
    await ok('POST /app/exam/study_settings', { packId: pack.packId, leaveAfter: 0 }, { as });
    const review = async (input: object = {}) => {
      const { wrong } = await ok('POST /app/v2/exam/save_review', { questionId: ids[2], ...input } as never, { as });
      return [wrong?.timesWrong, wrong?.rightStreak];
    };
    expect(await Promise.all([review(), review(), review()])).toEqual(Array(3).fill([1, 1]));
    kit.time.now += HOUR;
    expect(await review({ answer: 'ABD' })).toEqual([1, 1]);
    expect([await review({ judgeFlag: 2 }), await review({ judgeFlag: 2 })]).toEqual([
      [2, 0],
      [2, 0],
    ]);
    expect(await review()).toEqual([2, 1]);
    // Wrong in a paper meanwhile.
    kit.time.now += HOUR;
    const { recordId } = await ok('GET /app/exam/test_start', { examId: base.examId }, { as });
    const answers = [{ questionId: ids[2], answer: 'C', seq: 1 }];
    await ok('POST /api/exam/submit', { examId: base.examId, recordId, answers }, { as });
    expect(await review()).toEqual([3, 1]);
    kit.time.now += DAY;
    expect(await review()).toEqual([3, 2]);
  });

  it('brings a question back by a second mistake of one day, after it was removed meanwhile; of two at once one counts', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: ids[1], answer: 'C', seq: 1 }] }, { as });
    const mistake = async () => {
      const { wrong } = await ok('POST /app/v2/exam/save_review', { questionId: ids[1], answer: 'C' }, { as });
      return [wrong?.state, wrong?.timesWrong];
    };
    kit.time.now += HOUR;
    expect(await mistake()).toEqual(['in', 2]);
    await ok('POST /api/exam/error_rm', { id: ids[1] }, { as });
    kit.time.now += HOUR;
    expect(await Promise.all([mistake(), mistake()])).toEqual(Array(2).fill(['in', 3]));
    expect(await listed(as, pack.packId)).toEqual([ids[1]]);
  });

  it('learns no mistake from an empty answer, nor where everybody gets the points', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    await ok('POST /api/exam/submit', base, { as });
    const review = async (input: object) => {
      const asked = { questionId: ids[1], ...input } as never;
      const { state, question, wrong } = await ok('POST /app/v2/exam/save_review', asked, { as });
      return [state, question.rightAnswer, wrong];
    };
    await ok('POST /app/exam/collect', { questionId: ids[1], collect: 1 }, { as });
    expect(await review({ answer: '' })).toEqual([0, 'B', null]);
    await kit.db.query.updateTable('questions').set({ grade_mode: 'all' }).where('id', '=', ids[1]).execute();
    for (const [input, state] of [
      [{ answer: 'A' }, 1],
      [{ answer: '' }, 0],
      [{ judgeFlag: 2 }, 0],
    ] as const)
      expect(await review(input)).toEqual([state, 'B', null]);
    expect(await listed(as, pack.packId)).toEqual([]);
  });

  it('is practised whole or in part, with its case material; only its student may start that practice', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    const { packId } = pack;
    const { id: caseId } = await kit.db.query
      .insertInto('cases')
      .values({ pack_id: packId, slug: 'case', title: '材料一', text: '<p>材料</p>' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await kit.db.query.updateTable('questions').set({ case_id: caseId }).where('id', '=', ids[1]).execute();
    const answers = ['B', 'A', 'C'].map((answer, at) => ({ questionId: ids[at] ?? 0, answer, seq: 1 }));
    await ok('POST /api/exam/submit', { ...base, answers }, { as });
    const make = (input: object) =>
      ok('POST /app/exam/own_paper', { packId, name: '错题练习', ...input } as never, { as });
    const { examId, totalQuestion } = await make({ questionIds: [ids[2], ids[1]] });
    expect(totalQuestion).toBe(2);
    expect((await make({ from: 'wrong', questionTypesId: 1 })).totalQuestion).toBe(1);
    expect((await make({ from: 'wrong', most: 2 })).totalQuestion).toBe(2);
    const started = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(started).toMatchObject({ kind: 'own', examMode: -1, examName: '错题练习', endsAt: null });
    const { recordId } = started;
    const details = await ok('GET /api/exam/details', { recordId }, { as });
    expect(details.questions.map(({ questionId }) => questionId)).toEqual([ids[2], ids[1]]);
    expect(details.cases).toEqual([{ id: caseId, title: '材料一', text: '<p>材料</p>' }]);
    await ok('POST /api/exam/save_question', { examId, recordId, questionId: ids[2], answer: 'ABD', seq: 1 }, { as });
    const shown = await ok('POST /app/exam/show_answer', { recordId, questionId: ids[2] }, { as });
    expect(shown).toMatchObject({ state: 1, question: { rightAnswer: 'ABD' } });
    await ok('POST /api/exam/submit', { examId, recordId }, { as });
    expect(await ok('GET /app/exam/review', { recordId }, { as })).toMatchObject({ kind: 'own', totalQuestion: 2 });
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({ score: 3, takerCount: 1 });
    const { list } = await ok('GET /api/exam/error', { packId }, { as });
    expect(list.find(({ question }) => question.questionId === ids[2])).toMatchObject({ rightStreak: 1 });

    const other = await classmate(kit, pack);
    expect(await refused('GET /app/exam/test_start', { examId }, { as: other })).toBe('notFound');
    expect(await refused('POST /app/exam/history', { examId }, { as: other })).toBe('notFound');
    const papers = await ok('GET /api/exam/exam_list', { packId }, { as });
    expect(papers.list.map(({ kind: which }) => which)).not.toContain('own');
    const elsewhere = await makePack(kit, {});
    const [foreign = 0] = await makeQuestions(kit, elsewhere, [{ type: 1, right: 'A' }]);
    const asked = { packId, name: '错题练习', questionIds: [foreign] };
    for (const questionIds of [[foreign], [ids[0], foreign], [ids[0], 999_999_999]])
      expect(await refused('POST /app/exam/own_paper', { ...asked, questionIds }, { as })).toBe('notOfPack');
    // What the school has taken out can be read, not practised.
    await kit.db.query.updateTable('questions').set({ archived: 1 }).where('id', '=', ids[0]).execute();
    expect(await make({ questionIds: [ids[0], ids[1]] })).toMatchObject({ totalQuestion: 1, leftOut: 1 });
    expect(await refused('POST /app/exam/own_paper', { ...asked, packId: elsewhere.packId }, { as })).toBe(
      'notEnrolled',
    );
  });

  it('of what was left open, marked or collected is narrowed by chapter and type; by what only mistakes have it is refused', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    const asked = { packId: pack.packId, name: '练习' };
    await ok('POST /api/exam/submit', { ...base, answers: [{ questionId: ids[0], answer: 'B', seq: 1 }] }, { as });
    for (const questionId of ids.slice(1, 4)) await ok('POST /api/exam/flag', { ...base, questionId, flag: 1 }, { as });
    for (const questionId of ids.slice(1, 3)) await ok('POST /app/exam/collect', { questionId, collect: 1 }, { as });
    const make = async (input: object) =>
      (await ok('POST /app/exam/own_paper', { ...asked, guessed: 0, ...input } as never, { as })).totalQuestion;
    expect(await make({ from: 'unanswered' })).toBe(5);
    expect(await make({ from: 'unanswered', questionTypesId: 3 })).toBe(1);
    expect(await make({ from: 'unanswered', chapterId: pack.chapterIds[3] })).toBe(2);
    expect(await make({ from: 'flagged', questionTypesId: 2 })).toBe(1);
    expect(await make({ from: 'collected', questionTypesId: 2 })).toBe(1);
    const odd = [{ state: 'in' }, { examId: base.examId }, { timesWrong: 2 }, { guessed: 1 }, { since: 1 }] as const;
    for (const from of ['unanswered', 'flagged', 'collected'] as const)
      for (const filter of odd)
        expect(await refused('POST /app/exam/own_paper', { ...asked, from, ...filter }, { as })).toBe('filterOfWrong');
    expect(await make({ from: 'wrong', state: 'in', timesWrong: 1 })).toBe(1);
  });

  it('keeps a collection with private notes, each student their own', async () => {
    const { as, pack, ids, base } = await startScene(kit);
    const { packId } = pack;
    const collect = (input: object) =>
      ok('POST /app/exam/collect', { questionId: ids[1], collect: 1, ...input } as never, { as });
    expect(await collect({})).toEqual({ collected: 1, note: '' });
    expect(await collect({ note: '记住乙' })).toEqual({ collected: 1, note: '记住乙' });
    expect(await collect({})).toEqual({ collected: 1, note: '记住乙' });
    // It stands in the open exam: shown without its key.
    const open = await ok('GET /app/exam/collection', { packId }, { as });
    expect(open).toMatchObject({ total: 1, withheld: true, list: [{ note: '记住乙', question: { rightAnswer: '' } }] });
    const { recordId } = base;
    expect(await ok('GET /app/exam/collected', { recordId }, { as })).toEqual({
      list: [{ questionId: ids[1], note: '记住乙' }],
    });
    const other = await classmate(kit, pack);
    expect(await refused('GET /app/exam/collected', { recordId }, { as: other })).toBe('notFound');
    expect(await ok('GET /app/exam/collection', { packId }, { as: other })).toMatchObject({ total: 0 });
    await ok('POST /app/exam/collect', { questionId: ids[1], collect: 1 }, { as: other });
    const theirs = await ok('GET /app/exam/collection', { packId }, { as: other });
    // Who has not begun the paper it stands in reads no key of it.
    expect(theirs.list).toMatchObject([{ note: '', question: { rightAnswer: '', showAnswerFlag: 0 } }]);
    expect(await collect({ collect: 0 })).toEqual({ collected: 0, note: '' });
    expect(await ok('GET /app/exam/collected', { recordId }, { as })).toEqual({ list: [] });
    expect(await ok('GET /app/exam/collection', { packId }, { as })).toMatchObject({ total: 0 });
    expect(await ok('GET /app/exam/collection', { packId }, { as: other })).toMatchObject({ total: 1 });
    const stranger = await kit.user();
    expect(await refused('POST /app/exam/collect', { questionId: ids[1], collect: 1 }, { as: stranger })).toBe(
      'notEnrolled',
    );
    await enrol(kit, stranger, packId);
    expect(await refused('POST /app/exam/collect', { questionId: 999_999, collect: 1 }, { as: stranger })).toBe(
      'notFound',
    );
  });
});
