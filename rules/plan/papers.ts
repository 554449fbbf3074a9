import { LONGEST, type PlanPaper, type Work } from './work.ts';

/** Papers stand in so many days before the exam, in more where there are more of them. */
const PAPER_DAYS = 28;
/** Days of study from one paper to the next at most: a few of them stand at the very end. */
const PAPER_GAP = 7;
/** Days around the one of a paper that are looked at for more minutes. */
const AROUND = 3;

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
export function placePapers(work: Work, { from, budget, paperDays }: Calendar): void {
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
