import { afterAll, describe, expect, it } from 'vitest';
import { dayOf } from '#rules/exam/schedule.ts';
import type { MadePack } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestApp, testApp } from '#server/test-kit.ts';
import { contentReader } from '../paper/content-store.ts';
import { classmate, HOUR, SWEEP, startScene } from '../scene.test-kit.ts';
import { readGradedOf } from './graded-store.ts';
import { recordReopener } from './reopen.ts';
import { StatisticChanges } from './statistics.ts';
import { statisticsWriter } from './statistics-store.ts';
import { recountedCounters, storedCounters } from './study.test-kit.ts';
import { putResults, takeResults } from './study.ts';
import { readCounted } from './study-time-store.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const SHOW = 'POST /app/exam/show_answer';
const SCORE = 'POST /app/exam/subjective_submit';

/** A correction moves the first question of a paper to another chapter and gives it another key. */
async function moveQuestion({ db: { query } }: TestApp, pack: MadePack, examId: number, questionId: number) {
  const exam = await query.selectFrom('exams').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
  const question = await query
    .selectFrom('questions')
    .selectAll()
    .where('id', '=', questionId)
    .executeTakeFirstOrThrow();
  const list = await query.selectFrom('exam_questions').selectAll().where('exam_id', '=', examId).execute();
  const { id: correction_id } = await query
    .insertInto('corrections')
    .values({ pack_id: pack.packId, made_at: START, noted: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { kind, name, test_type, exam_time, partial, total_question, total_score, sections, version } = exam;
  const shown = { kind, name, test_type, exam_time, partial, total_question, total_score, sections };
  const questions = JSON.stringify(list.map(({ question_id, score }) => [question_id, score]));
  await query
    .insertInto('paper_revisions')
    .values({ ...shown, exam_id: examId, version, correction_id, questions })
    .execute();
  const {
    question_types_id,
    chapter_id,
    case_id,
    key_version,
    fingerprint,
    topic,
    options,
    right_answer,
    answer_analysis,
  } = question;
  const kept = { question_types_id, chapter_id, case_id, key_version, fingerprint, topic, options, right_answer };
  await query
    .insertInto('question_revisions')
    .values({ ...kept, answer_analysis, question_id: questionId, correction_id })
    .execute();
  const moved = { chapter_id: pack.chapterIds[3], right_answer: 'B', key_version: key_version + 1, difficulty: 1 };
  await query.updateTable('questions').set(moved).where('id', '=', questionId).execute();
  await query
    .updateTable('exams')
    .set({ version: version + 1 })
    .where('id', '=', examId)
    .execute();
}

describe.each(databases)('the counters of a student’s own figures on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;
  const reopenRecord = recordReopener(kit.db);

  /** They are what records and answers say, and @returns them. */
  async function counters() {
    const stored = await storedCounters(kit);
    expect(stored).toEqual(await recountedCounters(kit));
    return stored;
  }
  const of = (all: Awaited<ReturnType<typeof counters>>, userId: number) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith(`user ${userId} `)));

  it('follow a hand-in, own scores, and a record that is opened again', async () => {
    const scene = await startScene(kit);
    const { as, base, ids, recordId, save, pack } = scene;
    const { userId } = as;
    // Right · wrong · partly · text · nothing · text.
    for (const [at, answer, totalTime] of [
      [0, 'A', 20],
      [1, 'C', 50],
      [2, 'AB', 110],
      [3, '文', 170],
      [5, '文', 180],
    ] as const) {
      kit.time.now = START + totalTime * 1000;
      await ok(SAVE, { ...save(at, answer, at + 1), totalTime }, { as });
    }
    expect(of(await counters(), userId)).toEqual({});
    await ok(SUBMIT, { ...base, totalTime: 200 }, { as });
    const [, , point, second] = pack.chapterIds;
    const chapter = (id: number | undefined, type: number, difficulty = 0) =>
      `user ${userId} pack ${pack.packId} chapter ${id} type ${type} difficulty ${difficulty}`;
    const day = `user ${userId} pack ${pack.packId} day ${dayOf(START)}`;
    const handedIn = {
      [chapter(point, 1, 3)]: [1, 1, 20, 200, 0],
      [chapter(point, 2)]: [1, 0, 30, 200, 200],
      [chapter(point, 3)]: [1, 0, 60, 300, 150],
      // What waits for its score was answered all the same.
      [day]: [5, 180],
    };
    expect(of(await counters(), userId)).toEqual(handedIn);

    // The difficulty that was counted is the one that is taken out, whatever the school says meanwhile.
    await kit.db.query.updateTable('questions').set({ difficulty: 5 }).where('id', '=', ids[0]).execute();
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 2 }, { as });
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 5 }, { as });
    await ok(SCORE, { recordId, questionId: ids[5], myScore: 1.5, judgeFlag: 2 }, { as });
    expect(of(await counters(), userId)).toEqual({
      ...handedIn,
      [chapter(point, 4)]: [1, 1, 60, 500, 0],
      [chapter(second, 8)]: [1, 0, 10, 500, 350],
    });

    const again = { recordId, minutes: 30, reason: '误点', doneBy: 'school', now: kit.time.now };
    expect(await kit.db.transaction((trx) => reopenRecord(trx, again))).toMatchObject({ ok: true });
    expect(of(await counters(), userId)).toEqual({});
    await ok(SUBMIT, { ...base, totalTime: 200 }, { as });
    expect(of(await counters(), userId)).toEqual(handedIn);
  });

  it('follow a practice: what is shown counts at once, and once', async () => {
    const { as, base, ids, recordId, save, pack } = await startScene(kit, { kind: 'chapter' });
    const { userId } = as;
    const keyed = (at: number) => ok(SHOW, { ...base, questionId: ids[at] ?? 0 }, { as });
    kit.time.now = START + 100_000;
    await ok(SAVE, { ...save(0, 'A', 1), totalTime: 15 }, { as });
    await keyed(0);
    await keyed(0);
    await ok(SAVE, { ...save(3, '文', 2), totalTime: 40 }, { as });
    await keyed(3);
    // Without an answer there is nothing to count.
    await keyed(4);
    const mine = async () => of(await counters(), userId);
    const day = `user ${userId} pack ${pack.packId} day ${dayOf(START)}`;
    const kindOf = (type: number) =>
      `user ${userId} pack ${pack.packId} chapter ${pack.chapterIds[2]} type ${type} difficulty ${type === 1 ? 3 : 0}`;
    const shown = { [kindOf(1)]: [1, 1, 15, 200, 0], [day]: [2, 40] };
    expect(await mine()).toEqual(shown);
    await ok(SAVE, { ...save(1, 'C', 3), totalTime: 70 }, { as });
    // The next day in China.
    kit.time.now = START + 24 * HOUR;
    await ok(SUBMIT, base, { as });
    const next = `user ${userId} pack ${pack.packId} day ${dayOf(START) + 1}`;
    const closed = { ...shown, [kindOf(2)]: [1, 0, 30, 200, 200], [next]: [1, 30] };
    expect(await mine()).toEqual(closed);
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 4 }, { as });
    expect(await mine()).toEqual({ ...closed, [kindOf(4)]: [1, 0, 25, 500, 100] });
    const again = { recordId, minutes: null, reason: '误点', doneBy: 'school', now: kit.time.now };
    expect(await kit.db.transaction((trx) => reopenRecord(trx, again))).toMatchObject({ ok: true });
    expect(await mine()).toEqual(shown);
    await ok(SUBMIT, base, { as });
    expect(await mine()).toEqual(closed);
  });

  it('follow a client that says nothing of its time, the sweeper, and an empty record', async () => {
    const { as, save, pack, examId } = await startScene(kit);
    const other = await classmate(kit, pack);
    await ok('GET /app/exam/test_start', { examId }, { as: other });
    kit.time.now = START + 30_000;
    await ok(SAVE, save(0, 'B', 1), { as });
    kit.time.now = START + 75_000;
    await ok(SAVE, save(1, 'B', 2), { as });
    kit.time.now = START + 2 * HOUR;
    await kit.chore(SWEEP);
    const all = await counters();
    expect(of(all, other.userId)).toEqual({});
    // It counts as handed in at its end.
    expect(of(all, as.userId)[`user ${as.userId} pack ${pack.packId} day ${dayOf(START + HOUR)}`]).toEqual([2, 75]);
  });

  it('count what an earlier version closed, once, and what regrades a record finds both halves', async () => {
    const { as, base, ids, recordId, save } = await startScene(kit);
    for (const [at, answer] of ['A', 'B', 'AB'].entries())
      await ok(SAVE, { ...save(at, answer, at + 1), totalTime: 10 * (at + 1) }, { as });
    await ok(SUBMIT, base, { as });
    const before = await counters();
    // As if it had been closed before there were statistics.
    const { query } = kit.db;
    await query.deleteFrom('study_counts').where('user_id', '=', as.userId).execute();
    await query.deleteFrom('study_days').where('user_id', '=', as.userId).execute();
    await query.deleteFrom('question_times').where('question_id', 'in', ids).execute();
    await query.updateTable('exam_records').set({ counted: null }).where('id', '=', recordId).execute();
    expect(of(await counters(), as.userId)).toEqual({});
    await kit.chore('exam: count earlier records');
    await kit.chore('exam: count earlier records');
    expect(await counters()).toEqual(before);

    const record = await query
      .selectFrom('exam_records')
      .selectAll()
      .where('id', '=', recordId)
      .executeTakeFirstOrThrow();
    const content = await contentReader()(query, base.examId, record.version);
    const counted = (await readCounted(query, recordId)) ?? new Map();
    const graded = await readGradedOf(query, recordId);
    const owner = { userId: as.userId, packId: record.pack_id };
    const write = statisticsWriter(kit.db);
    const out = new StatisticChanges();
    takeResults(out.study, owner, content, graded, counted);
    await kit.db.transaction((trx) => write(trx, out));
    const without = Object.keys(of(await storedCounters(kit), as.userId));
    expect(without).toEqual([expect.stringContaining(' day ')]);
    const back = new StatisticChanges();
    putResults(back.study, owner, content, graded, counted);
    await kit.db.transaction((trx) => write(trx, back));
    expect(await counters()).toEqual(before);
  });

  it('of a paper that was corrected meanwhile, what it was graded by is taken out', async () => {
    const { as, base, ids, recordId, save, pack } = await startScene(kit, { kind: 'chapter' });
    await ok(SAVE, { ...save(0, 'A', 1), totalTime: 9 }, { as });
    await ok(SAVE, { ...save(3, '文', 2), totalTime: 19 }, { as });
    await ok(SUBMIT, base, { as });
    const before = of(await counters(), as.userId);
    expect(Object.keys(before)).toContainEqual(expect.stringContaining(`chapter ${pack.chapterIds[2]} type 1`));
    await moveQuestion(kit, pack, base.examId, ids[0]);
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 0 }, { as });
    await ok(SCORE, { recordId, questionId: ids[3], myScore: 5 }, { as });
    const again = { recordId, minutes: null, reason: '误点', doneBy: 'school', now: kit.time.now };
    await kit.db.transaction((trx) => reopenRecord(trx, again));
    expect(of(await counters(), as.userId)).toEqual({});
    await ok(SUBMIT, base, { as });
    expect(of(await counters(), as.userId)).toEqual(before);
  });
});
