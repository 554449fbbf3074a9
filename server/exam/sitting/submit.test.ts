import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { HOUR, SWEEP, startScene, storedAnswers } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('handing in on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  const recordRow = (recordId: number) =>
    kit.db.query.selectFrom('exam_records').selectAll().where('id', '=', recordId).executeTakeFirstOrThrow();

  it('the last unsaved answers travel inside', async () => {
    const { as, base, save, ids, recordId } = await startScene(kit);
    await ok(SAVE, save(0, 'B', 1), { as });
    const answers = [
      { questionId: ids[0], answer: 'A', seq: 2 },
      { questionId: ids[1], answer: 'B', seq: 3 },
      { questionId: ids[1], answer: 'C', seq: 1 },
    ];
    expect(await ok(SUBMIT, { ...base, answers }, { as })).toMatchObject({ rightCount: 2, score: 4, late: [] });
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'B', seq: 3 });
  });

  it('an older enclosed answer does not overwrite a newer saved one', async () => {
    const { as, base, save, ids } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 5), { as });
    const answers = [{ questionId: ids[0], answer: 'B', seq: 4 }];
    expect(await ok(SUBMIT, { ...base, answers }, { as })).toMatchObject({ rightCount: 1 });
  });

  it('a repeated hand-in returns the same result, and grades once', async () => {
    const { as, base, save, ids } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    const first = await ok(SUBMIT, base, { as });
    kit.time.now += 5_000;
    const answers = [{ questionId: ids[1], answer: 'B', seq: 9 }];
    expect(await ok(SUBMIT, { ...base, answers, windowId: 'window-0002' }, { as })).toEqual(first);
    const stats = await kit.db.query
      .selectFrom('question_accuracy')
      .selectAll()
      .where('question_id', '=', ids[0])
      .execute();
    expect(stats).toEqual([{ question_id: ids[0], key_version: 1, taken: 1, right_count: 1, only_taker: as.userId }]);
  });

  it('of two hand-ins in one moment one counts, with its own answers alone', async () => {
    const { as, base, ids, recordId } = await startScene(kit);
    const enclosing = (questionId: number | undefined) =>
      ok(SUBMIT, { ...base, answers: [{ questionId: questionId ?? 0, answer: 'B', seq: 2 }] }, { as });
    const [one, other] = await Promise.all([enclosing(ids[0]), enclosing(ids[1])]);
    expect(other).toEqual(one);
    expect((await storedAnswers(kit, recordId)).size).toBe(1);
  });

  it('ten hand-ins in one moment, in two processes, are one', async () => {
    const { as, base, save, ids } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    const other = await kit.sibling();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? kit : other).ok(SUBMIT, base, { as })),
    );
    await other.close();
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    const stats = await kit.db.query
      .selectFrom('question_accuracy')
      .selectAll()
      .where('question_id', '=', ids[0])
      .execute();
    expect(stats).toEqual([{ question_id: ids[0], key_version: 1, taken: 1, right_count: 1, only_taker: as.userId }]);
  });

  it('racing with saves: each save is either graded or refused, never acknowledged and lost (Coursemology2 #2046)', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { as, base, save, ids, recordId } = await startScene(kit);
      const order = [0, 1, 2, 4];
      const sent = order.map((at) => kit.call(SAVE, save(at, 'A', at + 1), { as }));
      void sent.splice(round % 5, 0, kit.call(SUBMIT, base, { as }) as never);
      const replies = await Promise.all(sent);
      const saves = replies.filter((_, at) => at !== round % 5);
      const review = await ok('GET /app/exam/review', { recordId }, { as });
      for (const [index, reply] of saves.entries()) {
        const reviewed = review.questions.find((question) => question.questionId === ids[order[index] ?? 0]);
        expect([reply.code, reviewed?.answer]).toEqual(reply.code === 200 ? [200, 'A'] : [409, '']);
        expect(reviewed?.state === 0).toBe(reply.code !== 200);
      }
    }
  });

  it('enclosed answers follow the deadline: in the grace they count, later they are evidence', async () => {
    const inTime = await startScene(kit);
    kit.time.now = START + HOUR + 10_000;
    const answers = [{ questionId: inTime.ids[0], answer: 'A', seq: 1 }];
    expect(await ok(SUBMIT, { ...inTime.base, answers }, { as: inTime.as })).toMatchObject({
      closed: 'timeUp',
      rightCount: 1,
      usedTime: 3600,
      late: [],
    });
    const tooLate = await startScene(kit);
    await ok(SAVE, tooLate.save(1, 'B', 1), { as: tooLate.as });
    kit.time.now = START + HOUR + 10_001;
    const late = [{ questionId: tooLate.ids[0], answer: 'A', seq: 2 }];
    const result = await ok(SUBMIT, { ...tooLate.base, answers: late }, { as: tooLate.as });
    expect(result).toMatchObject({ closed: 'timeUp', rightCount: 1, unansweredCount: 5, late: [tooLate.ids[0]] });
    expect(result.submittedAt).toBe(START + HOUR);
    const evidence = await kit.db.query
      .selectFrom('late_saves')
      .selectAll()
      .where('record_id', '=', tooLate.recordId)
      .execute();
    expect(evidence).toMatchObject([{ question_id: tooLate.ids[0], answer: 'A', seq: 2 }]);
  });

  it('answers enclosed after the server closed the record are named as late and kept as evidence', async () => {
    const { as, base, save, ids, recordId } = await startScene(kit);
    await ok(SAVE, save(1, 'B', 1), { as });
    kit.time.now = START + HOUR + 12_001;
    await kit.chore(SWEEP);
    const answers = [
      { questionId: ids[0], answer: 'A', seq: 2 },
      { questionId: ids[1], answer: 'B', seq: 1 },
    ];
    expect(await ok(SUBMIT, { ...base, answers }, { as })).toMatchObject({
      closed: 'timeUp',
      rightCount: 1,
      late: [ids[0]],
    });
    const evidence = await kit.db.query
      .selectFrom('late_saves')
      .selectAll()
      .where('record_id', '=', recordId)
      .execute();
    expect(evidence).toMatchObject([{ question_id: ids[0], answer: 'A' }]);
  });

  it('an empty paper: handed in before the end it is submitted, at the end 未作答', async () => {
    const before = await startScene(kit);
    expect(await ok(SUBMIT, before.base, { as: before.as })).toMatchObject({
      closed: 'submitted',
      unansweredCount: 6,
      score: 0,
    });
    const after = await startScene(kit);
    kit.time.now = START + HOUR + 500;
    expect(await ok(SUBMIT, after.base, { as: after.as })).toMatchObject({ closed: 'unanswered' });
    expect(await ok('GET /app/exam/result_tip', after.base, { as: after.as })).toMatchObject({
      rank: null,
      takerCount: 0,
    });
  });

  it('refuses what cannot be an answer, naming it, and changes nothing', async () => {
    const { as, base, ids, recordId } = await startScene(kit);
    const answers = [
      { questionId: ids[0], answer: 'A', seq: 1 },
      { questionId: ids[1], answer: '甲', seq: 2 },
    ];
    const reply = await kit.call(SUBMIT, { ...base, answers }, { as });
    expect(reply).toMatchObject({ code: 422, data: { why: 'answerMalformed', field: 'answers.1', at: 1 } });
    expect((await recordRow(recordId)).submitted_at).toBeNull();
    expect(await storedAnswers(kit, recordId)).toEqual(new Map());
  });

  it('names an answer whose number is stored with another one, and is not closed without it', async () => {
    const { as, base, ids, recordId, save } = await startScene(kit);
    await ok('POST /api/exam/save_question', save(0, 'A', 5), { as });
    const answers = [
      { questionId: ids[1], answer: 'B', seq: 6 },
      { questionId: ids[0], answer: 'B', seq: 5 },
    ];
    const reply = await kit.call(SUBMIT, { ...base, answers }, { as });
    expect(reply).toMatchObject({ code: 409, data: { why: 'seqTaken', field: 'answers.1.seq', at: 1 } });
    expect((await recordRow(recordId)).submitted_at).toBeNull();
    expect([...(await storedAnswers(kit, recordId)).keys()]).toEqual([ids[0]]);
  });

  it('is not kept from closing by an answer to a question that is not in its paper', async () => {
    const { ids: others } = await startScene(kit);
    const { as, base, ids, recordId } = await startScene(kit);
    const [gone, there] = [
      { questionId: others[1], answer: 'C', seq: 1 },
      { questionId: ids[0], answer: 'A', seq: 2 },
    ];
    expect(await kit.refused('POST /api/exam/save_question', { ...base, ...gone }, { as })).toBe('questionGone');
    const far = [gone, { ...there, seq: Number.MAX_SAFE_INTEGER }];
    expect(await kit.call(SUBMIT, { ...base, answers: far }, { as })).toMatchObject({
      data: { field: 'answers.1.seq', at: 1 },
    });
    expect(await ok(SUBMIT, { ...base, answers: [gone, there] }, { as })).toMatchObject({ rightCount: 1 });
    expect([...(await storedAnswers(kit, recordId)).keys()]).toEqual([ids[0]]);
  });

  it('of answers that were given under another version of the paper takes none, and says why', async () => {
    const { as, base, ids, recordId } = await startScene(kit);
    const answers = [{ questionId: ids[0], answer: 'A', seq: 1 }];
    const { msg, ...refused } = await kit.call(SUBMIT, { ...base, paperVersion: 2, answers }, { as });
    expect(refused).toEqual({ status: 409, code: 409, data: { why: 'paperChanged', field: 'paperVersion' } });
    expect(msg).toContain('另一版试卷');
    expect((await recordRow(recordId)).submitted_at).toBeNull();
    const save = { ...base, questionId: ids[0], answer: 'A', seq: 1 };
    expect(await kit.refused('POST /api/exam/save_question', { ...save, paperVersion: 2 }, { as })).toBe(
      'paperChanged',
    );
    expect(await storedAnswers(kit, recordId)).toEqual(new Map());
    expect(await ok('POST /api/exam/save_question', { ...save, paperVersion: 1 }, { as })).toMatchObject({ seq: 1 });
    // Nobody is kept from handing in when nothing is inside.
    expect(await ok(SUBMIT, { ...base, paperVersion: 2 }, { as })).toMatchObject({ rightCount: 1 });
  });

  it('begins anew after hand-in', async () => {
    const { as, base, examId, recordId } = await startScene(kit);
    await ok(SUBMIT, base, { as });
    const next = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(next.resumed).toBe(false);
    expect(next.recordId).not.toBe(recordId);
  });
});
