/** An answer with the times that its last save told. */
interface TimedAnswer {
  questionId: number;
  /** Seconds spent on the whole record at that save, as reported; 0: the save said nothing. */
  totalTime: number;
  /** When it reached the server, epoch milliseconds. */
  savedAt: number;
}

/** Seconds that one answer counts at most: who goes to lunch with a question open has not thought about it all the while. */
export const LONGEST_ANSWER = 1800;
/** Answers that came within so many seconds of each other came together: typed without a network, or handed in at once. */
const TOGETHER = 1;

/**
 * Seconds that each answer of a record took: what the student had spent at its save, less what they had spent at the one
 * before (docs/decisions/026-statistics.md). Answers that came together share their time evenly. A save that says nothing
 * of its time counts by the server's clock where none of the record does, else as sent with the hand-in. No answer took longer than
 * the record had been open when it arrived, nor all together longer than it had been when the last one did: where more is reported, all
 * of it is scaled down alike, so that what took long stays what took long. In whole seconds, rounded so that the sum stays true.
 * @param record.totalTime seconds spent on the whole record, as reported with the hand-in
 */
export function answerTimes(
  answers: Iterable<TimedAnswer>,
  record: { startedAt: number; totalTime: number },
): Map<number, number> {
  const all = [...answers];
  const reported = all.some(({ totalTime }) => totalTime > 0);
  const moments = all
    .map(({ questionId, totalTime, savedAt }) => {
      const open = Math.max(0, (savedAt - record.startedAt) / 1000);
      return { questionId, open, at: reported ? totalTime || record.totalTime : open };
    })
    .sort((a, b) => a.at - b.at || a.questionId - b.questionId);
  const longest = moments.at(-1)?.at ?? 0;
  const scale = longest > 0 ? Math.min(1, Math.max(...moments.map(({ open }) => open)) / longest) : 1;
  const seconds = new Map<number, number>();
  let from = 0;
  let before = 0;
  let sum = 0;
  for (const [index, { at }] of moments.entries()) {
    const next = moments[index + 1];
    if (next !== undefined && next.at - at <= TOGETHER) continue;
    const together = moments.slice(from, index + 1);
    const each = Math.min((Math.max(0, at - before) * scale) / together.length, LONGEST_ANSWER);
    for (const { questionId, open } of together) {
      const until = sum + Math.min(each, open);
      seconds.set(questionId, Math.round(until) - Math.round(sum));
      sum = until;
    }
    from = index + 1;
    before = at;
  }
  return seconds;
}

/** Buckets to a doubling of the time. */
const FINE = 2;

/** In which bucket of a histogram a time of so many seconds stands; the buckets grow with the time. */
export function timeBucket(seconds: number): number {
  return Math.floor(FINE * Math.log2(Math.max(0, seconds) + 1));
}

/** Times below which a median says more about single takers than about the question. */
const MEDIAN_LEAST = 3;

/**
 * The median of times that are counted by bucket, in seconds: within its bucket as if the times stood there evenly, on the scale
 * that the buckets have. Right to about a tenth. Null of fewer than three times.
 */
export function medianTime(counts: ReadonlyMap<number, number>): number | null {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (total < MEDIAN_LEAST) return null;
  let below = 0;
  for (const [bucket, count] of buckets) {
    if (below + count >= total / 2) return Math.round(2 ** ((bucket + (total / 2 - below) / count) / FINE) - 1);
    below += count;
  }
  return null;
}

/** Points lost for each minute that was spent, to the tenth; null where less than a minute is known: that is no rate yet. */
export function lostPerMinute(lost: number, seconds: number): number | null {
  return seconds >= 60 ? Math.round((lost * 600) / seconds) / 10 : null;
}
