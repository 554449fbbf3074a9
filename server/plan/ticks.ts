import { readAnsweredSince, readOffered, readTakenExams } from '#server/exam/finding/planned-store.ts';
import { countUnanswered } from '#server/exam/paper/bank-store.ts';
import type { ExamParts } from '#server/exam/parts.ts';
import { readReviewLoads } from '#server/exam/wrong/daily-review.ts';
import { readOfferedLessons } from '#server/play/lesson-store.ts';
import { readSeenSeconds } from '#server/play/progress-store.ts';
import type { StoredTask } from './store.ts';

/** What became of a task. */
export interface Tick {
  /** The school still offers what it is about. */
  offered: boolean;
  done: boolean;
  /** Of its questions, those that were answered. */
  doneCount: number;
}

/** A player reports what was seen by and by: the last seconds of a part may be missing. */
const SEEN_ALL_BUT = 30;

/**
 * What became of tasks, in their order. Of reviews it is asked as the student may see it now (grading/visible-grades.ts); nothing else
 * here hangs on what is right.
 */
export async function readTicks(
  exam: ExamParts,
  userId: number,
  tasks: readonly StoredTask[],
  now: number,
): Promise<Tick[]> {
  const { query } = exam.db;
  const of = (kind: StoredTask['kind']) => tasks.filter((task) => task.kind === kind);
  const ids = (kind: StoredTask['kind']) => [...new Set(of(kind).map(({ id }) => id))];
  const seen = await readSeenSeconds(query, userId, { lessonIds: ids('lesson') });
  const lessons = await readOfferedLessons(query, ids('lesson'));
  const papers = await readOffered(query, ids('paper'));
  const since = Math.min(...of('practice').map((task) => task.since));
  const answered = await readAnsweredSince(query, { userId, chapterIds: ids('practice'), since });
  const left = new Map<number, Map<number, number>>();
  for (const [packId, some] of Map.groupBy(of('practice'), (task) => task.packId)) {
    const chapterIds = some.map(({ id }) => id);
    const without = await exam.gradesFor(query, userId).undrawable(packId, chapterIds);
    left.set(packId, await countUnanswered(query, { userId, packId, chapterIds, without }));
  }
  const packIds = [...new Set(of('review').map(({ packId }) => packId))];
  const loads: Awaited<ReturnType<typeof readReviewLoads>> =
    packIds.length === 0 ? new Map() : await readReviewLoads(exam, { userId, packIds, now, days: 1 });
  const ticks: Tick[] = [];
  for (const task of tasks) {
    const { kind, packId, id, count, goal } = task;
    if (kind === 'lesson') {
      const { seconds = 0, finished = false } = seen.get(id) ?? {};
      const done = finished || (task.part && seconds >= goal - SEEN_ALL_BUT);
      ticks.push({ offered: lessons.has(id), done, doneCount: 0 });
    } else if (kind === 'paper') {
      const taken = papers.has(id) && (await readTakenExams(query, { userId, packId, since: task.since })).has(id);
      ticks.push({ offered: papers.has(id), done: taken, doneCount: 0 });
    } else if (kind === 'practice') {
      const times = [...(answered.get(id)?.values() ?? [])].filter((at) => at >= task.since);
      const doneCount = Math.min(count, times.length);
      // Questions may have gone since: what was answered of them counts as all, and without any the task is gone.
      const some = doneCount >= count || (left.get(packId)?.get(id) ?? 0) > 0;
      ticks.push({ offered: some || doneCount > 0, done: !some || doneCount >= count, doneCount });
    } else {
      const load = loads.get(packId);
      const doneCount = Math.min(count, Math.max(0, (load?.done ?? 0) - (goal - count)));
      ticks.push({ offered: true, done: doneCount >= count || (load?.count ?? 0) === 0, doneCount });
    }
  }
  return ticks;
}
