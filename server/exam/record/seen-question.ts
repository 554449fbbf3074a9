import type { Layout } from '#rules/exam/shuffle.ts';
import { type Content, type ContentQuestion, inOrder } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';

/** A question as one student saw it: the version of its paper, and the letters and order of the record. */
interface SeenQuestion {
  question: ContentQuestion;
  layout: Layout | null;
  cases: Content['cases'];
  examName: string;
  /** Its place in the record, from 1. */
  number: number;
}

/** A question as it stands in a record of this student; with its key. Null where the record is another's or has no such question. */
export async function readSeenQuestion(
  { db, records, readContent }: Pick<ExamParts, 'db' | 'records' | 'readContent'>,
  { userId, recordId, questionId }: { userId: number; recordId: number; questionId: number },
): Promise<SeenQuestion | null> {
  const record = await records.find(userId, recordId);
  if (!record) return null;
  const content = await readContent(db.query, record.examId, record.version);
  const question = content.byId.get(questionId);
  if (!question) return null;
  const layout = await records.layout(db.query, record);
  const number = inOrder(content, layout).findIndex((other) => other.questionId === questionId) + 1;
  return { question, layout, cases: content.cases, examName: record.examName, number };
}
