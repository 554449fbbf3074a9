import type { Migration } from '../migration.ts';

/**
 * A correction may be of a paper's rule for partly right answers, too: then it names the paper and no question (decision 083). What hangs on a
 * correction learns of which question it is from there alone.
 */
export const correctedRules: Migration = {
  name: '067-corrected-rules',
  sql: [
    'alter table rescore_tasks drop column question_id',
    'alter table record_rescores drop column question_id',
    // Neither database drops `not null` in a way that the other one knows.
    'alter table question_corrections add column of_question bigint references questions (id)',
    'update question_corrections set of_question = question_id',
    'drop index question_corrections_question_id_correction_id',
    'alter table question_corrections drop column question_id',
    'alter table question_corrections rename column of_question to question_id',
    'create index question_corrections_question_id_correction_id on question_corrections (question_id, correction_id)',
    'alter table question_corrections add column exam_id bigint references exams (id)',
    'create index question_corrections_of_papers on question_corrections (exam_id) where exam_id is not null',
  ],
};
