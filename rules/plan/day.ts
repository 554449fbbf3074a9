import { inLastWeek } from '../exam/schedule.ts';
import { LAST_WEEK, LEAST, LONGEST, leftOf, type PlanTask, type Work } from './work.ts';

/** A lesson or chapter is finished where it passes the share of its pack by no more. */
const FINISH = 900;
/** Questions that a practice has at least, unless fewer are left. */
const LEAST_QUESTIONS = 5;
/** Share of a day that reviews take at most while there is something new to learn. */
const REVIEW_SHARE = 0.6;
/** Share of new questions that come in for review, and after how many days they come due if all goes well (FSRS, decision 022). */
const WRONG = 0.3;
const COMES_AGAIN = [1, 4, 11, 30];
/** Share of the days to come that new things are counted on to get: the rest is for reviews, and for what does not come out even. */
const COUNTED_ON = 0.8;
/** A pack whose share of a day is less waits for another day, unless room is left. */
const LEAST_SHARE = 300;

/** Seconds for new things from a day on up to a day (not with it), as far as they can be counted on. */
type Capacity = (from: number, until: number) => number;

export function capacities(works: readonly Work[], today: number, budget: (day: number) => number): Capacity {
  const paperOn = new Map<number, number>();
  for (const { papers } of works) for (const [day, { seconds }] of papers) paperOn.set(day, seconds);
  const sums = [0];
  for (let at = 0; at < LONGEST; at += 1) {
    const day = today + at;
    sums.push((sums[at] ?? 0) + Math.max(0, budget(day) - (paperOn.get(day) ?? 0)) * COUNTED_ON);
  }
  const upTo = (day: number) => sums[Math.min(LONGEST, Math.max(0, day - today))] ?? 0;
  return (from, until) => upTo(until) - upTo(from);
}

interface Today {
  day: number;
  today: number;
  room: number;
  /** Of something new, at least. */
  piece: number;
  capacity: Capacity;
}

export function fillDay(open: readonly Work[], { day, today, room, piece, capacity }: Today): PlanTask[] {
  const tasks: PlanTask[] = [];
  for (const work of open) {
    work.waiting += work.comes.get(day) ?? 0;
    if (day === today) work.waiting = work.pack.reviewsToday;
  }
  if (room <= 0) return tasks;
  let left = room;
  for (const work of open) {
    const paper = work.papers.get(day);
    if (paper === undefined) continue;
    tasks.push({
      kind: 'paper',
      packId: work.pack.packId,
      id: paper.id,
      chapterId: null,
      seconds: paper.seconds,
      count: 0,
      part: false,
    });
    // A paper that is longer than the day has it for itself.
    left -= paper.seconds;
  }
  if (left <= 0) return tasks;
  const learning = open.some(({ at, pack }) => at < pack.steps.length);
  const forNew = tasks.length > 0 ? 0 : Math.min(piece, left);
  let forReviews = learning ? Math.min(left * REVIEW_SHARE, left - forNew) : left;
  for (const work of open) {
    const { packId, questionSeconds, reviewSize, examDay } = work.pack;
    const most = inLastWeek(examDay, day) ? left : Math.min(left, forReviews);
    const count = Math.min(Math.floor(work.waiting), reviewSize, Math.floor(most / questionSeconds));
    if (count < 1) continue;
    const seconds = count * questionSeconds;
    work.waiting -= count;
    left -= seconds;
    forReviews = Math.max(0, forReviews - seconds);
    tasks.unshift({ kind: 'review', packId, id: 0, chapterId: null, seconds, count, part: false });
  }
  // Reviews stand in the order of the packs, before everything else.
  tasks.sort((a, b) => Number(b.kind === 'review') - Number(a.kind === 'review') || order(open, a) - order(open, b));
  const fresh: PlanTask[] = [];
  const share = shares(open, { day, room: left, capacity });
  for (const [work, of] of share)
    if (of >= LEAST_SHARE) left -= learn(work, { day, limit: of, room: left, piece }, fresh);
  for (const [work] of share) left -= learn(work, { day, limit: left, room: left, piece }, fresh);
  return [...tasks, ...fresh];
}

const order = (open: readonly Work[], { packId }: PlanTask) => open.findIndex(({ pack }) => pack.packId === packId);

/**
 * How the room of a day is shared: what is needed to be ready for the nearest exams comes first, where several have to be ready for together
 * by what is left of each; what is not needed is shared by what is left of all, those without a date among them. The most urgent first.
 */
function shares(
  open: readonly Work[],
  { day, room, capacity }: Pick<Today, 'day' | 'room' | 'capacity'>,
): [Work, number][] {
  const works = open.filter(({ rest }) => rest > 0);
  const total = (some: readonly Work[]) => some.reduce((all, { rest }) => all + rest, 0);
  // Of the packs up to each exam: the share of the days before it that they need together.
  const dated = works.filter(({ pack }) => pack.examDay !== null);
  const needs = dated.map(({ pack }, at) =>
    Math.min(1, total(dated.slice(0, at + 1)) / Math.max(1, capacity(day, pack.examDay ?? day))),
  );
  const need = Math.max(0, ...needs);
  const urgent = dated.slice(0, needs.lastIndexOf(need) + 1);
  let given = 0;
  const needed = new Map(
    urgent.map((work, at) => {
      // Together by what is left of each, but a near exam is not short for the sake of a far one.
      const fair = ((need - given) * work.rest) / total(urgent.slice(at));
      const of = Math.min(need - given, Math.max(fair, (needs[at] ?? 0) - given));
      given += of;
      return [work, of];
    }),
  );
  return works.map((work) => {
    const of = (needed.get(work) ?? 0) + ((1 - need) * work.rest) / total(works);
    return [work, Math.round(room * of)];
  });
}

/** Adds what comes next of a pack, up to its share. @returns the seconds of it */
function learn(
  work: Work,
  { day, limit, room, piece: least }: { day: number; limit: number; room: number; piece: number },
  tasks: PlanTask[],
): number {
  const { pack } = work;
  let used = 0;
  for (let step = pack.steps[work.at]; step !== undefined && used < limit; step = pack.steps[work.at]) {
    const { kind, id, chapterId } = step;
    // What comes first on a day is begun in any case: else a short day, or one full of reviews, would never get past it.
    const first = tasks.length === 0;
    const of = { left: work.left, share: limit - used, room: room - used, first, least: first ? least : LEAST };
    const piece = kind === 'practice' ? somePractice(of, pack.questionSeconds) : someLesson(of);
    if (piece === null) break;
    const seconds = kind === 'practice' ? piece.count * pack.questionSeconds : piece.seconds;
    const begun = tasks.findLast(({ packId }) => packId === pack.packId);
    if (begun?.kind === kind && begun.id === id) {
      // What of one lesson or chapter stands on one day in several pieces is one task.
      begun.seconds += seconds;
      begun.count += piece.count;
      begun.part = piece.part;
    } else tasks.push({ kind, packId: pack.packId, id, chapterId, seconds, count: piece.count, part: piece.part });
    if (kind === 'practice') comeAgain(work, day, piece.count);
    used += seconds;
    work.rest -= seconds;
    if (piece.part) work.left = { seconds: work.left.seconds - piece.seconds, count: work.left.count - piece.count };
    else {
      work.at += 1;
      work.left = leftOf(pack.steps[work.at]);
    }
  }
  return used;
}

interface Piece {
  left: { seconds: number; count: number };
  share: number;
  room: number;
  /** Nothing else new stands on the day yet. */
  first: boolean;
  least: number;
}

/** As much of a lesson as is seen at once: all of it where there is room. */
function someLesson({
  left: { seconds },
  share,
  room,
  first,
  least,
}: Piece): { seconds: number; count: number; part: boolean } | null {
  if (seconds <= room && seconds <= share + FINISH) return { seconds, count: 0, part: false };
  if (room < least) return null;
  // What is left over is worth sitting down for, too.
  const piece = Math.min(room, Math.max(Math.floor(share), least), seconds - least / 2);
  // Whole minutes are easier to keep to.
  const whole = Math.floor(piece / 60) * 60;
  return whole >= least || (first && whole > 0) ? { seconds: whole, count: 0, part: true } : null;
}

function somePractice(
  { left: { count }, share, room, first, least }: Piece,
  each: number,
): { seconds: number; count: number; part: boolean } | null {
  const fit = Math.floor(room / each);
  if (count <= fit && count * each <= share + FINISH) return { seconds: 0, count, part: false };
  const fewest = first ? Math.min(LEAST_QUESTIONS, fit) : LEAST_QUESTIONS;
  const some = Math.min(fit, Math.ceil(Math.max(share, least) / each), count - fewest);
  return some >= fewest || (first && some > 0) ? { seconds: 0, count: some, part: true } : null;
}

/** Some of the new questions will be wrong, and come again: nobody knows which, so the plan keeps time for the usual share. */
function comeAgain(work: Work, day: number, count: number): void {
  const { examDay } = work.pack;
  const week = examDay === null ? Number.POSITIVE_INFINITY : examDay - LAST_WEEK;
  const add = (on: number, some: number) => work.comes.set(on, (work.comes.get(on) ?? 0) + some);
  for (const after of COMES_AGAIN) if (after === 1 || day + after < week) add(day + after, count * WRONG);
  if (examDay === null) return;
  const first = Math.max(week, day + 2);
  for (let on = first; on < examDay; on += 1) add(on, (count * WRONG) / (examDay - first));
}
