import { capacities, fillDay } from './day.ts';
import { placePapers } from './papers.ts';
import { LAST_WEEK, LEAST, LONGEST, type PlanInput, type PlanTask, type Work, workOf } from './work.ts';

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

export interface Plan {
  /** From today on, a week at least and without a gap, until everything is laid out. */
  days: PlanDay[];
  lacking: Lacking[];
  /** The day on which the last lesson and question of a pack is seen, by pack; none: everything is seen, or it does not fit. */
  finish: Map<number, number>;
}

/** From 0, Monday, to 6: 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (day + 3) % 7;
}

/**
 * The plan of a student from today to the exam (docs/decisions/046-plan.md): what to do on which day within the minutes that
 * they set. It is made anew each morning from what is left, so what was missed moves on by itself. Days are China's, counted
 * as in rules/exam/schedule.ts; all durations are whole seconds.
 */
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

/** What is begun of something new on a day at least: so much of a short day is never taken by reviews, or nothing new would fit for weeks. */
function pieceOf(budget: number): number {
  return Math.min(LEAST, Math.floor(budget / 2));
}

/** Names what a task is about: the same on every day. */
export function keyOf({ kind, packId, id }: Pick<PlanTask, 'kind' | 'packId' | 'id'>): string {
  return `${kind}:${packId}:${id}`;
}
