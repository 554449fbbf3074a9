import { takerClosings } from '#contract/values/exam.ts';
import type { Query } from '#server/db/open.ts';
import type { RecordView } from '../record/store.ts';

/** Share of the points that all takers of an exam earned, by chapter. */
export async function readChapterAverages(query: Query, examId: number): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('exam_chapter_stats')
    .select(['chapter_id', 'earned', 'total'])
    .where('exam_id', '=', examId)
    .execute();
  return new Map(
    rows.filter((row) => row.total > 0).map((row) => [row.chapter_id, Math.min(1, row.earned / row.total)]),
  );
}

/** How many students took the exam, how many of them did better at their best, and the average of all records. */
export async function compareWithTakers(
  query: Query,
  record: Pick<RecordView, 'examId' | 'userId'>,
  score: number,
): Promise<{ takers: number; better: number; average: number | null }> {
  const taken = query
    .selectFrom('exam_records')
    .where('exam_id', '=', record.examId)
    .where('closed', 'in', takerClosings);
  const all = await taken
    .select(({ fn }) => [
      fn.count<number>('user_id').distinct().as('takers'),
      fn.avg<number | null>('score').as('average'),
    ])
    .executeTakeFirstOrThrow();
  const { better } = await taken
    .where('user_id', '<>', record.userId)
    .where('score', '>', score)
    .select(({ fn }) => fn.count<number>('user_id').distinct().as('better'))
    .executeTakeFirstOrThrow();
  return { takers: all.takers, better, average: all.average === null ? null : Math.round(all.average * 100) / 100 };
}
