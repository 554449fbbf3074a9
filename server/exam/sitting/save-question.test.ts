import { afterAll, describe, expect, it } from 'vitest';
import { refusals } from '#contract/envelope.ts';
import { highestSeq } from '#rules/exam/attempt.ts';
import { packAccess } from '#server/course/access.ts';
import { enrolmentStore } from '#server/course/enrolment-store.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { createSession } from '#server/user/session.ts';
import { examParts } from '../parts.ts';
import { classmate, HOUR, SWEEP, startScene, storedAnswers } from '../scene.test-kit.ts';
import { answerSaver } from './save-question.ts';

describe.each(databases)('saving answers on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  const SAVE = 'POST /api/exam/save_question';
  /** What a second process has: its own caches on the same database. */
  const parts = () => {
    const enrolments = enrolmentStore(kit.db);
    return examParts(kit.parts, enrolments, packAccess(kit.db, enrolments));
  };

  it('the highest number of a question wins, whatever comes late (incidents: bytedeck PR 2605, Artemis #1627)', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    expect(await ok(SAVE, save(1, 'A', 5), { as })).toMatchObject({ seq: 5, stale: false });
    expect(await ok(SAVE, save(1, 'C', 4), { as })).toMatchObject({ seq: 5, stale: true });
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'A', seq: 5 });
    expect(await ok(SAVE, save(1, 'B', 6), { as })).toMatchObject({ seq: 6, stale: false });
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'B', seq: 6 });
  });

  it('the same number with another answer is refused by name, and nothing changes', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    await ok(SAVE, save(1, 'A', 5), { as });
    const refusal = await kit.call(SAVE, save(1, 'C', 5), { as });
    expect(refusal).toMatchObject({ code: 409, data: { why: 'seqTaken', field: 'seq' } });
    // Also of two that arrive in one moment: one is stored, the other is told that it is not.
    const both = await Promise.all(['A', 'B'].map((answer) => kit.call(SAVE, save(2, answer, 7), { as })));
    expect(both.map(({ code }) => code).sort()).toEqual([200, 409]);
    const kept = both[0]?.code === 200 ? 'A' : 'B';
    const stored = await storedAnswers(kit, recordId);
    expect([stored.get(ids[1]), stored.get(ids[2])]).toEqual([
      { answer: 'A', seq: 5 },
      { answer: kept, seq: 7 },
    ]);
  });

  it('repeating is harmless', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    for (const _ of [1, 2, 3]) expect(await ok(SAVE, save(1, 'A', 5), { as })).toMatchObject({ seq: 5, stale: false });
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'A', seq: 5 });
  });

  it('many saves of one question in one moment keep the highest, and every caller learns what is kept', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    const order = [3, 9, 1, 7, 10, 2, 8, 5, 4, 6];
    const replies = await Promise.all(order.map((seq) => ok(SAVE, save(1, 'ABCD'[seq % 4] ?? 'A', seq), { as })));
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'C', seq: 10 });
    for (const [at, reply] of replies.entries()) {
      expect(reply.seq).toBeGreaterThanOrEqual(order[at] ?? 0);
      expect(reply.stale).toBe(reply.seq !== order[at]);
    }
  });

  it('decides by what is stored once it holds the record, not by what was stored when it asked for it', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    let late: Promise<unknown> = Promise.resolve();
    await kit.db.transaction(async (trx) => {
      await parts().records.lock(trx, [recordId]);
      late = refused(SAVE, save(1, 'B', 9), { as });
      // On PostgreSQL the save waits for the record by now; SQLite lets one transaction begin after the other.
      await new Promise((wake) => setTimeout(wake, 100));
      const place = { record_id: recordId, question_id: ids[1] ?? 0 };
      await trx
        .insertInto('exam_answers')
        .values({ ...place, answer: 'A', seq: 3, saved_at: START, shown_at: START })
        .execute();
    });
    expect(await late).toBe('answerShown');
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'A', seq: 3 });
  });

  it('saves of many students in one moment all arrive, each at its own record', async () => {
    const { pack, examId, ids } = await startScene(kit);
    const students = await Promise.all(Array.from({ length: 10 }, () => classmate(kit, pack)));
    const sat = await Promise.all(
      students.map(async (as) => ({ as, ...(await ok('GET /app/exam/test_start', { examId }, { as })) })),
    );
    await Promise.all(
      sat.flatMap(({ as, recordId }, student) =>
        [0, 1, 2, 4].map((at) =>
          ok(
            SAVE,
            { examId, recordId, questionId: ids[at] ?? 0, answer: 'AB'[(student + at) % 2] ?? '', seq: at + 1 },
            { as },
          ),
        ),
      ),
    );
    for (const [student, { recordId }] of sat.entries()) {
      const stored = await storedAnswers(kit, recordId);
      expect([0, 1, 2, 4].map((at) => stored.get(ids[at] ?? 0)?.answer)).toEqual(
        [0, 1, 2, 4].map((at) => 'AB'[(student + at) % 2]),
      );
    }
  });

  it('a client that sends no number: its last save wins', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    await ok(SAVE, save(1, 'A'), { as });
    await ok(SAVE, save(1, 'C'), { as });
    expect((await storedAnswers(kit, recordId)).get(ids[1])?.answer).toBe('C');
  });

  it('an absurd number is refused, also inside a hand-in, so that it shuts out no later save', async () => {
    const { as, base, save, recordId, ids } = await startScene(kit);
    const absurd = save(0, 'A', Number.MAX_SAFE_INTEGER);
    expect(await kit.call(SAVE, absurd, { as })).toMatchObject({ code: 400, data: { why: 'badInput', field: 'seq' } });
    const answers = [{ questionId: ids[0], answer: 'A', seq: Number.MAX_SAFE_INTEGER }];
    expect(await kit.call('POST /api/exam/submit', { ...base, answers }, { as })).toMatchObject({
      code: 400,
      data: { why: 'badInput', field: 'answers.0.seq' },
    });
    // The highest that is taken leaves room for a window that counts on from it a moment later.
    const highest = highestSeq(kit.time.now);
    await ok(SAVE, save(0, 'A', highest), { as });
    kit.time.now += 1;
    expect(await ok(SAVE, save(0, 'B', highest + 1), { as })).toMatchObject({ stale: false });
    expect((await storedAnswers(kit, recordId)).get(ids[0])?.answer).toBe('B');
  });

  it('clearing is an answer of its own (清除作答)', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    await ok(SAVE, save(2, 'AB', 1), { as });
    await ok(SAVE, save(2, '', 2), { as });
    expect((await storedAnswers(kit, recordId)).get(ids[2])).toEqual({ answer: '', seq: 2 });
  });

  it.each([
    ['two letters for a judge question', 0, 'AB'],
    ['a letter that is not offered', 1, 'E'],
    ['a word', 2, '对'],
    ['many letters', 4, 'A'.repeat(1000)],
  ])('refuses %s', async (_, at, answer) => {
    const { as, save } = await startScene(kit);
    expect(await refused(SAVE, save(at, answer, 1), { as })).toBe('answerMalformed');
  });

  it('keeps text as it was written, whatever it holds', async () => {
    const { as, save, ids, recordId } = await startScene(kit);
    const text = ` <b>粗</b> 😀 "'; drop table users; --\n${'长'.repeat(5000)}\u0000 `;
    await ok(SAVE, save(3, text, 1), { as });
    expect((await storedAnswers(kit, recordId)).get(ids[3])?.answer).toBe(text.replace('\u0000', ''));
    const snapshot = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(snapshot.answers[0]?.answer).toBe(text.replace('\u0000', ''));
  });

  it('who one is, is never read from what one sends (incidents: spurti PR 194)', async () => {
    const { as, save, pack, recordId } = await startScene(kit);
    const other = await classmate(kit, pack);
    const asOwner = { userId: as.userId, user_id: as.userId, studentId: as.userId, role: 'teacher' };
    expect(await refused(SAVE, { ...save(0, 'A', 1), ...asOwner } as never, { as: other })).toBe('notFound');
    expect(await refused('GET /api/exam/cache', { recordId, ...asOwner } as never, { as: other })).toBe('notFound');
    expect(await refused('POST /api/exam/submit', { ...save(0, 'A'), ...asOwner } as never, { as: other })).toBe(
      'notFound',
    );
    expect(await storedAnswers(kit, recordId)).toEqual(new Map());
  });

  it('another student’s record, another exam, another question are not found (incidents: chamilo-lms #7671)', async () => {
    const { as, save, pack, recordId } = await startScene(kit);
    const other = await classmate(kit, pack);
    const foreign = await startScene(kit);
    expect(await refused(SAVE, save(0, 'A', 1), { as: other })).toBe('notFound');
    expect(await refused(SAVE, { ...save(0, 'A', 1), examId: foreign.examId }, { as })).toBe('notFound');
    expect(await refused(SAVE, { ...save(0, 'A', 1), questionId: foreign.ids[0] }, { as })).toBe('questionGone');
    expect(await refused(SAVE, { ...save(0, 'A', 1), recordId: 987_654 }, { as })).toBe('notFound');
    expect(await storedAnswers(kit, recordId)).toEqual(new Map());
    expect(await refused('POST /api/exam/flag', { ...foreign.base, questionId: foreign.ids[0] }, { as })).toBe(
      'notFound',
    );
    for (const name of [
      'GET /api/exam/details',
      'GET /api/exam/cache',
      'GET /app/exam/review',
      'GET /app/exam/recite',
    ] as const) {
      expect(await refused(name, { recordId }, { as: other })).toBe('notFound');
    }
    expect(await refused('GET /app/exam/result_tip', { recordId }, { as: other })).toBe('notFound');
    expect(await refused('POST /api/exam/submit', save(0, 'A'), { as: other })).toBe('notFound');
    expect(await refused('POST /app/exam/take_over', { recordId, windowId: 'window-0009' }, { as: other })).toBe(
      'notFound',
    );
  });

  it('one bad save in a group fails alone', async () => {
    const { as, save } = await startScene(kit);
    const replies = await Promise.all([
      kit.call(SAVE, save(0, 'A', 1), { as }),
      kit.call(SAVE, save(1, 'X', 2), { as }),
      kit.call(SAVE, { ...save(1, 'A', 3), recordId: 987_654 }, { as }),
      kit.call(SAVE, save(2, 'AB', 4), { as }),
    ]);
    expect(replies.map((reply) => reply.code)).toEqual([200, 422, 404, 200]);
  });

  it('more saves than may wait are told to come again, and room comes back', async () => {
    const { as, save, recordId } = await startScene(kit);
    const saver = answerSaver(parts(), 3);
    const mine = (at: number, seq: number) => saver({ ...save(at, 'A', seq), userId: as.userId, arrivedAt: START });
    const replies = await Promise.allSettled([mine(0, 1), mine(1, 2), mine(2, 3), mine(4, 4), mine(4, 5)]);
    const done = { value: { ok: true } };
    const busy = { reason: { trouble: 'crowd' } };
    expect(replies).toMatchObject([done, done, done, busy, busy]);
    expect(await mine(4, 6)).toMatchObject({ ok: true });
    expect([...(await storedAnswers(kit, recordId)).values()].map((answer) => answer.seq)).toEqual([1, 2, 3, 6]);
    expect(refusals.busy).toEqual({ code: 503, msg: '服务器正忙，请稍后重试' });
  });

  describe('time', () => {
    it('the server’s arrival time decides: the end and 10 s of grace, to the millisecond', async () => {
      const { as, save, ids, recordId } = await startScene(kit);
      kit.time.now = START + HOUR + 10_000;
      await ok(SAVE, save(0, 'A', 1), { as });
      kit.time.now += 1;
      expect(await refused(SAVE, save(0, 'B', 2), { as })).toBe('tooLate');
      expect((await storedAnswers(kit, recordId)).get(ids[0])).toEqual({ answer: 'A', seq: 1 });
    });

    it('what comes too late is kept as evidence, the newest of each question, and never graded', async () => {
      const { as, save, ids, recordId, base } = await startScene(kit);
      await ok(SAVE, save(0, 'B', 1), { as });
      kit.time.now = START + HOUR + 11_000;
      await Promise.all([3, 5, 4].map((seq) => refused(SAVE, save(0, 'A', seq), { as })));
      expect(await refused(SAVE, save(0, 'B', 2), { as })).toBe('tooLate');
      await ok('POST /api/exam/submit', base, { as });
      expect(await refused(SAVE, save(1, 'B', 6), { as })).toBe('tooLate');
      const evidence = await kit.db.query
        .selectFrom('late_saves')
        .selectAll()
        .where('record_id', '=', recordId)
        .orderBy('question_id')
        .execute();
      expect(evidence.map((row) => [row.question_id, row.answer, row.seq, row.arrived_at])).toEqual([
        [ids[0], 'A', 5, kit.time.now],
        [ids[1], 'B', 6, kit.time.now],
      ]);
      expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({ rightCount: 0, score: 0 });
    });

    it('a save that arrived in time counts even if its group is written after the grace', async () => {
      const { as, save, ids, recordId } = await startScene(kit);
      const saver = answerSaver(parts());
      kit.time.now = START + HOUR + 60_000;
      const early = saver({ ...save(0, 'A', 1), userId: as.userId, arrivedAt: START + HOUR + 9_999 });
      const late = saver({ ...save(1, 'A', 2), userId: as.userId, arrivedAt: START + HOUR + 10_001 });
      expect(await early).toMatchObject({ ok: true, savedAt: START + HOUR + 9_999 });
      expect(await late).toEqual({ ok: false, why: 'tooLate' });
      expect([...(await storedAnswers(kit, recordId)).keys()]).toEqual([ids[0]]);
    });

    it('a save of the grace outlasts a start of the same exam at another process', async () => {
      const { as, save, ids, recordId, examId } = await startScene(kit);
      const saver = answerSaver(parts());
      kit.time.now = START + HOUR + 10_001;
      await ok('GET /app/exam/test_start', { examId, windowId: 'window-0001' }, { as });
      const saved = await saver({ ...save(0, 'A', 1), userId: as.userId, arrivedAt: START + HOUR + 9_999 });
      expect(saved).toMatchObject({ ok: true });
      expect((await storedAnswers(kit, recordId)).get(ids[0])).toEqual({ answer: 'A', seq: 1 });
    });

    it('a save of the grace that the closing overtook is evidence, and told to be too late; what is kept is not', async () => {
      const { as, save, ids, recordId } = await startScene(kit);
      await ok(SAVE, save(1, 'B', 1), { as });
      kit.time.now = START + HOUR + 12_001;
      await kit.chore(SWEEP);
      const saver = answerSaver(parts());
      const arrived = { userId: as.userId, arrivedAt: START + HOUR + 9_000 };
      expect(await saver({ ...save(0, 'A', 2), ...arrived })).toEqual({ ok: false, why: 'tooLate' });
      expect(await saver({ ...save(1, 'B', 1), ...arrived })).toMatchObject({ ok: true, seq: 1 });
      const evidence = await kit.db.query
        .selectFrom('late_saves')
        .selectAll()
        .where('record_id', '=', recordId)
        .execute();
      expect(evidence).toMatchObject([{ question_id: ids[0], answer: 'A', seq: 2, arrived_at: arrived.arrivedAt }]);
      expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({ rightCount: 1 });
    });

    it('practice has no end', async () => {
      const { as, save } = await startScene(kit, { kind: 'chapter' });
      kit.time.now = START + 400 * 24 * HOUR;
      const { token } = await createSession(kit.db.query, kit.parts.random, as.userId, kit.time.now);
      await ok(SAVE, save(0, 'A', 1), { as: { ...as, token } });
    });
  });
});
