import { sql } from 'kysely';
import { type ExamKind, scoredKinds } from '#contract/values/exam.ts';
import type { InOpenExam } from '#rules/exam/reveal.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, Query } from '#server/db/open.ts';
import { Prepared, PreparedForRows } from '#server/db/prepared.ts';
import type { RevisionList } from '../paper/correction-store.ts';

/** What of a student's open scored exams stands elsewhere. */
export interface OpenExamStore {
  /**
   * The questions of the scored exams that a student sits right now, each as its record began with it, and every other question
   * that reads the same, or where either of the two did before a correction: a twin in another pack has the same key.
   */
  inOpenExam(query: Query, userId: number): Promise<InOpenExam>;
  /** The same of many students, each paper looked at once; who sits no scored exam is not named. */
  inOpenExams(query: Query, userIds: readonly number[]): Promise<Map<number, InOpenExam>>;
}

interface OpenRow {
  exam_id: number;
  /** The list of the paper where it was replaced since the record began, and of an own one; else null. */
  questions: string | null;
}

interface ListedRow {
  exam_id: number;
  question_id: number;
  fingerprint: string;
  /** What it was recognised by before a correction, a row for each; null: it never was corrected. */
  before: string | null;
}

/** Makes the reader of open exams; it stands in the path of every hand-in and list, so its statements are compiled once. */
export function openExamStore(db: Db): OpenExamStore {
  const open = new Prepared<OpenRow>(
    db,
    () => openPapers(db.query).where('exam_records.user_id', '=', 0).where(kindThen, 'in', scoredKinds) as never,
  );
  const exam = { exam_id: 'bigint' } as const;
  const listed = new PreparedForRows<typeof exam, ListedRow>(
    db,
    exam,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('exam_questions', 'exam_questions.exam_id', 'given.exam_id')
        .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
        .leftJoin('question_revisions', 'question_revisions.question_id', 'exam_questions.question_id')
        .select([
          'exam_questions.exam_id',
          'exam_questions.question_id',
          'questions.fingerprint',
          'question_revisions.fingerprint as before',
        ]) as never,
  );

  async function inPapers(query: Query, papers: readonly OpenRow[]): Promise<Set<number>> {
    const sat = new Set<number>();
    const texts = new Set<string>();
    const asTheyStand = new Set(papers.flatMap(({ exam_id, questions }) => (questions === null ? [exam_id] : [])));
    const rows = await listed.run(
      query,
      [...asTheyStand].map((exam_id) => ({ exam_id })),
    );
    for (const { question_id, fingerprint, before } of rows) {
      sat.add(question_id);
      // A copy in another pack may still read as this question did before it was corrected.
      for (const text of [fingerprint, before]) if (text) texts.add(text);
    }
    for (const { questions } of papers) {
      if (questions === null) continue;
      const ids = idsOf(questions);
      for (const id of ids) sat.add(id);
      for (const fingerprint of await allFingerprints(query, ids)) texts.add(fingerprint);
    }
    for (const fingerprints of inLists([...texts])) {
      const twins = await query
        .selectFrom('questions')
        .select('id')
        .where('fingerprint', 'in', fingerprints)
        .unionAll(
          query.selectFrom('question_revisions').select('question_id as id').where('fingerprint', 'in', fingerprints),
        )
        .execute();
      for (const { id } of twins) sat.add(id);
    }
    return sat;
  }

  return {
    inOpenExam: async (query, userId) => {
      const papers = await open.run(query, [userId, ...scoredKinds]);
      return papers.length === 0 ? new Set() : inPapers(query, papers);
    },
    inOpenExams: async (query, userIds) => {
      const sat = new Map<number, Set<number>>();
      /** A class sits one paper, mostly in one version. */
      const known = new Map<string, Set<number>>();
      for (const ids of inLists([...new Set(userIds)])) {
        const rows = await openPapers(query)
          .select('exam_records.user_id')
          .where('exam_records.user_id', 'in', ids)
          .where(kindThen, 'in', scoredKinds)
          .execute();
        for (const { user_id: userId, ...paper } of rows) {
          const name = `${paper.exam_id} ${paper.questions ?? ''}`;
          const questions = known.get(name) ?? (await inPapers(query, [paper]));
          known.set(name, questions);
          sat.set(userId, (sat.get(userId) ?? new Set()).union(questions));
        }
      }
      return sat;
    },
  };
}

/** The kind of a paper as the record began with it. */
const kindThen = sql<ExamKind>`coalesce(paper_revisions.kind, exams.kind)`;

/** Records that are open, with their papers. */
const openPapers = (query: Query) =>
  query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .leftJoin('paper_revisions', (join) =>
      join
        .onRef('paper_revisions.exam_id', '=', 'exam_records.exam_id')
        .onRef('paper_revisions.version', '=', 'exam_records.version'),
    )
    .leftJoin('own_papers', 'own_papers.exam_id', 'exam_records.exam_id')
    .select(({ fn }) => [
      'exam_records.exam_id',
      fn.coalesce('paper_revisions.questions', 'own_papers.questions').as('questions'),
    ])
    .where('exam_records.submitted_at', 'is', null);

const idsOf = (questions: string) => (JSON.parse(questions) as RevisionList).map(([id]) => id);

/** What these questions are recognised by, as they are now and as they were before any correction: too many withhold nothing wrong. */
async function allFingerprints(query: Query, questionIds: readonly number[]): Promise<Set<string>> {
  const all = new Set<string>();
  for (const ids of inLists(questionIds)) {
    const rows = await query
      .selectFrom('questions')
      .select('fingerprint')
      .where('id', 'in', ids)
      .unionAll(query.selectFrom('question_revisions').select('fingerprint').where('question_id', 'in', ids))
      .execute();
    for (const { fingerprint } of rows) if (fingerprint !== '') all.add(fingerprint);
  }
  return all;
}

/**
 * Those of these exams of which any version has one of these questions, papers of students among them. What a record of one adds up to, and what all
 * records of it do, hangs on all of its questions.
 */
export async function examsWith(query: Query, examIds: readonly number[], questions: InOpenExam): Promise<Set<number>> {
  const found = new Set<number>();
  if (questions.size === 0) return found;
  for (const ids of inLists([...new Set(examIds)])) {
    for (const some of inLists([...questions])) {
      const now = await query
        .selectFrom('exam_questions')
        .select('exam_id')
        .distinct()
        .where('question_id', 'in', some)
        .where('exam_id', 'in', ids)
        .execute();
      for (const row of now) found.add(row.exam_id);
    }
    const kept = await query
      .selectFrom('paper_revisions')
      .select(['exam_id', 'questions'])
      .where('exam_id', 'in', ids)
      .unionAll(query.selectFrom('own_papers').select(['exam_id', 'questions']).where('exam_id', 'in', ids))
      .execute();
    for (const row of kept)
      if (!found.has(row.exam_id) && idsOf(row.questions).some((id) => questions.has(id))) found.add(row.exam_id);
  }
  return found;
}

/** Chapters that have one of these questions, or had it before a correction: an open record counts where it began. */
export async function chaptersWith(query: Query, questionIds: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const ids of inLists(questionIds)) {
    const rows = await query
      .selectFrom('questions')
      .select('chapter_id')
      .where('id', 'in', ids)
      .union(query.selectFrom('question_revisions').select('chapter_id').where('question_id', 'in', ids))
      .execute();
    for (const row of rows) found.add(row.chapter_id);
  }
  return found;
}

/** After-class practices of a pack that have one of these questions in any of their versions. */
export async function afterClassWith(query: Query, packId: number, questions: InOpenExam): Promise<Set<number>> {
  const found = new Set<number>();
  for (const ids of inLists([...questions])) {
    const rows = await query
      .selectFrom('exam_questions')
      .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
      .select('exams.id')
      .distinct()
      .where('exam_questions.question_id', 'in', ids)
      .where('exams.pack_id', '=', packId)
      .where('exams.kind', '=', 'afterclass')
      .execute();
    for (const row of rows) found.add(row.id);
  }
  if (questions.size === 0) return found;
  const kept = await query
    .selectFrom('paper_revisions')
    .innerJoin('exams', 'exams.id', 'paper_revisions.exam_id')
    .select(['paper_revisions.exam_id', 'paper_revisions.questions'])
    .where('exams.pack_id', '=', packId)
    .where('exams.kind', '=', 'afterclass')
    .execute();
  for (const row of kept) if (idsOf(row.questions).some((id) => questions.has(id))) found.add(row.exam_id);
  return found;
}
