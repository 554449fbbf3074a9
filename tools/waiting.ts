/**
 * TEMPORARY. Files whose SQL has not moved to the stores of its owners yet, with what is still wrong in each: the check of
 * tables (table-access.ts) and of walls (walls.config.mjs) lets exactly this pass, and asks for a line to be taken out once
 * it is mended. The list is to become empty; nothing is ever added to it.
 */
export const waiting: readonly { file: string; faults: readonly string[] }[] = [
  { file: 'server/course/enrol-command.ts', faults: ['has SQL and is no store', 'reads users, which belongs to user'] },
  { file: 'server/course/files-store.ts', faults: ['reads exam_records, which belongs to exam'] },
  {
    file: 'server/course/import-exams-store.ts',
    faults: [
      'adds to exams, which belongs to exam',
      'changes exam_questions, which belongs to exam',
      'changes exam_records, which belongs to exam',
      'changes exams, which belongs to exam',
      'reads exam_questions, which belongs to exam',
      'reads exams, which belongs to exam',
      'reads questions, which belongs to exam',
    ],
  },
  {
    file: 'server/course/import-questions-store.ts',
    faults: [
      'changes cases, which belongs to exam',
      'changes questions, which belongs to exam',
      'reads cases, which belongs to exam',
      'reads questions, which belongs to exam',
    ],
  },
  {
    file: 'server/course/import-spreadsheet.ts',
    faults: ['has SQL and is no store', 'reads questions, which belongs to exam'],
  },
  { file: 'server/course/import-tree-store.ts', faults: ['reads questions, which belongs to exam'] },
  { file: 'server/course/import.ts', faults: ['has SQL and is no store', 'reads questions, which belongs to exam'] },
  {
    file: 'server/course/store.ts',
    faults: [
      'reads exam_answers, which belongs to exam',
      'reads exam_records, which belongs to exam',
      'reads exams, which belongs to exam',
      'reads questions, which belongs to exam',
    ],
  },
  { file: 'server/exam/answers.ts', faults: ['has SQL and is no store'] },
  {
    file: 'server/exam/chapters.ts',
    faults: [
      'has SQL and is no store',
      'reads chapters, which belongs to course',
      'reads courses, which belongs to course',
    ],
  },
  { file: 'server/exam/close.ts', faults: ['has SQL and is no store'] },
  { file: 'server/exam/content.ts', faults: ['has SQL and is no store'] },
  { file: 'server/exam/jobs.ts', faults: ['has SQL and is no store'] },
  { file: 'server/exam/outcome.ts', faults: ['has SQL and is no store', 'reads chapters, which belongs to course'] },
  { file: 'server/exam/papers.ts', faults: ['has SQL and is no store'] },
  { file: 'server/exam/practice.ts', faults: ['has SQL and is no store'] },
  { file: 'server/exam/record.ts', faults: ['has SQL and is no store'] },
  { file: 'server/exam/routes.ts', faults: ['has SQL and is no store', 'reads packs, which belongs to course'] },
  {
    file: 'server/exam/start-store.ts',
    faults: [
      'changes enrolments, which belongs to course',
      'reads enrolments, which belongs to course',
      'reads packs, which belongs to course',
    ],
  },
  {
    file: 'server/exam/store.ts',
    faults: ['reads enrolments, which belongs to course', 'reads packs, which belongs to course'],
  },
  {
    file: 'server/feedback/store.ts',
    faults: [
      'reads chapters, which belongs to course',
      'reads courses, which belongs to course',
      'reads questions, which belongs to exam',
    ],
  },
  {
    file: 'server/user/demo-accounts.ts',
    faults: [
      'adds to enrolments, which belongs to course',
      'has SQL and is no store',
      'reads packs, which belongs to course',
    ],
  },
];
