import type { Kysely } from 'kysely';
import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const points: Column = { type: 'double' };

interface Before {
  users: { id: number; role: string };
  exams: { id: number; kind: string; version: number };
  exam_questions: { exam_id: number; question_id: number; score: number };
  paper_revisions: { exam_id: number; version: number; questions: string };
  exam_records: {
    id: number;
    user_id: number;
    exam_id: number;
    version: number;
    closed: string | null;
    graded: string | null;
  };
  exam_question_stats: { exam_id: number; question_id: number; earned: number; total: number };
}

/**
 * What all takers of a paper earned, by question instead of by chapter, so that it compares types and difficulties too; without teachers.
 * Indexes by which today's review is counted without reading its questions.
 */
export const teachersApart: Migration = {
  name: '044-teachers-apart',
  tables: {
    exam_question_stats: {
      columns: { exam_id: int, question_id: int, earned: points, total: points },
      key: ['exam_id', 'question_id'],
      refers: { exam_id: 'exams', question_id: 'questions' },
    },
  },
  sql: [
    'drop table exam_chapter_stats',
    "create index users_teachers on users (id) where role = 'teacher'",
    `create index wrong_questions_studied on wrong_questions
      (user_id, question_id, pack_id, state, guessed, times_wrong, last_at)`,
    'create index review_cards_studied on review_cards (user_id, question_id, due, last_review_at, reps)',
    "create index questions_gone on questions (id) where (archived = 1 or grade_mode = 'void')",
    // The score of a record hangs on all of its questions, not on the corrected one alone (0: withheld while any scored exam is open).
    "update notices set question_id = 0 where kind in ('rescored', 'keyCorrected')",
  ],
  fill: async (trx) => fillStats(trx as unknown as Kysely<Before>),
};

/** Records read in one go. */
const AT_ONCE = 500;

/** Adds up what students earned in the papers of the school, from the graded questions of every record. */
async function fillStats(trx: Kysely<Before>): Promise<void> {
  const teachers = new Set(
    (await trx.selectFrom('users').select('id').where('role', '=', 'teacher').execute()).map(({ id }) => id),
  );
  const exams = await trx
    .selectFrom('exams')
    .select(['id', 'version'])
    .where('kind', 'not in', ['own', 'random'])
    .execute();
  for (const exam of exams) {
    const listed = await readLists(trx, exam);
    const sums = new Map<number, { earned: number; total: number }>();
    for (let after = 0; ; ) {
      const records = await trx
        .selectFrom('exam_records')
        .select(['id', 'user_id', 'version', 'graded'])
        .where('exam_id', '=', exam.id)
        .where('closed', 'in', ['submitted', 'timeUp'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute();
      for (const { user_id, version, graded } of records) {
        const scores = listed.get(version);
        if (teachers.has(user_id) || !scores) continue;
        for (const [id, [state, earned]] of Object.entries(
          JSON.parse(graded ?? '{}') as Record<string, [number, number | null]>,
        )) {
          const score = scores.get(Number(id));
          // What waits for its score, and what is void, counts for nothing.
          if (score === undefined || state === 4 || state === 5) continue;
          const sum = sums.get(Number(id)) ?? { earned: 0, total: 0 };
          sums.set(Number(id), { earned: sum.earned + (earned ?? 0), total: sum.total + score });
        }
      }
      if (records.length < AT_ONCE) break;
      after = records.at(-1)?.id ?? 0;
    }
    const rows = [...sums].map(([question_id, { earned, total }]) => ({
      exam_id: exam.id,
      question_id,
      earned: rounded(earned),
      total: rounded(total),
    }));
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await trx
        .insertInto('exam_question_stats')
        .values(rows.slice(from, from + AT_ONCE))
        .execute();
  }
}

/** The points of the questions of each version of a paper. */
async function readLists(
  trx: Kysely<Before>,
  { id, version }: Pick<Before['exams'], 'id' | 'version'>,
): Promise<Map<number, Map<number, number>>> {
  const now = await trx
    .selectFrom('exam_questions')
    .select(['question_id', 'score'])
    .where('exam_id', '=', id)
    .execute();
  const kept = await trx
    .selectFrom('paper_revisions')
    .select(['version', 'questions'])
    .where('exam_id', '=', id)
    .execute();
  const lists = new Map<number, Map<number, number>>(
    kept.map((row) => [row.version, new Map(JSON.parse(row.questions) as [number, number][])]),
  );
  return lists.set(version, new Map(now.map((row) => [row.question_id, row.score])));
}

const rounded = (sum: number) => Math.round(sum * 100) / 100;
