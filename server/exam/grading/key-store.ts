import { practiceKinds } from '#contract/values/exam.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { gradedIdsFromJson } from './graded-store.ts';

/** A question as far as it is asked whether its key may be seen. */
export interface AskedKey {
  questionId: number;
  packId: number;
}

/** The questions of practices on offer of the school. */
const inPractice = (query: Query) =>
  query
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .select('exam_questions.question_id')
    .where('exams.kind', 'in', practiceKinds)
    .where('exams.archived', '=', 0);

/** Those of these questions that stand in a practice on offer. */
export async function readPractised(query: Query, questionIds: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const ids of inLists(questionIds)) {
    const rows = await inPractice(query).where('exam_questions.question_id', 'in', ids).distinct().execute();
    for (const row of rows) found.add(row.question_id);
  }
  return found;
}

/**
 * Questions on offer of a pack, or of some chapters of it, that stand in no practice on offer: of a pack as it is brought in those that it
 * reserves for a paper, and void ones.
 */
export async function readUnpractised(
  query: Query,
  packId: number,
  chapterIds: readonly number[] | null,
): Promise<AskedKey[]> {
  let rows = query.selectFrom('questions').select('id').where('pack_id', '=', packId).where('archived', '=', 0);
  // Of a whole pack the list of what is practised is read once, of a few questions each is looked up.
  rows =
    chapterIds === null
      ? rows.where('id', 'not in', inPractice(query).where('exams.pack_id', '=', packId))
      : rows
          .where('chapter_id', 'in', padded(chapterIds))
          .where(({ not, exists, ref }) =>
            not(exists(inPractice(query).where('exam_questions.question_id', '=', ref('questions.id') as never))),
          );
  return (await rows.execute()).map(({ id }) => ({ questionId: id, packId }));
}

/** Questions in a student's collection that stand in no practice on offer. */
export async function readUnpractisedCollected(query: Query, userId: number): Promise<AskedKey[]> {
  const rows = await query
    .selectFrom('collected_questions')
    .select(['question_id', 'pack_id'])
    .where('user_id', '=', userId)
    .where(({ not, exists, ref }) =>
      not(
        exists(
          inPractice(query).where('exam_questions.question_id', '=', ref('collected_questions.question_id') as never),
        ),
      ),
    )
    .execute();
  return rows.map((row) => ({ questionId: row.question_id, packId: row.pack_id }));
}

/** Questions of packs that a student's records which are over had, answered or not, and those whose key a practice has shown them. */
export async function readSeen(query: Query, userId: number, packIds: readonly number[]): Promise<Set<number>> {
  const seen = new Set<number>();
  for (const ids of inLists(packIds)) {
    const own = query.selectFrom('exam_records').where('user_id', '=', userId).where('pack_id', 'in', ids);
    for (const { graded } of await own.select('graded').where('graded', 'is not', null).execute())
      for (const questionId of gradedIdsFromJson(graded ?? '{}')) seen.add(questionId);
    const shown = await own
      .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
      .select('exam_answers.question_id')
      .where('exam_records.graded', 'is', null)
      .where('exam_answers.shown_at', 'is not', null)
      .execute();
    for (const row of shown) seen.add(row.question_id);
  }
  return seen;
}
