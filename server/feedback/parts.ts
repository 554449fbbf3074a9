import type { GradesFor } from '#server/exam/grading/visible-grades.ts';
import type { ReadContent } from '#server/exam/paper/content-store.ts';
import type { RecordStore } from '#server/exam/record/store.ts';
import type { Parts } from '#server/parts.ts';

/** What the calls of feedback share: of exams, how a question was seen and what a student may see now. */
export interface FeedbackParts extends Pick<Parts, 'db' | 'random'> {
  records: RecordStore;
  readContent: ReadContent;
  gradesFor: GradesFor;
}

/** Makes the parts of feedback, once for a server (server/app.ts). */
export function feedbackParts(
  { db, random }: Parts,
  records: RecordStore,
  readContent: ReadContent,
  gradesFor: GradesFor,
): FeedbackParts {
  return { db, random, records, readContent, gradesFor };
}
