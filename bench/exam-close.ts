import { CONFIRM } from '#rules/clock/step.ts';
import { CLOSE_AFTER } from '#rules/exam/attempt.ts';
import { startServer } from '#server/test-process.ts';
import { makeSchool, report } from './measure.ts';

/**
 * A deadline for many open papers, all answered: how long from the moment the server may close them until the last one is
 * graded and on disk. A year group with long papers, and ten times as many students with a quiz of ten questions. The
 * true server does it with its own chore; only the times of the records are set.
 */
const DEADLINES = [
  { name: 'exam_close', papers: 1000, questions: 100 },
  { name: 'exam_close_10000', papers: 10_000, questions: 10 },
];
/** Milliseconds for the server to start, and to believe its clock, before the moment comes. */
const START = CONFIRM + 8000;

async function close(papers: number, questions: number): Promise<number> {
  const school = await makeSchool({ students: papers, questions });
  const now = Date.now();
  const minutes = 120 * 60_000;
  const endedAt = now + 600_000;
  const records: number[] = [];
  for (let from = 0; from < papers; from += 100) {
    const rows = await school.db.query
      .insertInto('exam_records')
      .values(
        school.students.slice(from, from + 100).map(({ userId }) => ({
          user_id: userId,
          exam_id: school.examId,
          pack_id: school.pack.packId,
          started_at: endedAt - minutes,
          ends_at: endedAt,
          submitted_at: null,
          closed: null,
          window_id: null,
          layout: null,
          graded: null,
          score: null,
        })),
      )
      .returning('id')
      .execute();
    records.push(...rows.map(({ id }) => id));
  }
  for (let from = 0; from < papers; from += 20) {
    await school.db.query
      .insertInto('exam_answers')
      .values(
        records.slice(from, from + 20).flatMap((recordId) =>
          school.questionIds.map((questionId, at) => ({
            record_id: recordId,
            question_id: questionId,
            answer: 'ABCD'[(recordId + at) % 4] ?? 'A',
            seq: 1,
            shown_at: null,
            saved_at: endedAt - 1000,
          })),
        ),
      )
      .execute();
  }

  const open = async () =>
    (
      await school.db.query
        .selectFrom('exam_records')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('submitted_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).count;
  const server = await startServer({ dataDir: school.dataDir });
  // Now the moment is set: the server may close them all at once, START milliseconds from here.
  const moment = Date.now() + START;
  await school.db.query
    .updateTable('exam_records')
    .set({ ends_at: moment - CLOSE_AFTER })
    .execute();
  if ((await open()) !== papers) throw new Error('not all papers are open');
  while (Date.now() < moment) await new Promise((wake) => setTimeout(wake, Math.min(50, moment - Date.now())));
  if ((await open()) !== papers) throw new Error('papers were closed too early');
  while ((await open()) > 0) {
    if (Date.now() - moment > 60_000) throw new Error('the papers were not closed within a minute');
    await new Promise((wake) => setTimeout(wake, 10));
  }
  const took = (Date.now() - moment) / 1000;
  const { ungraded } = await school.db.query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.count<number>('id').as('ungraded'))
    .where('graded', 'is', null)
    .executeTakeFirstOrThrow();
  await server.stop();
  await school.close();
  if (ungraded > 0) throw new Error(`${ungraded} papers were closed without a grade`);
  return took;
}

for (const { name, papers, questions } of DEADLINES) {
  report({
    name,
    value: await close(papers, questions),
    unit: 's',
    detail: `${papers} papers of ${questions} answers, graded and on disk`,
  });
}
