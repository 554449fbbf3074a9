import { sql } from 'kysely';
import { scoredKinds } from '#contract/values/exam.ts';
import type { InOpenExam } from '#rules/exam/reveal.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { RevisionList } from '../paper/correction-store.ts';

/** The earliest start by key. */
class Starts<K> extends Map<K, number> {
  note(key: K, at: number): void {
    this.set(key, Math.min(at, this.get(key) ?? at));
  }
}

/**
 * The questions of the scored exams that a student sits right now, each as its record began with it, with when that exam
 * began, and every other question that reads the same or did before a correction: a twin in another pack has the same key.
 */
export async function readInOpenExam(query: Query, userId: number): Promise<InOpenExam> {
  const open = new Starts<number>();
  const since = new Starts<string>();
  const rows = await openScored(query, userId)
    .innerJoin('exam_questions', 'exam_questions.exam_id', 'exams.id')
    .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
    .select(['exam_questions.question_id', 'questions.fingerprint', 'exam_records.started_at'])
    .where('paper_revisions.exam_id', 'is', null)
    .execute();
  const replaced = await openScored(query, userId)
    .select(['paper_revisions.questions', 'exam_records.started_at'])
    .where('paper_revisions.exam_id', 'is not', null)
    .execute();
  for (const row of rows) {
    open.note(row.question_id, row.started_at);
    if (row.fingerprint !== '') since.note(row.fingerprint, row.started_at);
  }
  for (const { questions, started_at } of replaced) {
    const ids = (JSON.parse(questions ?? '[]') as RevisionList).map(([id]) => id);
    for (const id of ids) open.note(id, started_at);
    for (const fingerprint of await allFingerprints(query, ids)) since.note(fingerprint, started_at);
  }
  for (const fingerprints of inLists([...since.keys()])) {
    const twins = await query
      .selectFrom('questions')
      .select(['id', 'fingerprint'])
      .where('fingerprint', 'in', fingerprints)
      .unionAll(
        query
          .selectFrom('question_revisions')
          .select(['question_id as id', 'fingerprint'])
          .where('fingerprint', 'in', fingerprints),
      )
      .execute();
    for (const { id, fingerprint } of twins) open.note(id, since.get(fingerprint) ?? 0);
  }
  return open;
}

/** The open records of a student of scored exams, and the papers that they began with where these were replaced. */
function openScored(query: Query, userId: number) {
  return query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .leftJoin('paper_revisions', (join) =>
      join
        .onRef('paper_revisions.exam_id', '=', 'exam_records.exam_id')
        .onRef('paper_revisions.version', '=', 'exam_records.version'),
    )
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.submitted_at', 'is', null)
    .where(sql`coalesce(paper_revisions.kind, exams.kind)`, 'in', scoredKinds);
}

/** What these questions are recognised by, as they are now and as they were before any correction: too many withhold nothing wrong. */
async function allFingerprints(query: Query, questionIds: readonly number[]): Promise<Set<string>> {
  const all = new Set<string>();
  for (const ids of inLists(questionIds)) {
    const rows = await query
      .selectFrom('questions')
      .select('fingerprint')
      .where('id', 'in', ids)
      .unionAll(query.selectFrom('question_revisions').select('fingerprint').where('question_id', 'in', ids))
      .execute();
    for (const { fingerprint } of rows) if (fingerprint !== '') all.add(fingerprint);
  }
  return all;
}
