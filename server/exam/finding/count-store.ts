import { schoolScoredKinds } from '#contract/values/exam.ts';
import type { ExamCounts, HasRecord } from '#server/course/exam-counts.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { reservedQuestions } from '../paper/reserved-store.ts';

const byPack = (rows: readonly { pack_id: number; count: number }[]) =>
  new Map(rows.map((row) => [row.pack_id, row.count]));

/** What course shows of exams (server/app.ts passes it in). */
export function examCounts(query: Query): ExamCounts {
  return {
    questionsByPack: async (packIds) => {
      let rows = query.selectFrom('questions').where('archived', '=', 0);
      if (packIds) rows = rows.where('pack_id', 'in', padded(packIds));
      return byPack(
        await rows
          .select(({ fn }) => ['pack_id', fn.countAll<number>().as('count')])
          .groupBy('pack_id')
          .execute(),
      );
    },
    papersByPack: async (packIds) => {
      let rows = query.selectFrom('exams').where('archived', '=', 0).where('kind', 'in', schoolScoredKinds);
      if (packIds) rows = rows.where('pack_id', 'in', padded(packIds));
      return byPack(
        await rows
          .select(({ fn }) => ['pack_id', fn.countAll<number>().as('count')])
          .groupBy('pack_id')
          .execute(),
      );
    },
    answeredByPack: async (userId, packIds) => {
      let rows = query
        .selectFrom('exam_records')
        .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
        .innerJoin('questions', 'questions.id', 'exam_answers.question_id')
        .where('exam_records.user_id', '=', userId)
        .where('exam_answers.answer', '<>', '')
        .where('questions.archived', '=', 0);
      if (packIds) rows = rows.where('exam_records.pack_id', 'in', padded(packIds));
      return byPack(
        await rows
          .select(({ fn }) => [
            'exam_records.pack_id',
            fn.count<number>('exam_answers.question_id').distinct().as('count'),
          ])
          .groupBy('exam_records.pack_id')
          .execute(),
      );
    },
    questionsByChapter: async (packId) => byChapter(await countByChapter(query, packId).execute()),
  };
}

const countByChapter = (query: Query, packId: number) =>
  query
    .selectFrom('questions')
    .select(({ fn }) => ['chapter_id', fn.countAll<number>().as('count')])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .groupBy('chapter_id');

const byChapter = (rows: readonly { chapter_id: number; count: number }[]) =>
  new Map(rows.map((row) => [row.chapter_id, row.count]));

/** Questions on offer in a pack that can be practised, by chapter: without those that are kept for a paper. */
export async function countPractisedByChapter(query: Query, packId: number): Promise<Map<number, number>> {
  const kept = reservedQuestions(query).where('reserving.pack_id', '=', packId);
  return byChapter(await countByChapter(query, packId).where('id', 'not in', kept).execute());
}

/** Whether a student has a record in one of these packs, for course's files (server/app.ts passes it in). */
export function recordFinder(query: Query): HasRecord {
  return async (userId, packIds) => {
    if (packIds.length === 0) return false;
    const row = await query
      .selectFrom('exam_records')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('pack_id', 'in', packIds)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };
}
