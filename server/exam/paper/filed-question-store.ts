import type { Selectable } from 'kysely';
import { batches, inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { Questions } from '#server/db/schema.ts';
import { type LeftList, readLeftLists } from './retired-store.ts';

/** A question as a file may say it otherwise. */
export type FiledRow = Pick<
  Selectable<Questions>,
  | 'id'
  | 'slug'
  | 'school_key'
  | 'topic'
  | 'question_types_id'
  | 'options'
  | 'right_answer'
  | 'score'
  | 'grade_mode'
  | 'retired'
>;

/** The questions of a pack that have these keys, as far as records are graded by them. */
export async function readFiledRows(query: Query, packId: number, keys: readonly string[]): Promise<FiledRow[]> {
  const found: FiledRow[] = [];
  for (const some of batches(keys))
    found.push(
      ...(await query
        .selectFrom('questions')
        .select(['id', 'slug', 'school_key', 'topic', 'question_types_id', 'options', 'right_answer', 'score'])
        .select(['grade_mode', 'retired'])
        .where('pack_id', '=', packId)
        .where('slug', 'in', some)
        // What is told of them comes in this order, and figures of the first ones alone.
        .orderBy('id')
        .execute()),
    );
  return found;
}

/** Where the school's papers and practices list questions, with the points that they name, by question; of retired ones where they did. */
export async function readListings(
  query: Query,
  questions: readonly Pick<FiledRow, 'id' | 'score' | 'retired'>[],
): Promise<Map<number, LeftList[]>> {
  const found = new Map<number, LeftList[]>();
  for (const question of questions)
    if (question.retired !== '') found.set(question.id, await readLeftLists(query, question));
  for (const ids of inLists(questions.map(({ id }) => id))) {
    const rows = await query
      .selectFrom('exam_questions')
      .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
      .select(['exam_questions.question_id', 'exams.id', 'exams.slug', 'exams.kind', 'exam_questions.score'])
      .where('exam_questions.question_id', 'in', ids)
      .orderBy('exams.id')
      .execute();
    for (const { question_id, id: examId, ...row } of rows)
      found.set(question_id, [...(found.get(question_id) ?? []), { examId, ...row }]);
  }
  return found;
}

/** How many records of a version of a paper are over. */
export async function countClosed(query: Query, examId: number, version: number): Promise<number> {
  const { count } = await query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .where('submitted_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
