import type { PackAccess } from '#server/course/access.ts';
import type { GradesFor } from '#server/exam/grading/visible-grades.ts';
import type { ReadContent } from '#server/exam/paper/content-store.ts';
import type { RecordStore } from '#server/exam/record/store.ts';
import type { Parts } from '#server/parts.ts';

/** What the calls of Q&A share; what is of other features is passed in by `app.ts`. */
export interface QaParts extends Pick<Parts, 'db' | 'random'> {
  access: PackAccess;
  gradesFor: GradesFor;
  records: RecordStore;
  readContent: ReadContent;
}

/** What pictures say that belongs to an entry. */
export const takenForEntry = (entryId: number) => `qa:${entryId}`;
