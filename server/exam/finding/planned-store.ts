import { type SchoolScoredKind, schoolScoredKinds, takerClosings } from '#contract/values/exam.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { reservedQuestions } from '../paper/reserved-store.ts';

/** A scored paper as far as its time goes. */
interface TimedPaper {
  id: number;
  name: string;
  kind: SchoolScoredKind;
  year: number | null;
  /** Minutes; null: no limit. */
  examTime: number | null;
  totalQuestion: number;
}

/** The scored papers on offer of a pack, in their order. */
export async function listScoredPapers(query: Query, packId: number): Promise<TimedPaper[]> {
  const rows = await query
    .selectFrom('exams')
    .select(['id', 'name', 'kind', 'year', 'exam_time as examTime', 'total_question as totalQuestion'])
    .where('pack_id', '=', packId)
    .where('kind', 'in', schoolScoredKinds)
    .where('archived', '=', 0)
    .where('total_question', '>', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows as TimedPaper[];
}

/** Exams of which a student has taken one, of a pack. What came of it is not asked. */
export async function readTakenExams(
  query: Query,
  { userId, packId, since = 0 }: { userId: number; packId: number; since?: number },
): Promise<Set<number>> {
  const rows = await query
    .selectFrom('exam_records')
    .select('exam_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .where('closed', 'in', takerClosings)
    .where('submitted_at', '>=', since)
    .execute();
  return new Set(rows.map((row) => row.exam_id));
}

/** Those of these exams that are on offer. */
export async function readOffered(query: Query, examIds: readonly number[]): Promise<Set<number>> {
  if (examIds.length === 0) return new Set();
  const rows = await query
    .selectFrom('exams')
    .select('id')
    .where('id', 'in', padded(examIds))
    .where('archived', '=', 0)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Open records of a student with what they are of: its exam, and of a practice of a chapter that chapter. */
export async function readOpenRecords(
  query: Query,
  userId: number,
): Promise<{ recordId: number; examId: number; kind: string; slug: string; chapterId: number | null }[]> {
  return query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select([
      'exam_records.id as recordId',
      'exam_records.exam_id as examId',
      'exams.kind',
      'exams.slug',
      'exams.chapter_id as chapterId',
    ])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.submitted_at', 'is', null)
    .orderBy('exam_records.id')
    .execute();
}

/**
 * When a student answered questions of chapters in records that they worked in since a moment, today's reviews aside, and what no practice has:
 * the newest answer to each question, by chapter.
 */
export async function readAnsweredSince(
  query: Query,
  { userId, chapterIds, since }: { userId: number; chapterIds: readonly number[]; since: number },
): Promise<Map<number, Map<number, number>>> {
  if (chapterIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('exam_records')
    .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
    .innerJoin('questions', 'questions.id', 'exam_answers.question_id')
    .leftJoin('own_papers', 'own_papers.exam_id', 'exam_records.exam_id')
    .select(({ fn }) => [
      'questions.chapter_id',
      'exam_answers.question_id',
      fn.max<number>('exam_answers.saved_at').as('saved_at'),
    ])
    .where('exam_records.user_id', '=', userId)
    .where(({ or, eb }) => or([eb('submitted_at', 'is', null), eb('submitted_at', '>=', since)]))
    .where('exam_answers.saved_at', '>=', since)
    .where('exam_answers.answer', '<>', '')
    .where(({ or, eb }) => or([eb('own_papers.purpose', 'is', null), eb('own_papers.purpose', '<>', 'daily')]))
    .where('questions.chapter_id', 'in', padded(chapterIds))
    .where('questions.id', 'not in', reservedQuestions(query))
    .groupBy(['questions.chapter_id', 'exam_answers.question_id'])
    .execute();
  const found = new Map<number, Map<number, number>>();
  for (const row of rows) {
    const chapter = found.get(row.chapter_id) ?? new Map<number, number>();
    found.set(row.chapter_id, chapter.set(row.question_id, Number(row.saved_at)));
  }
  return found;
}
