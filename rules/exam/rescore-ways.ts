/** Re-scoring that is not done yet: records of one version of a paper get a correction, of a question or of the paper’s rule, which moves them to another version. */
export interface RescoreLeg {
  /** What is graded again by it. */
  questionIds: readonly number[];
  examId: number;
  from: number;
  to: number;
}

/** A version of a paper whose records come to another one yet, and the questions that are graded again on the way. */
export interface RescoreWay {
  examId: number;
  version: number;
  questionIds: readonly number[];
}

/**
 * Every version from which legs lead to one, in any number of steps, the nearest first; the version itself is none of them. A record stands
 * at the beginning of a way as long as it waits, and gets each correction of the way in its order (docs/decisions/028, "Corrected again meanwhile").
 * @param legs those that are not done; one leads to a higher version always, so no way comes back to itself
 */
export function waysTo(
  legs: readonly RescoreLeg[],
  { examId, version }: { examId: number; version: number },
): RescoreWay[] {
  const ways: RescoreWay[] = [];
  const ends: RescoreWay[] = [{ examId, version, questionIds: [] }];
  for (let end = ends.shift(); end !== undefined; end = ends.shift())
    for (const leg of legs) {
      if (leg.examId !== examId || leg.to !== end.version) continue;
      const way = { examId, version: leg.from, questionIds: [...leg.questionIds, ...end.questionIds] };
      ways.push(way);
      ends.push(way);
    }
  return ways;
}

/** The version that a leg begins at, and every one whose records come there yet, each with the questions up to the end of the leg. */
export function waysThrough(legs: readonly RescoreLeg[], { examId, from, questionIds }: RescoreLeg): RescoreWay[] {
  const begin = { examId, version: from, questionIds: [] };
  return [begin, ...waysTo(legs, begin)].map((way) => ({ ...way, questionIds: [...way.questionIds, ...questionIds] }));
}

/**
 * Whether a record gets a correction only once its student hands something in: the record itself, or a scored exam that has, or has a
 * copy of, one of the questions that are graded again on its way there. A score that moves would tell their key (docs/decisions/028).
 * @param hidden the questions of which its student may be told nothing now
 * @param questionIds what is graded again in the record up to this correction, its own questions last
 */
export function mustWait(
  { open, hidden }: { open: boolean; hidden: ReadonlySet<number> | undefined },
  questionIds: readonly number[],
): boolean {
  return open || questionIds.some((questionId) => hidden?.has(questionId) === true);
}
