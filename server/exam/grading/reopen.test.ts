import { afterAll, describe, expect, it } from 'vitest';
import { type CommandContext, WrongUsage } from '#server/command.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { examCommands } from '../exam-command.ts';
import { classmate, HOUR, type Scene, SWEEP, startScene } from '../scene.test-kit.ts';
import { recordReopener } from './reopen.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const SCORE = 'POST /app/exam/subjective_submit';
const TIP = 'GET /app/exam/result_tip';
const CACHE = 'GET /api/exam/cache';
const MINUTE = 60_000;
const OVER = START + HOUR + 12_001;

describe.each(databases)('opening a closed record again on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  const reopenRecord = recordReopener(kit.db);
  const reopen = (recordId: number, minutes: number | null = 30, reason = '时钟错误') =>
    kit.db.transaction((trx) => reopenRecord(trx, { recordId, minutes, reason, doneBy: 'school', now: kit.time.now }));

  const said: string[] = [];
  const run = (name: string, ...args: string[]) => {
    const command = examCommands.find((known) => known.name === name);
    if (!command) throw new Error(`no such command: ${name}`);
    const context: CommandContext = {
      openDb: async () => kit.db,
      files: kit.parts.files,
      say: (line) => void said.push(line),
      progress: { show: () => {}, end: () => {} },
      signal: new AbortController().signal,
    };
    return command.run(args, context);
  };

  it('tells its student, each time it is opened, and where to go on', async () => {
    const { as, base } = await startScene(kit);
    const told = async () =>
      (await ok('GET /app/common/notice', { pageNum: 1, pageSize: 20 }, { as })).list
        .filter(({ kind: what }) => what === 'recordReopened')
        .map(({ recordId, words }) => [recordId, words.reason]);
    await ok('POST /api/exam/submit', base, { as });
    expect(await reopen(base.recordId, 30, ' ')).toMatchObject({ ok: false });
    expect(await told()).toEqual([]);
    await reopen(base.recordId);
    expect(await told()).toEqual([[base.recordId, '时钟错误']]);
    kit.time.now += 1000;
    await ok('POST /api/exam/submit', base, { as });
    await reopen(base.recordId, 30, '又误交');
    expect(await told()).toEqual([
      [base.recordId, '又误交'],
      [base.recordId, '时钟错误'],
    ]);
  });

  /** All that grading adds up for this exam and its students; what is back at nothing is as if it had never been. */
  async function statistics({ ids, examId }: Scene, students: TestUser[]) {
    const { query } = kit.db;
    const questions = await query.selectFrom('question_accuracy').selectAll().where('question_id', 'in', ids).execute();
    const points = await query.selectFrom('exam_question_stats').selectAll().where('exam_id', '=', examId).execute();
    const userIds = students.map(({ userId }) => userId);
    const progress = await query.selectFrom('chapter_progress').selectAll().where('user_id', 'in', userIds).execute();
    const lines = [
      ...questions.map((row) => ['question', row.question_id, row.taken, row.right_count]),
      ...points.map((row) => ['points', row.question_id, row.earned, row.total]),
      ...progress.map((row) => [`progress ${row.user_id}`, row.chapter_id, row.graded, row.right_count]),
    ];
    return lines
      .filter((line) => line.slice(2).some((count) => count !== 0))
      .map(String)
      .sort();
  }

  /** Right · wrong · partly · text · nothing yet · nothing. */
  async function answerSome(as: TestUser, base: Scene['base'], ids: Scene['ids']) {
    for (const [at, answer] of ['A', 'C', 'AB', '文'].entries())
      await ok(SAVE, { ...base, questionId: ids[at] ?? 0, answer, seq: at + 1 }, { as });
  }

  it('undoes what closing wrote: with the answers, handed in again, everything is as if it had never been closed', async () => {
    const scene = await startScene(kit);
    const { as, base, ids, recordId, pack, examId, save } = scene;
    const other = await classmate(kit, pack);
    const theirs = await ok('GET /app/exam/test_start', { examId, windowId: base.windowId }, { as: other });
    const others = { examId, recordId: theirs.recordId, windowId: base.windowId };
    await answerSome(other, others, ids);
    await ok(SAVE, { ...others, questionId: ids[4], answer: 'AC', seq: 5 }, { as: other });
    await ok(SUBMIT, others, { as: other });
    await answerSome(as, base, ids);
    const before = await statistics(scene, [as, other]);

    kit.time.now = OVER;
    await kit.chore(SWEEP);
    expect(await refused(SAVE, save(4, 'AC', 5), { as })).toBe('tooLate');
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 5 }, { as });
    expect(await statistics(scene, [as, other])).not.toEqual(before);

    expect(await reopen(recordId)).toEqual({ ok: true, endsAt: OVER + 30 * MINUTE, answers: 5, late: 1 });
    expect(await statistics(scene, [as, other])).toEqual(before);
    expect(await refused(TIP, { recordId }, { as })).toBe('notSubmitted');
    expect(await ok(TIP, { recordId: others.recordId }, { as: other })).toMatchObject({ takerCount: 1, rank: 1 });
    const snapshot = await ok(CACHE, { recordId, windowId: base.windowId }, { as });
    expect(snapshot).toMatchObject({ examType: 1, remaining: 30 * MINUTE, ownsWindow: true, submittedAt: null });
    expect(snapshot.answers.map(({ answer, state }) => [answer, state])).toEqual(
      ['A', 'C', 'AB', '文', 'AC'].map((answer) => [answer, 0]),
    );
    expect(await ok('GET /app/exam/test_start', { examId, windowId: base.windowId }, { as })).toMatchObject({
      recordId,
      resumed: true,
    });
    const result = await ok(SUBMIT, base, { as });
    const { recordId: _, submittedAt: __, usedTime: ___, ...mine } = result;
    expect(mine).toMatchObject({ closed: 'submitted', score: 5.5, rightCount: 2, wrongCount: 2, pendingCount: 1 });
    expect(await ok(SUBMIT, others, { as: other })).toMatchObject(mine);
    // Both did the same, so everything is there twice.
    const twice = (await statistics(scene, [as, other])).filter((line) => line.startsWith('question'));
    const once = before.filter((line) => line.startsWith('question'));
    expect(twice).toEqual(
      once.map((line) => {
        const [what, id, taken, right] = line.split(',');
        return [what, id, Number(taken) * 2, Number(right) * 2].join(',');
      }),
    );
    const kept = await kit.db.query
      .selectFrom('record_reopenings')
      .selectAll()
      .where('record_id', '=', recordId)
      .executeTakeFirstOrThrow();
    expect(kept).toMatchObject({
      reopened_at: OVER,
      done_by: 'school',
      reason: '时钟错误',
      closed: 'timeUp',
      submitted_at: START + HOUR,
      ended_at: START + HOUR,
      ends_at: OVER + 30 * MINUTE,
      score: 8.5,
    });
    expect(kept.graded).toContain(String(ids[0]));
  });

  it('an unanswered one, and a practice with a shown key, leave the statistics as they were', async () => {
    const empty = await startScene(kit);
    kit.time.now = OVER;
    await kit.chore(SWEEP);
    expect(await reopen(empty.recordId)).toMatchObject({ ok: true, answers: 0 });
    expect(await statistics(empty, [empty.as])).toEqual([]);

    const practice = await startScene(kit, { kind: 'chapter' });
    const { as, base, ids, recordId } = practice;
    await answerSome(as, base, ids);
    await ok('POST /app/exam/show_answer', { ...base, questionId: ids[0] }, { as });
    const before = await statistics(practice, [as]);
    expect(before).not.toEqual([]);
    await ok(SUBMIT, base, { as });
    expect(await reopen(recordId, null)).toEqual({ ok: true, endsAt: null, answers: 4, late: 0 });
    expect(await statistics(practice, [as])).toEqual(before);
    expect((await ok(CACHE, { recordId }, { as })).answers[0]).toMatchObject({ showAnswerFlag: 1, state: 1 });
  });

  it('is refused in a sentence', async () => {
    const { as, base, recordId, examId } = await startScene(kit);
    expect(await reopen(987_654_321)).toEqual({ ok: false, why: 'notFound' });
    expect(await reopen(recordId)).toEqual({ ok: false, why: 'notClosed' });
    await ok(SUBMIT, base, { as });
    expect(await reopen(recordId, 30, ' ')).toEqual({ ok: false, why: 'noReason' });
    expect(await reopen(recordId, null)).toEqual({ ok: false, why: 'noEnd' });
    await expect(run('exam reopen', String(recordId), '--minutes', '5')).rejects.toThrow('--reason');
    await expect(run('exam reopen', String(recordId), '--reason', '误收')).rejects.toThrow('--minutes');
    await expect(run('exam reopen', '987654321', '--reason', '误收')).rejects.toThrow('没有这份试卷（编号 987654321）');
    await expect(run('exam reopen', 'one', '--reason', '误收')).rejects.toThrow(WrongUsage);
    await expect(run('exam reopen', String(recordId), '--minutes', 'x')).rejects.toThrow(WrongUsage);
    await ok('GET /app/exam/test_start', { examId }, { as });
    expect(await reopen(recordId)).toEqual({ ok: false, why: 'openBeside' });
    await expect(run('exam reopen', String(recordId), '--reason', '误收', '--minutes', '5')).rejects.toThrow(
      '又开始了同一份试卷',
    );
    const rows = await kit.db.query
      .selectFrom('record_reopenings')
      .select('id')
      .where('record_id', '=', recordId)
      .execute();
    expect(rows).toEqual([]);
  });

  it('by command: one, or all that time closed in a while; who handed in stays handed in', async () => {
    const scene = await startScene(kit);
    const { as, base, ids, pack, examId, recordId } = scene;
    const [late, own, again] = [await classmate(kit, pack), await classmate(kit, pack), await classmate(kit, pack)];
    const begin = async (student: TestUser) =>
      (await ok('GET /app/exam/test_start', { examId }, { as: student })).recordId;
    await answerSome(as, base, ids);
    const [lateId, ownId, againId] = [await begin(late), await begin(own), await begin(again)];
    await ok(SUBMIT, { examId, recordId: ownId }, { as: own });
    kit.time.now = OVER;
    await kit.chore(SWEEP);
    const newId = await begin(again);
    const { packSlug, paper } = await kit.db.query
      .selectFrom('exams')
      .innerJoin('packs', 'packs.id', 'exams.pack_id')
      .select(['packs.slug as packSlug', 'exams.slug as paper'])
      .where('exams.id', '=', examId)
      .executeTakeFirstOrThrow();
    const all = (from: string, to: string, ...more: string[]) =>
      run('exam reopen-all', '--pack', packSlug, '--paper', paper, '--from', from, '--to', to, ...more);
    const why = ['--reason', '时钟错误', '--minutes', '20'];
    await expect(all('2026-11-20 18:00', '2026-11-20 18:59', ...why)).rejects.toThrow('没有到时自动收上来的');
    await expect(all('yesterday', '2026-11-20 18:59', ...why)).rejects.toThrow(WrongUsage);
    await expect(all('2026-11-20 18:59', '2026-11-20 19:01', '--minutes', '20')).rejects.toThrow('没有打开任何一份');
    said.length = 0;
    expect(await all('2026-11-20 18:59', '2026-11-20 19:01', ...why)).toBe(1);
    expect(said).toEqual([
      expect.stringMatching(/^已重新打开“试卷 \d+”的 2 份试卷：.*截止，4 个答案都在$/),
      expect.stringContaining(`没有打开 ${againId}`),
    ]);
    const rows = await kit.db.query
      .selectFrom('exam_records')
      .select(['id', 'closed'])
      .where('exam_id', '=', examId)
      .execute();
    expect(new Map(rows.map(({ id, closed }) => [id, closed]))).toEqual(
      new Map([
        [recordId, null],
        [lateId, null],
        [ownId, 'submitted'],
        [againId, 'unanswered'],
        [newId, null],
      ]),
    );
    said.length = 0;
    const at = Date.now();
    expect(await run('exam reopen', String(ownId), '--reason', '误点了交卷', '--minutes', '5')).toBe(0);
    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^已重新打开试卷 ${ownId}：.*（北京时间）截止，0 个答案都在$`)),
    ]);
    const { ends_at } = await kit.db.query
      .selectFrom('exam_records')
      .select('ends_at')
      .where('id', '=', ownId)
      .executeTakeFirstOrThrow();
    expect(Math.abs((ends_at ?? 0) - at - 5 * MINUTE)).toBeLessThan(MINUTE);
  });
});
