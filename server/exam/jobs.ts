import type { Job } from '#server/jobs.ts';
import { closeOverdueJob } from './grading/close-overdue.ts';
import { countEarlierJob } from './grading/count-earlier.ts';
import { countQualityJob } from './grading/count-quality.ts';
import { rescoreJob } from './grading/rescore.ts';
import { deleteUnbegunJob } from './paper/delete-unbegun.ts';
import type { ExamParts } from './parts.ts';

/** The background work of exams. */
export function examJobs(exam: ExamParts): Job[] {
  return [
    closeOverdueJob(exam),
    countEarlierJob(exam),
    countQualityJob(exam),
    deleteUnbegunJob(exam),
    rescoreJob(exam),
  ];
}
