import { batches } from '#server/db/batches.ts';
import type { Trx } from '#server/db/open.ts';
import { freezeOpenRecords } from './open-record-store.ts';

/** A question in an exam with the points it gives there. */
export interface ExamQuestion {
  questionId: number;
  score: number;
}

type ListedQuestion = ExamQuestion & { position: number };

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
export async function addExamQuestions(trx: Trx, examId: number, questions: readonly ExamQuestion[]): Promise<void> {
  await writeList(
    trx,
    examId,
    questions.map((question, position) => ({ ...question, position })),
  );
}

/**
 * Brings the list of an exam's questions to what it shall be, writing only what differs; records in progress keep the order
 * they began with. @returns whether anything was written
 */
export async function syncExamQuestions(trx: Trx, examId: number, wanted: readonly ExamQuestion[]): Promise<boolean> {
  const rows = await trx
    .selectFrom('exam_questions')
    .select(['question_id', 'position', 'score'])
    .where('exam_id', '=', examId)
    .execute();
  const stored = rows.map(({ question_id, position, score }) => ({ questionId: question_id, position, score }));
  const gone = new Map(stored.map((question) => [question.questionId, question]));
  const write = wanted.flatMap(({ questionId, score }, position): ListedQuestion[] => {
    const known = gone.get(questionId);
    gone.delete(questionId);
    return known && known.position === position && known.score === score ? [] : [{ questionId, score, position }];
  });
  const changes = write.length > 0 || gone.size > 0;
  if (stored.length > 0 && changes) await freezeOpenRecords(trx, examId, stored);
  for (const ids of batches([...gone.keys()])) {
    await trx.deleteFrom('exam_questions').where('exam_id', '=', examId).where('question_id', 'in', ids).execute();
  }
  await writeList(trx, examId, write);
  return changes;
}
