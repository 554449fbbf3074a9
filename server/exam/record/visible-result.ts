import type { DataOf } from '#contract/call.ts';
import type { SubmitExam } from '#contract/exam.ts';
import { tookAnswersUntil, usedSeconds } from '#rules/exam/attempt.ts';
import { type InOpenExam, visibleTally, withheldSince } from '#rules/exam/reveal.ts';
import type { Tally } from '#rules/exam/scoring.ts';
import type { Db, Query } from '#server/db/open.ts';
import { readGraded } from './graded-store.ts';
import { readInOpenExam } from './open-exam-store.ts';
import type { RecordStore, RecordView } from './store.ts';

/** A record's tally as its student may see it now; `hiddenCount` questions are left out of it. */
type VisibleTally = Tally & { hiddenCount: number };
/** The result of a closed record, as hand-in, own score and result tip say it. */
export type Result = Omit<DataOf<typeof SubmitExam>, 'late'>;

/** The tallies of closed records as their student may see them now (rules/exam/reveal.ts `visibleTally`), by record. */
export async function visibleTallies(
  query: Query,
  records: readonly RecordView[],
  inOpenExam: InOpenExam,
): Promise<Map<number, VisibleTally>> {
  const since = withheldSince(inOpenExam);
  const until = ({ submittedAt, ...record }: RecordView) =>
    submittedAt === null ? null : tookAnswersUntil({ ...record, submittedAt });
  const doubtful = records.filter((record) => (until(record) ?? 0) >= since);
  const graded = await readGraded(
    query,
    doubtful.map((record) => record.id),
  );
  return new Map(
    records.map((record) => {
      const own = graded.get(record.id);
      const { rightCount, wrongCount, unansweredCount, pendingCount } = record;
      const stored = {
        score: record.score ?? 0,
        rightCount,
        wrongCount,
        unansweredCount,
        pendingCount,
        hiddenCount: 0,
      };
      const answersUntil = until(record);
      return [record.id, own && answersUntil !== null ? visibleTally(own, answersUntil, inOpenExam) : stored];
    }),
  );
}

/** The result of a closed record as its student may see it now; null while it is open. */
export function resultOf(record: RecordView, tally: VisibleTally): Result | null {
  const { submittedAt, closed } = record;
  if (submittedAt === null || closed === null) return null;
  return {
    recordId: record.id,
    closed,
    submittedAt,
    totalScore: record.totalScore,
    usedTime: usedSeconds({ ...record, submittedAt }, record.totalTime),
    ...tally,
  };
}

/** Reads the result of a record as its student may see it now; null when there is none, or it is another's or open. */
export async function readResult(
  { db, records }: { db: Db; records: RecordStore },
  userId: number,
  recordId: number,
): Promise<Result | null> {
  const record = await records.find(userId, recordId);
  if (!record) return null;
  const tally = (await visibleTallies(db.query, [record], await readInOpenExam(db.query, userId))).get(record.id);
  return tally ? resultOf(record, tally) : null;
}
