import { batches } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { RevisionList } from './correction-store.ts';

/** A question in an exam with the points it gives there. */
export interface ExamQuestion {
  questionId: number;
  score: number;
}

/** With its place; places may have gaps. */
export type ListedQuestion = ExamQuestion & { position: number };

/** A row here is four numbers, so that one statement carries more of them. */
const ROWS_PER_STATEMENT = 2000;

async function writeList(trx: Trx, examId: number, questions: readonly ListedQuestion[]): Promise<void> {
  for (const batch of batches(questions, ROWS_PER_STATEMENT)) {
    await trx
      .insertInto('exam_questions')
      .values(
        batch.map(({ questionId, score, position }) => ({ exam_id: examId, question_id: questionId, position, score })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['exam_id', 'question_id'])
          .doUpdateSet(({ ref }) => ({ position: ref('excluded.position'), score: ref('excluded.score') })),
      )
      .execute();
  }
}

/** Writes the list of a new exam. */
export async function addExamQuestions(trx: Trx, examId: number, questions: readonly ListedQuestion[]): Promise<void> {
  await writeList(trx, examId, questions);
}

/** The questions of an exam with their points, in order. */
export async function readExamQuestions(query: Query, examId: number): Promise<RevisionList> {
  const rows = await query
    .selectFrom('exam_questions')
    .select(['question_id', 'score'])
    .where('exam_id', '=', examId)
    .orderBy('position')
    .orderBy('question_id')
    .execute();
  return rows.map(({ question_id, score }) => [question_id, score]);
}

/** What has to be written to bring the list of an exam to what it shall be. */
interface ListChange {
  write: readonly ListedQuestion[];
  /** Questions that are taken out. */
  gone: readonly number[];
  /** Whether a question is taken out or gives other points: then records were graded by something else. */
  corrects: boolean;
}

/** Compares the list of an exam's questions with what it shall be; null: they are the same. */
export async function compareExamQuestions(
  query: Query,
  examId: number,
  wanted: readonly ListedQuestion[],
): Promise<ListChange | null> {
  return compareLists(await readListed(query, examId), wanted);
}

/** The questions of an exam with their points and places, in order. */
export async function readListed(query: Query, examId: number): Promise<ListedQuestion[]> {
  const rows = await query
    .selectFrom('exam_questions')
    .select(['question_id', 'position', 'score'])
    .where('exam_id', '=', examId)
    .orderBy('position')
    .orderBy('question_id')
    .execute();
  return rows.map(({ question_id, position, score }) => ({ questionId: question_id, position, score }));
}

/** As `compareExamQuestions`, of a list that was read. */
export function compareLists(stored: readonly ListedQuestion[], wanted: readonly ListedQuestion[]): ListChange | null {
  const left = new Map(stored.map((row) => [row.questionId, row]));
  let corrects = false;
  const write = wanted.flatMap(({ questionId, score, position }): ListedQuestion[] => {
    const known = left.get(questionId);
    left.delete(questionId);
    corrects ||= known !== undefined && known.score !== score;
    return known && known.position === position && known.score === score ? [] : [{ questionId, score, position }];
  });
  if (write.length === 0 && left.size === 0) return null;
  return { write, gone: [...left.keys()], corrects: corrects || left.size > 0 };
}

/** Brings the list of an exam's questions to what it shall be, writing only what differs. */
export async function writeExamQuestions(trx: Trx, examId: number, { write, gone }: ListChange): Promise<void> {
  for (const ids of batches(gone)) {
    await trx.deleteFrom('exam_questions').where('exam_id', '=', examId).where('question_id', 'in', ids).execute();
  }
  await writeList(trx, examId, write);
}
