import type { Query, Trx } from '#server/db/open.ts';

/**
 * Papers that students put together for themselves (kind `own`). Their list never changes, and there are as many as students
 * practise, so a correction touches none of them: a record of one has for its version the number of the first correction of
 * the pack that it does not show, which is one more than the last it was made after. Reading it takes each question as it
 * stood before that correction, or as it is (content-store.ts).
 */
export interface NewOwnPaper {
  userId: number;
  packId: number;
  /** Unlike that of any other paper of the pack. */
  slug: string;
  name: string;
  purpose: 'chosen' | 'daily';
  /** With the points they give. */
  questions: readonly (readonly [questionId: number, score: number])[];
  now: number;
}

/** Stores a new own paper. @returns the id of its exam */
export async function addOwnPaper(
  trx: Trx,
  { userId, packId, slug, name, purpose, questions, now }: NewOwnPaper,
): Promise<number> {
  const { id } = await trx
    .insertInto('exams')
    .values({
      pack_id: packId,
      course_id: null,
      chapter_id: null,
      slug,
      kind: 'own',
      name,
      year: null,
      exam_time: null,
      test_type: 0,
      partial: null,
      shuffle_questions: 0,
      shuffle_options: 0,
      pass_score: null,
      total_question: questions.length,
      total_score: questions.reduce((sum, [, score]) => sum + score, 0),
      sections: '[]',
      position: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('own_papers')
    .values({ exam_id: id, user_id: userId, purpose, questions: JSON.stringify(questions), made_at: now })
    .execute();
  return id;
}

/** Who put a paper together; null: it is the school's. */
export async function ownPaperOf(query: Query, examId: number): Promise<number | null> {
  const row = await query.selectFrom('own_papers').select('user_id').where('exam_id', '=', examId).executeTakeFirst();
  return row?.user_id ?? null;
}

/** Whether any student has put a paper of this pack together. */
export async function anyOwnPaper(query: Query, packId: number): Promise<boolean> {
  const row = await query
    .selectFrom('exams')
    .select('id')
    .where('pack_id', '=', packId)
    .where('kind', '=', 'own')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many papers a student has put together since then (epoch milliseconds). */
export async function countOwnPapers(query: Query, userId: number, since: number): Promise<number> {
  const { count } = await query
    .selectFrom('own_papers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('made_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The open record of a daily review of a pack that was made since then (epoch milliseconds); null: there is none. */
export async function findOpenDaily(
  query: Query,
  userId: number,
  packId: number,
  since: number,
): Promise<{ examId: number; recordId: number } | null> {
  const row = await query
    .selectFrom('own_papers')
    .innerJoin('exam_records', 'exam_records.exam_id', 'own_papers.exam_id')
    .select(['exam_records.exam_id', 'exam_records.id'])
    .where('own_papers.user_id', '=', userId)
    .where('own_papers.made_at', '>=', since)
    .where('own_papers.purpose', '=', 'daily')
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId)
    .where('exam_records.submitted_at', 'is', null)
    .orderBy('exam_records.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { examId: row.exam_id, recordId: row.id } : null;
}
