import type { Insertable } from 'kysely';
import type { Query } from '#server/db/open.ts';
import type { ExamFeedback } from '#server/db/schema.ts';

/** Stores a report on an exam question. @returns its id */
export async function saveExamFeedback(query: Query, feedback: Insertable<ExamFeedback>): Promise<number> {
  const { id } = await query.insertInto('exam_feedback').values(feedback).returning('id').executeTakeFirstOrThrow();
  return id;
}
