import type { SchoolScoredKind } from '#contract/values/exam.ts';
import { type Accommodation, accommodationIn, minutesAdded } from '#rules/exam/accommodation.ts';
import { medianTime } from '#rules/exam/answer-time.ts';
import { dayFrom, dayOf } from '#rules/exam/schedule.ts';
import { keyOf } from '#rules/plan/plan.ts';
import type { PlanPack, PlanStep } from '#rules/plan/work.ts';
import { listChapterTree } from '#server/course/chapter-store.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import type { Query } from '#server/db/open.ts';
import { listScoredPapers, readTakenExams } from '#server/exam/finding/planned-store.ts';
import { readStudyDays, readTimes } from '#server/exam/grading/study-time-store.ts';
import { countUnanswered, readSomeIds } from '#server/exam/paper/bank-store.ts';
import type { ExamParts } from '#server/exam/parts.ts';
import { type ReviewLoad, readReviewLoads } from '#server/exam/wrong/daily-review.ts';
import { listLessons } from '#server/play/lesson-store.ts';
import { readSeenSeconds } from '#server/play/progress-store.ts';
import type { LeftOut } from './store.ts';

/** Seconds of a lesson without media, which is read. */
const READING = 600;
/** A lesson that was begun takes at least so long. */
const REST_LEAST = 60;
/** Seconds of a question until more is known: bounds, and how they are found. */
const QUESTION = { usual: 75, least: 15, most: 300, ownLeast: 20, ownDays: 60, asked: 200 } as const;
/** Days for which reviews are foretold. */
const REVIEW_DAYS = 400;

/** All that is left to do in the packs of a student, with the names of it. */
export interface StudentWork {
  packs: PlanPack[];
  loads: Map<number, ReviewLoad>;
  /** By `keyOf` of what a task would be about. */
  names: Map<string, string>;
  chapterNames: Map<number, string>;
  /** Seconds of each lesson that were seen. */
  seenSeconds: Map<number, number>;
}

/** Reads what a student has left to do in these packs, without what they leave out. */
export async function readWork(
  exam: ExamParts,
  {
    userId,
    packIds,
    leftOut,
    now,
  }: { userId: number; packIds: readonly number[]; leftOut: readonly LeftOut[]; now: number },
): Promise<StudentWork> {
  const { query } = exam.db;
  const loads = await readReviewLoads(exam, { userId, packIds, now, days: REVIEW_DAYS });
  const work: StudentWork = { packs: [], loads, names: new Map(), chapterNames: new Map(), seenSeconds: new Map() };
  const granted = (await exam.accommodations.inForce(query, [userId])).get(userId) ?? [];
  for (const packId of packIds) {
    const load = loads.get(packId);
    if (!load) continue;
    const out = new Set(leftOut.flatMap((one) => (one.packId === packId ? [`${one.kind} ${one.id}`] : [])));
    const examDay = dayFrom(load.examDate ?? '');
    // What is not planned is not looked at: an exam that is over, or a pack that is left out.
    if (out.has(`pack ${packId}`) || (examDay !== null && examDay <= dayOf(now))) continue;
    const questionSeconds = await readQuestionSeconds(query, { userId, packId, now });
    work.packs.push({
      packId,
      examDay,
      steps: await readSteps(exam, { userId, packId, out, work }),
      papers: await readPapers(query, {
        userId,
        packId,
        out,
        work,
        questionSeconds,
        ownTime: accommodationIn(granted, packId),
      }),
      questionSeconds,
      reviewsToday: load.count,
      reviewSize: load.dailySize,
      due: load.due,
    });
  }
  return work;
}

interface PackAsk {
  userId: number;
  packId: number;
  /** Kind and id of what is left out. */
  out: ReadonlySet<string>;
  work: StudentWork;
}

/**
 * Lessons and practices of a pack in the order of its directory: the lessons of a chapter, its questions, what stands below it; where
 * its lessons stand below it, its questions come after them.
 */
async function readSteps(exam: ExamParts, { userId, packId, out, work }: PackAsk): Promise<PlanStep[]> {
  const { query } = exam.db;
  const pack = await findStudiedPack(query, packId);
  const lessons = await listLessons(query, packId);
  const tree = await listChapterTree(query, packId);
  const seen = await readSeenSeconds(query, userId, { packId });
  const without = await exam.gradesFor(query, userId).undrawable(packId);
  const unanswered = await countUnanswered(query, { userId, packId, without });
  const known = new Set(tree.map(({ id }) => id));
  // What is left out is a chapter of the first level with all that stands below it.
  const parents = new Map(tree.map(({ id, parentId }) => [id, parentId]));
  const topOf = (chapterId: number | null): number | null => {
    if (chapterId === null || !known.has(chapterId)) return null;
    return topOf(parents.get(chapterId) ?? null) ?? chapterId;
  };
  const isOut = (chapterId: number | null) => out.has(`chapter ${topOf(chapterId)}`);
  // In a sequential pack a lesson that is left out keeps those after it shut: it goes only with them.
  const needed = new Set<number>();
  if (pack?.sequential) {
    const open = new Set<number>();
    for (const lesson of lessons.toReversed()) {
      if (open.has(lesson.courseId)) needed.add(lesson.id);
      else if (!lesson.unready && !isOut(lesson.chapterId) && !seen.get(lesson.id)?.finished) open.add(lesson.courseId);
    }
  }
  const steps: PlanStep[] = [];
  const addLessons = (some: typeof lessons) => {
    for (const { id, name, duration, unready, chapterId } of some) {
      const { seconds = 0, finished = false } = seen.get(id) ?? {};
      if (unready || finished || (isOut(chapterId) && !needed.has(id))) continue;
      const left = duration === 0 ? READING : Math.max(REST_LEAST, duration - seconds);
      work.names.set(keyOf({ kind: 'lesson', packId, id }), name);
      work.seenSeconds.set(id, seconds);
      steps.push({ kind: 'lesson', id, chapterId: topOf(chapterId), seconds: left, count: 0 });
    }
  };
  const addPractice = (id: number, name: string) => {
    const count = unanswered.get(id) ?? 0;
    if (count === 0 || isOut(id)) return;
    work.names.set(keyOf({ kind: 'practice', packId, id }), name);
    steps.push({ kind: 'practice', id, chapterId: topOf(id), seconds: 0, count });
  };
  const below = Map.groupBy(tree, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
  const own = Map.groupBy(lessons, ({ chapterId }) => (chapterId !== null && known.has(chapterId) ? chapterId : null));
  const walk = ({ id, name }: (typeof tree)[number]) => {
    work.chapterNames.set(id, name);
    const first = own.get(id) ?? [];
    addLessons(first);
    if (first.length > 0) addPractice(id, name);
    for (const child of below.get(id) ?? []) walk(child);
    if (first.length === 0) addPractice(id, name);
  };
  const roots = Map.groupBy(below.get(null) ?? [], ({ courseId }) => courseId);
  const atTop = Map.groupBy(own.get(null) ?? [], ({ courseId }) => courseId);
  // Courses in the order of the tree; one that has lessons alone stands where its lessons do.
  for (const courseId of new Set([...roots.keys(), ...atTop.keys()])) {
    addLessons(atTop.get(courseId) ?? []);
    for (const chapter of roots.get(courseId) ?? []) walk(chapter);
  }
  return steps;
}

/** The scored papers of a pack as they are sat: past years first, the oldest before, mock exams at the end. */
async function readPapers(
  query: Query,
  {
    userId,
    packId,
    out,
    work,
    questionSeconds,
    ownTime,
  }: PackAsk & { questionSeconds: number; ownTime: Accommodation | null },
): Promise<PlanPack['papers']> {
  const taken = await readTakenExams(query, { userId, packId });
  const order = ['past', 'timed', 'mock'] satisfies SchoolScoredKind[];
  return (await listScoredPapers(query, packId))
    .filter(({ id }) => !out.has(`paper ${id}`))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.year ?? 0) - (b.year ?? 0))
    .map(({ id, name, examTime, totalQuestion }) => {
      work.names.set(keyOf({ kind: 'paper', packId, id }), name);
      const seconds =
        examTime === null ? totalQuestion * questionSeconds : (examTime + minutesAdded(examTime, ownTime)) * 60;
      return { id, seconds, taken: taken.has(id) };
    });
}

/** Seconds that a question of a pack takes: what it took this student of late, else what some of them took everybody in the middle. */
async function readQuestionSeconds(
  query: Query,
  { userId, packId, now }: { userId: number; packId: number; now: number },
): Promise<number> {
  const { usual, least, most, ownLeast, ownDays, asked } = QUESTION;
  const days = await readStudyDays(query, { userId, packId, since: dayOf(now) - ownDays });
  const answered = days.reduce((sum, day) => sum + day.answered, 0);
  const seconds = days.reduce((sum, day) => sum + day.seconds, 0);
  if (answered >= ownLeast && seconds > 0) return Math.min(most, Math.max(least, Math.round(seconds / answered)));
  const counts = new Map<number, number>();
  for (const times of (await readTimes(query, await readSomeIds(query, packId, asked))).values())
    for (const [bucket, taken] of times) counts.set(bucket, (counts.get(bucket) ?? 0) + taken);
  return Math.min(most, Math.max(least, medianTime(counts) ?? usual));
}
