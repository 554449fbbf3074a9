import type { Chore } from '#server/chores.ts';
import { closeOverdueChore } from './grading/close-overdue.ts';
import { countEarlierChore } from './grading/count-earlier.ts';
import { countQualityChore } from './grading/count-quality.ts';
import { rescoreChore } from './grading/rescore.ts';
import { rescoreOwnChore } from './grading/rescore-own.ts';
import { deleteUnbegunChore } from './paper/delete-unbegun.ts';
import type { ExamParts } from './parts.ts';

/** The background work of exams. */
export function examChores(exam: ExamParts): Chore[] {
  return [
    closeOverdueChore(exam),
    countEarlierChore(exam),
    countQualityChore(exam),
    deleteUnbegunChore(exam),
    rescoreChore(exam),
    rescoreOwnChore(exam),
  ];
}
