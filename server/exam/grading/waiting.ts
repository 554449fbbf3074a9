import { mustWait, type RescoreWay, waysThrough } from '#rules/exam/rescore-ways.ts';
import type { Query } from '#server/db/open.ts';
import { PairMap } from '../pair-map.ts';
import type { ExamParts } from '../parts.ts';
import { countOpen } from './rescore-store.ts';
import { closedOfSitters, closedOwnOfSitters, countOpenOwn, readLegs } from './waiting-store.ts';

/** Counts for each correction. */
class Counts extends Map<number, number> {
  add(correctionId: number, more: number): void {
    if (more > 0) this.set(correctionId, (this.get(correctionId) ?? 0) + more);
  }
}

/**
 * For teachers alone: of corrections that are not done, how many records get them only once their students hand in what they have open now (rules/exam/rescore-ways.ts): open
 * records, wherever they stand on the way to the correction, and closed ones of students who sit what is graded again in them. What waits for the
 * server alone is not among them, nor are papers that students put together while they are still looked through.
 */
export async function countWaiting(
  query: Query,
  hiddenOf: ExamParts['hiddenOf'],
  correctionIds: readonly number[],
): Promise<Map<number, number>> {
  const counts = new Counts();
  if (correctionIds.length === 0) return counts;
  const legs = await readLegs(query, correctionIds);
  const asked = new Set(correctionIds);
  const ways = legs.flatMap(({ correctionId, ...leg }) =>
    asked.has(correctionId) ? waysThrough(legs, leg).map((way) => ({ correctionId, way })) : [],
  );
  const standing = await readStanding(
    query,
    ways.map(({ way }) => way),
  );
  const own = await closedOwnOfSitters(query, correctionIds);
  const hidden = await hiddenOf(query, [
    ...standing.values().flatMap(({ sitters }) => sitters),
    ...own.map(({ userId }) => userId),
  ]);
  for (const { correctionId, way } of ways) {
    const { open = 0, sitters = [] } = standing.get(way.examId, way.version) ?? {};
    const waits = (userId: number) => mustWait({ open: false, hidden: hidden.get(userId) }, way.questionIds);
    counts.add(correctionId, open + sitters.filter(waits).length);
  }
  for (const [correctionId, open] of await countOpenOwn(query, correctionIds)) counts.add(correctionId, open);
  for (const onWay of Map.groupBy(own, ({ recordId }) => recordId).values()) {
    const questionIds: number[] = [];
    for (const { correctionId, questionId, userId } of onWay) {
      questionIds.push(questionId);
      if (asked.has(correctionId) && mustWait({ open: false, hidden: hidden.get(userId) }, questionIds))
        counts.add(correctionId, 1);
    }
  }
  return counts;
}

/** Of each version that a way begins at: how many records are open, and whose closed ones may have to wait. */
async function readStanding(
  query: Query,
  ways: readonly RescoreWay[],
): Promise<PairMap<{ open: number; sitters: number[] }>> {
  const standing = new PairMap<{ open: number; sitters: number[] }>();
  for (const { examId, version } of ways)
    if (!standing.has(examId, version))
      standing.set(examId, version, {
        open: await countOpen(query, examId, version),
        sitters: await closedOfSitters(query, examId, version),
      });
  return standing;
}
