import { request } from '@playwright/test';
import { call } from './call.ts';
import { findPack, findPaper, newStudent } from './student.ts';

/** What is right, by question: texts of the right options, as the server writes them, whatever their letters. */
type AnswerKey = ReadonlyMap<number, ReadonlySet<string>>;

/** The key of a paper as students come to know it: somebody else hands it in empty and reads the review. */
export async function answerKey(baseURL: string | undefined, pack: string, paper: string): Promise<AnswerKey> {
  const other = await request.newContext({ baseURL });
  try {
    await newStudent(other);
    const examId = await findPaper(other, await findPack(other, pack), paper);
    const { recordId } = await call(other, 'GET /app/exam/test_start', { examId });
    await call(other, 'POST /api/exam/submit', { examId, recordId });
    const { questions } = await call(other, 'GET /app/exam/review', { recordId });
    return new Map(
      questions.map(({ questionId, rightAnswer, options }) => [
        questionId,
        new Set([...rightAnswer].flatMap((letter) => options[letter] ?? [])),
      ]),
    );
  } finally {
    await other.dispose();
  }
}

/** The right letters of a question as it stands before this student. */
export function rightLetters(
  key: AnswerKey,
  question: { questionId: number; options: Readonly<Record<string, string>> },
): string {
  const right = key.get(question.questionId);
  return Object.keys(question.options)
    .sort()
    .filter((letter) => right?.has(question.options[letter] ?? ''))
    .join('');
}
