import type { PlanKind } from '#contract/values/plan.ts';
import { inLastWeek } from '../exam/schedule.ts';

/**
 * The plan of a student from today to the exam (docs/decisions/046-plan.md): what to do on which day within the minutes that
 * they set. It is made anew each morning from what is left, so what was missed moves on by itself. Days are China's, counted
 * as in rules/exam/schedule.ts; all durations are whole seconds.
 */
export interface PlanStep {
  kind: 'lesson' | 'practice';
  /** Of a lesson its id, of a practice that of its chapter. */
  id: number;
  /** With which chapter it can be left out; null: it stands at the top of its course. */
  chapterId: number | null;
  /** What is left of a lesson; of a practice it follows from `count`. */
  seconds: number;
  /** Questions of a practice that were never answered. */
  count: number;
}

export interface PlanPaper {
  id: number;
  seconds: number;
  taken: boolean;
}

export interface PlanPack {
  packId: number;
  /** Null: no date is set, it goes on at a steady pace. Today or past: nothing is planned. */
  examDay: number | null;
  /** In the order in which they are studied, which a plan never changes. */
  steps: readonly PlanStep[];
  /** All of them in their order, taken ones too: a paper keeps its place when one before it is taken. */
  papers: readonly PlanPaper[];
  /** That one question takes. */
  questionSeconds: number;
  /** Questions that are still to be reviewed today, and at most a day. */
  reviewsToday: number;
  reviewSize: number;
  /** Questions that come due on days after today. */
  due: ReadonlyMap<number, number>;
}

export interface PlanInput {
  today: number;
  /** From Monday to Sunday; 0: a day off. */
  minutes: readonly number[];
  /** Seconds of today that are used: what was planned and is done. */
  spent: number;
  /** In the order in which they are named. */
  packs: readonly PlanPack[];
}

export interface PlanTask {
  kind: PlanKind;
  packId: number;
  /** As in its step, of a paper its exam; of a review 0. */
  id: number;
  chapterId: number | null;
  seconds: number;
  /** Questions of a practice or review. */
  count: number;
  /** More of the same lesson or chapter follows on another day. */
  part: boolean;
}

interface PlanDay {
  day: number;
  /** That the student gives to it. */
  seconds: number;
  tasks: PlanTask[];
}

/** What does not fit before the exam of a pack. */
interface Lacking {
  packId: number;
  seconds: number;
}

interface Plan {
  /** From today on, a week at least and without a gap, until everything is laid out. */
  days: PlanDay[];
  lacking: Lacking[];
  /** The day on which the last lesson and question of a pack is seen, by pack; none: everything is seen, or it does not fit. */
  finish: Map<number, number>;
}

/** What might be left out so that the rest fits. */
interface Leave {
  packId: number;
  kind: 'chapter' | 'paper';
  id: number;
  seconds: number;
}

/** The farthest day that is looked at. */
const LONGEST = 730;
/** Nobody sits down for less of a lesson or a chapter, unless less is left or the day is short (`pieceOf`). */
const LEAST = 600;
/** A lesson or chapter is finished where it passes the share of its pack by no more. */
const FINISH = 900;
/** Questions that a practice has at least, unless fewer are left. */
const LEAST_QUESTIONS = 5;
/** Papers stand in so many days before the exam, in more where there are more of them. */
const PAPER_DAYS = 28;
/** Days of study from one paper to the next at most: a few of them stand at the very end. */
const PAPER_GAP = 7;
/** Days around the one of a paper that are looked at for more minutes. */
const AROUND = 3;
/** Share of a day that reviews take at most while there is something new to learn. */
const REVIEW_SHARE = 0.6;
/** Share of new questions that come in for review, and after how many days they come due if all goes well (FSRS, decision 022). */
const WRONG = 0.3;
const COMES_AGAIN = [1, 4, 11, 30];
/** Share of the days to come that new things are counted on to get: the rest is for reviews, and for what does not come out even. */
const COUNTED_ON = 0.8;
const LAST_WEEK = 7;
/** A pack whose share of a day is less waits for another day, unless room is left. */
const LEAST_SHARE = 300;

/** A pack while days are filled. */
interface Work {
  pack: PlanPack;
  /** The step that comes next, and what is left of it. */
  at: number;
  left: { seconds: number; count: number };
  /** Seconds of all steps that are left. */
  rest: number;
  papers: Map<number, PlanPaper>;
  /** Papers for which no day was left. */
  homeless: number;
  waiting: number;
  comes: Map<number, number>;
}

const secondsOf = (step: PlanStep, pack: PlanPack) =>
  step.kind === 'practice' ? step.count * pack.questionSeconds : step.seconds;
const leftOf = (step: PlanStep | undefined) => ({ seconds: step?.seconds ?? 0, count: step?.count ?? 0 });

/** From 0, Monday, to 6: 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (day + 3) % 7;
}

/** Lays the work of all packs out over the days to come. */
export function makePlan(input: PlanInput): Plan {
  return layOut(input, false);
}

/** Whether all of it fits before the exams: as `makePlan` finds it, as soon as it can be known. */
export function fits(input: PlanInput): boolean {
  return layOut(input, true).lacking.length === 0;
}

/** @param brief ends with the first pack that does not fit, or as soon as all that have a date do */
function layOut({ today, minutes, spent, packs }: PlanInput, brief: boolean): Plan {
  const budget = (day: number) => (minutes[weekdayOf(day)] ?? 0) * 60;
  // A day that is used up takes no paper any more.
  const from = spent >= budget(today) ? today + 1 : today;
  const ahead = packs.filter(({ examDay }) => examDay === null || examDay > today);
  const paperDays = new Set<number>();
  const works = ahead
    .map((pack) => workOf(pack))
    .sort((a, b) => (a.pack.examDay ?? Number.POSITIVE_INFINITY) - (b.pack.examDay ?? Number.POSITIVE_INFINITY));
  for (const work of works) placePapers(work, { from, budget, paperDays });
  const days: PlanDay[] = [];
  const finish = new Map<number, number>();
  const hopeless = brief && neverFit(works, today, budget);
  const capacity = capacities(works, today, budget);
  for (let day = today; !hopeless && day < today + LONGEST; day += 1) {
    if (brief && works.some(({ pack: { examDay }, rest }) => examDay !== null && examDay <= day && rest > 0)) break;
    const open = works.filter(({ pack }) => pack.examDay === null || pack.examDay > day);
    if (brief && open.every(({ pack, rest }) => pack.examDay === null || rest === 0)) break;
    const more = open.some(
      (work) => work.at < work.pack.steps.length || [...work.papers.keys()].some((on) => on >= day),
    );
    if (!more && day >= today + LAST_WEEK) break;
    const seconds = budget(day);
    const room = day === today ? Math.max(0, seconds - spent) : seconds;
    const tasks = fillDay(open, { day, today, room, piece: pieceOf(seconds), capacity });
    for (const { pack, at } of open)
      if (at >= pack.steps.length && pack.steps.length > 0 && !finish.has(pack.packId)) finish.set(pack.packId, day);
    days.push({ day, seconds, tasks });
  }
  const lacking = works.flatMap(({ pack: { packId, examDay }, rest, homeless }) => {
    const seconds = rest + homeless;
    return examDay !== null && examDay <= today + LONGEST && seconds > 0 ? [{ packId, seconds }] : [];
  });
  return { days, lacking, finish };
}

/** Whether something does not fit however the days are filled: a paper without a day, or more to learn than there is time. */
function neverFit(works: readonly Work[], today: number, budget: (day: number) => number): boolean {
  let time = 0;
  let need = 0;
  let day = today;
  for (const { pack, rest, homeless } of works) {
    if (pack.examDay === null || pack.examDay > today + LONGEST) break;
    for (; day < pack.examDay; day += 1) time += budget(day);
    need += rest;
    if (homeless > 0 || need > time) return true;
  }
  return false;
}

function workOf(pack: PlanPack): Work {
  return {
    pack,
    at: 0,
    left: leftOf(pack.steps[0]),
    rest: pack.steps.reduce((sum, step) => sum + secondsOf(step, pack), 0),
    papers: new Map(),
    homeless: 0,
    waiting: 0,
    comes: new Map(pack.due),
  };
}

/** What is begun of something new on a day at least: so much of a short day is never taken by reviews, or nothing new would fit for weeks. */
function pieceOf(budget: number): number {
  return Math.min(LEAST, Math.floor(budget / 2));
}

interface Calendar {
  /** The first day that can have a paper. */
  from: number;
  budget: (day: number) => number;
  /** Days that have a paper, of whichever pack. */
  paperDays: Set<number>;
}

/**
 * Gives each paper that is not taken a day. Papers stand at even distances in the last weeks, counted from the exam and with those
 * that are taken, so that their days do not move as time goes by; never two on one day. What was missed gets the free day
 * that is farthest from other papers.
 */
function placePapers(work: Work, { from, budget, paperDays }: Calendar): void {
  const { examDay, papers } = work.pack;
  if (examDay === null) {
    placeSteadily(work, { from, budget, paperDays });
    return;
  }
  const begin = examDay - Math.max(PAPER_DAYS, papers.length + 1);
  const study = (first: number) =>
    Array.from({ length: Math.max(0, Math.min(LONGEST, examDay - first)) }, (_, at) => first + at).filter(
      (day) => budget(day) > 0,
    );
  const all = study(begin);
  // The eve stays free where that can be.
  const window = all.length > 1 ? all.slice(0, -1) : all;
  const gap = Math.min(PAPER_GAP, Math.max(1, Math.floor(window.length / Math.max(1, papers.length))));
  const open: PlanPaper[] = [];
  const chosen: number[] = [];
  const own = new Set<number>();
  for (const [at, paper] of papers.entries()) {
    const wished = window[window.length - 1 - (papers.length - 1 - at) * gap];
    const free = window.filter((day) => !paperDays.has(day) && !own.has(day));
    const day = wished === undefined ? undefined : roomiest(wished, paper.seconds, free, budget);
    // The day of a paper that is taken stays its own, so that the others stay where they are.
    if (day !== undefined) own.add(day);
    if (paper.taken) continue;
    open.push(paper);
    if (day === undefined || day < from) continue;
    chosen.push(day);
    paperDays.add(day);
  }
  const free = study(from).filter((day) => !paperDays.has(day));
  while (chosen.length < open.length && free.length > 0) {
    const apart = (day: number) => Math.min(examDay - day, ...chosen.map((other) => Math.abs(other - day)));
    const best = free.reduce((found, day) => (apart(day) > apart(found) ? day : found));
    chosen.push(best);
    paperDays.add(best);
    free.splice(free.indexOf(best), 1);
  }
  give(work, open, chosen);
}

/** Without a date: a paper a week, once all else is seen. */
function placeSteadily(work: Work, { from, budget, paperDays }: Calendar): void {
  if (work.pack.steps.length > 0) return;
  const open = work.pack.papers.filter(({ taken }) => !taken);
  const days: number[] = [];
  for (let day = from; days.length < open.length && day < from + LONGEST; day += 1) {
    const last = days.at(-1);
    if (budget(day) === 0 || paperDays.has(day) || (last !== undefined && day < last + 7)) continue;
    days.push(day);
    paperDays.add(day);
  }
  give(work, open, days);
}

function give(work: Work, papers: readonly PlanPaper[], days: readonly number[]): void {
  const inOrder = days.toSorted((a, b) => a - b);
  for (const [at, paper] of papers.entries()) {
    const day = inOrder[at];
    if (day === undefined) work.homeless += paper.seconds;
    else work.papers.set(day, paper);
  }
}

/** Of the free days around one, the nearest that has room for a paper; if none has, the one with most. */
function roomiest(
  wished: number,
  seconds: number,
  free: readonly number[],
  budget: Calendar['budget'],
): number | undefined {
  const near = free
    .filter((day) => Math.abs(day - wished) <= AROUND)
    .sort((a, b) => Math.abs(a - wished) - Math.abs(b - wished) || a - b);
  const fitting = near.find((day) => budget(day) >= seconds);
  return fitting ?? near.toSorted((a, b) => budget(b) - budget(a))[0];
}

/** Seconds for new things from a day on up to a day (not with it), as far as they can be counted on. */
type Capacity = (from: number, until: number) => number;

function capacities(works: readonly Work[], today: number, budget: (day: number) => number): Capacity {
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

function fillDay(open: readonly Work[], { day, today, room, piece, capacity }: Today): PlanTask[] {
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

/** Names what a task is about: the same on every day. */
export function keyOf({ kind, packId, id }: Pick<PlanTask, 'kind' | 'packId' | 'id'>): string {
  return `${kind}:${packId}:${id}`;
}

/** More minutes on each day of study, in steps, by which all would fit; null: not even the longest days are enough. */
export function moreMinutes(input: PlanInput, { step, most }: { step: number; most: number }): number | null {
  const longer = (more: number): PlanInput => ({
    ...input,
    minutes: input.minutes.map((of) => (of === 0 ? 0 : Math.min(most, of + more))),
  });
  const enough = (steps: number) => fits(longer(steps * step));
  let above = Math.ceil((most - Math.min(most, ...input.minutes.filter((of) => of > 0))) / step);
  if (!enough(above)) return null;
  let below = 0;
  while (above - below > 1) {
    const middle = Math.floor((above + below) / 2);
    if (enough(middle)) above = middle;
    else below = middle;
  }
  return above * step;
}

/** Papers of a pack that are the last to be left out, one for each week that is left. */
const KEEP_PAPERS = 3;
/** Plans that are tried to find what to leave out. */
const MOST_TRIES = 12;

/**
 * What might be left out so that the rest fits, from the end of each pack that does not: papers beyond the first three, then whole
 * chapters that are not begun, then papers. Empty: nothing does not fit.
 */
export function whatToLeave(input: PlanInput, { lacking: first }: Pick<Plan, 'lacking'>): Leave[] {
  const leaves: Leave[] = [];
  let lacking = first;
  const candidates = new Map(lacking.map(({ packId }) => [packId, leavable(input, packId)]));
  for (let tries = 0; lacking.length > 0 && tries < MOST_TRIES; tries += 1) {
    let found = false;
    for (const { packId, seconds } of lacking) {
      const some = candidates.get(packId) ?? [];
      // Far from fitting a try takes much at once.
      for (let freed = 0; freed < seconds / (1 + tries / 2); ) {
        const leave = some.shift();
        if (leave === undefined) break;
        leaves.push(leave);
        freed += leave.seconds;
        found = true;
      }
    }
    if (!found) break;
    lacking = makePlan(without(input, leaves)).lacking;
  }
  return leaves;
}

function leavable({ today, packs }: PlanInput, packId: number): Leave[] {
  const pack = packs.find((one) => one.packId === packId);
  if (!pack) return [];
  // Shortly before an exam a paper takes the day in which something could still be learned.
  const keep = Math.min(KEEP_PAPERS, Math.floor(((pack.examDay ?? today) - today) / 7));
  const papers = pack.papers
    .filter(({ taken }) => !taken)
    .map(({ id, seconds }): Leave => ({ packId, kind: 'paper', id, seconds }));
  const begun = pack.steps[0]?.chapterId ?? null;
  const chapters = new Map<number, Leave>();
  for (const step of pack.steps) {
    if (step.chapterId === null || step.chapterId === begun) continue;
    const known = chapters.get(step.chapterId)?.seconds ?? 0;
    const seconds = known + secondsOf(step, pack);
    chapters.set(step.chapterId, { packId, kind: 'chapter', id: step.chapterId, seconds });
  }
  return [...papers.slice(keep).reverse(), ...[...chapters.values()].reverse(), ...papers.slice(0, keep).reverse()];
}

/** The same work without what is left out. */
export function without(input: PlanInput, leaves: readonly Pick<Leave, 'packId' | 'kind' | 'id'>[]): PlanInput {
  const out = new Set(leaves.map(({ packId, kind, id }) => `${packId} ${kind} ${id}`));
  return {
    ...input,
    packs: input.packs.map((pack) => ({
      ...pack,
      steps: pack.steps.filter(({ chapterId }) => !out.has(`${pack.packId} chapter ${chapterId}`)),
      papers: pack.papers.filter(({ id }) => !out.has(`${pack.packId} paper ${id}`)),
    })),
  };
}
