import { scoredKinds } from '#contract/values/exam.ts';
import type { InOpenExam } from '#rules/exam/reveal.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';

/**
 * The questions of the scored exams that a student sits right now, with when that exam began, and every other question
 * that reads the same: a twin in another pack has the same key.
 */
export async function readInOpenExam(query: Query, userId: number): Promise<InOpenExam> {
  const rows = await query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .innerJoin('exam_questions', 'exam_questions.exam_id', 'exams.id')
    .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
    .select(['exam_questions.question_id', 'questions.fingerprint', 'exam_records.started_at'])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.submitted_at', 'is', null)
    .where('exams.kind', 'in', scoredKinds)
    .execute();
  const open = new Map<number, number>();
  const since = new Map<string, number>();
  const earliest = <K>(starts: Map<K, number>, key: K, at: number) =>
    starts.set(key, Math.min(at, starts.get(key) ?? at));
  for (const row of rows) {
    earliest(open, row.question_id, row.started_at);
    if (row.fingerprint !== '') earliest(since, row.fingerprint, row.started_at);
  }
  for (const fingerprints of inLists([...since.keys()])) {
    const twins = await query
      .selectFrom('questions')
      .select(['id', 'fingerprint'])
      .where('fingerprint', 'in', fingerprints)
      .execute();
    for (const { id, fingerprint } of twins) earliest(open, id, since.get(fingerprint) ?? 0);
  }
  return open;
}
