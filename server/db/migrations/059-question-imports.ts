import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const number: Column = { type: 'integer' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Imports of questions that are written in many short turns, and what they have still to write (decision 072). */
export const questionImports: Migration = {
  name: '059-question-imports',
  tables: {
    question_imports: {
      columns: {
        id: 'id',
        pack_id: orNull(int),
        course_id: orNull(int),
        state: text,
        hidden: { ...number, default: 0 },
        correction_id: orNull(int),
        noted: number,
        made_at: int,
        lease_until: int,
        fence: { ...number, default: 0 },
        parts: { ...number, default: 0 },
        next_part: { ...number, default: 0 },
        papers: { ...text, default: '[]' },
        gone: { ...text, default: '[]' },
        report: { ...text, default: '' },
      },
      refers: { pack_id: 'packs', course_id: 'courses', correction_id: 'corrections' },
      index: [['pack_id', 'state'], ['state']],
    },
    question_import_parts: {
      columns: { import_id: int, part: number, questions: text },
      key: ['import_id', 'part'],
      refers: { import_id: 'question_imports' },
    },
    question_import_papers: {
      columns: { import_id: int, exam_id: int, version: number, corrects: number },
      key: ['import_id', 'exam_id'],
      refers: { import_id: 'question_imports', exam_id: 'exams' },
    },
  },
};
