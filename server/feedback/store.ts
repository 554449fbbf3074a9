import type { Insertable } from 'kysely';
import type { Query } from '#server/db/open.ts';
import type { ExamFeedback } from '#server/db/schema.ts';

/** Whether what a report names belongs to the pack: its course (0: none) and its question (null: none). */
export async function belongsToPack(
  query: Query,
  named: { packId: number; courseId: number; questionId: number | null },
): Promise<boolean> {
  const { packId, courseId, questionId } = named;
  const inPack = async (table: 'courses' | 'questions', id: number) =>
    (await query
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .where('pack_id', '=', packId)
      .executeTakeFirst()) !== undefined;
  if (courseId !== 0 && !(await inPack('courses', courseId))) return false;
  return questionId === null || (await inPack('questions', questionId));
}

/** The course in which a question stands, for a report from a paper across courses; 0 without one. */
export async function courseOfQuestion(query: Query, questionId: number | null): Promise<number> {
  if (questionId === null) return 0;
  const found = await query
    .selectFrom('questions')
    .innerJoin('chapters', 'chapters.id', 'questions.chapter_id')
    .select('chapters.course_id')
    .where('questions.id', '=', questionId)
    .executeTakeFirst();
  return found?.course_id ?? 0;
}

/** Stores a report on an exam question. @returns its id */
export async function saveExamFeedback(query: Query, feedback: Insertable<ExamFeedback>): Promise<number> {
  const { id } = await query.insertInto('exam_feedback').values(feedback).returning('id').executeTakeFirstOrThrow();
  return id;
}
