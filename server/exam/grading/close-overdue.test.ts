import { afterAll, describe, expect, it } from 'vitest';
import { packAccess } from '#server/course/access.ts';
import { enrolmentStore } from '#server/course/enrolment-store.ts';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { DatabaseTrouble } from '#server/db/trouble.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { examParts } from '../parts.ts';
import { recordStore } from '../record/store.ts';
import { classmate, HOUR, SWEEP, startScene } from '../scene.test-kit.ts';
import { closeOverdueChore } from './close-overdue.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('closing by the server on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('closes what ran out with what was saved, with no browser open (canvas-lms #910, Moodle MDL-43733)', async () => {
    const { as, save, recordId } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(SAVE, save(2, 'AB', 2), { as });
    kit.time.now = START + HOUR + 10_000;
    await kit.chore(SWEEP);
    expect(await ok('GET /api/user/exam_list', { state: 'open' }, { as })).toMatchObject({ total: 1 });
    kit.time.now = START + HOUR + 12_001;
    await kit.chore(SWEEP);
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({
      closed: 'timeUp',
      submittedAt: START + HOUR,
      score: 3.5,
      rightCount: 1,
      wrongCount: 1,
      usedTime: 3600,
    });
    expect(await refused(SAVE, save(0, 'B', 3), { as })).toBe('tooLate');
  });

  it('closes an unanswered one as 未作答, a marked or cleared one too', async () => {
    const { as, base, save, ids, recordId } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok(SAVE, save(0, '', 2), { as });
    await ok('POST /api/exam/flag', { ...base, questionId: ids[1] }, { as });
    kit.time.now = START + HOUR + 12_001;
    await kit.chore(SWEEP);
    expect(await ok('GET /app/exam/review', { recordId }, { as })).toMatchObject({ submittedAt: START + HOUR });
    expect((await ok('GET /api/user/exam_list', {}, { as })).list[0]).toMatchObject({ closed: 'unanswered', score: 0 });
  });

  it('leaves practice alone', async () => {
    const { as } = await startScene(kit, { kind: 'chapter' });
    kit.time.now = START + 24 * HOUR;
    await kit.chore(SWEEP);
    expect((await ok('GET /api/user/exam_list', {}, { as })).list[0]).toMatchObject({ closed: null, score: null });
  });

  it('several processes sweep at once: every record is graded once', async () => {
    kit.time.now = START;
    const pack = await makePack(kit);
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'B' },
    ]);
    const examId = await makeExam(kit, pack, { questionIds: ids });
    const students = await Promise.all(Array.from({ length: 30 }, () => kit.user()));
    for (const student of students) await enrol(kit, student, pack.packId);
    await Promise.all(
      students.map(async (as) => {
        const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
        for (const [at, questionId] of ids.entries()) {
          await ok(SAVE, { examId, recordId, questionId, answer: 'A', seq: at + 1 }, { as });
        }
      }),
    );
    kit.time.now = START + HOUR + 12_001;
    const others = await Promise.all([kit.sibling(), kit.sibling()]);
    await Promise.all([kit, ...others].map((server) => server.chore(SWEEP)));
    for (const other of others) await other.close();
    const stats = await kit.db.query
      .selectFrom('question_accuracy')
      .selectAll()
      .where('question_id', 'in', ids)
      .orderBy('question_id')
      .execute();
    // Of one student alone is neither: whoever is closed with others is not compared with themselves.
    expect(stats.map((row) => [row.taken, row.right_count, row.only_taker])).toEqual([
      [30, 30, 0],
      [30, 0, 0],
    ]);
    const times = await kit.db.query.selectFrom('question_times').selectAll().where('question_id', 'in', ids).execute();
    expect(times.map((row) => [row.taken, row.only_taker])).toEqual([
      [30, 0],
      [30, 0],
    ]);
  });

  it('one record that cannot be graded does not stop the others', async () => {
    kit.parts.log.level = 'silent';
    const bad = await startScene(kit);
    const good = await startScene(kit);
    await ok(SAVE, good.save(0, 'A', 1), { as: good.as });
    // Of a version that nobody kept.
    const ofVersion = (version: number) =>
      kit.db.query.updateTable('exam_records').set({ version }).where('id', '=', bad.recordId).execute();
    await ofVersion(2);
    kit.time.now = START + HOUR + 12_001;
    await kit.chore(SWEEP);
    expect(await ok('GET /app/exam/result_tip', { recordId: good.recordId }, { as: good.as })).toMatchObject({
      rightCount: 1,
    });
    await ofVersion(1);
    const badClosed = async () => (await ok('GET /api/user/exam_list', {}, { as: bad.as })).list[0]?.closed;
    // It is passed over for 60 runs, mended or not, so that it does not cost the others a failed transaction each second.
    for (let run = 0; run < 59; run += 1) await kit.chore(SWEEP);
    expect(await badClosed()).toBeNull();
    await kit.chore(SWEEP);
    expect(await badClosed()).toBe('unanswered');
  });

  it('a database that goes away while records are closed one by one is no fault of theirs', async () => {
    const [good, bad] = [await startScene(kit), await startScene(kit)];
    // Of a version that nobody kept: all together cannot be closed.
    await kit.db.query.updateTable('exam_records').set({ version: 2 }).where('id', '=', bad.recordId).execute();
    const enrolments = enrolmentStore(kit.db);
    const exam = examParts(kit.parts, enrolments, packAccess(kit.db, enrolments));
    let transactions = 0;
    const transaction: typeof kit.db.transaction = async (work, how) => {
      transactions += 1;
      if (transactions === 2) throw new DatabaseTrouble('away', 'no connection can be had');
      return kit.db.transaction(work, how);
    };
    const { run } = closeOverdueChore({ ...exam, db: { ...kit.db, transaction } });
    kit.time.now = START + HOUR + 12_001;
    await expect(run(kit.time.now)).rejects.toThrow('no connection');
    // Each of them is tried again at once, and not passed over.
    await run(kit.time.now);
    expect((await ok('GET /api/user/exam_list', {}, { as: good.as })).list[0]).toMatchObject({ closed: 'unanswered' });
    await kit.db.query.updateTable('exam_records').set({ version: 1 }).where('id', '=', bad.recordId).execute();
  });

  it('locks for closing what has ended, and neither what still runs nor what has no end', async () => {
    const [over, running, untimed] = [
      await startScene(kit),
      await startScene(kit, { minutes: 61 }),
      await startScene(kit, { kind: 'chapter' }),
    ];
    const { lockOverdue } = recordStore(kit.db);
    const mine = new Set([over, running, untimed].map(({ recordId }) => recordId));
    const locked = async (endedBefore: number) =>
      (await kit.db.transaction((trx) => lockOverdue(trx, endedBefore, 10_000, [])))
        .map(({ id }) => id)
        .filter((id) => mine.has(id));
    expect(await locked(START + HOUR)).toEqual([]);
    expect(await locked(START + HOUR + 1)).toEqual([over.recordId]);
  });

  it('a practice and its chapter counts are right after many records', async () => {
    const { pack, examId, ids } = await startScene(kit, { kind: 'chapter', chapter: 0 });
    const student = await classmate(kit, pack);
    for (const answer of ['A', 'B']) {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as: student });
      await ok(SAVE, { examId, recordId, questionId: ids[0], answer, seq: 1 }, { as: student });
      await ok(SUBMIT, { examId, recordId }, { as: student });
    }
    const tree = await ok('GET /app/question/index', { packId: pack.packId }, { as: student });
    const top = tree.courses[0]?.chapters[0];
    expect(top).toMatchObject({ totalQuestion: 4, doneCount: 1, rightRate: 0.5, lastState: 2, examId });
  });
});
