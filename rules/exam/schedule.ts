import { computeDecayFactor, FSRSAlgorithm, generatorParameters } from 'ts-fsrs';

/**
 * Review before the date of the exam (decision 022): FSRS says how a memory grows and fades, this file says what is reviewed
 * today. A day is China's, counted from 1970-01-01 (`dayOf`); moments are epoch milliseconds of the server.
 */
export interface Card {
  /** Not asked before this moment, unless today's set has room. */
  due: number;
  /** FSRS: days until recall falls to 90%. */
  stability: number;
  /** FSRS: 1 (easy) to 10. */
  difficulty: number;
  /** Reviews so far; the answer by which the question came in is none. */
  reps: number;
  /** How many of them were rated again; the first does not count, for nothing was learned before it. */
  lapses: number;
  /** The last review, or when the question came in. */
  lastReviewAt: number;
  /** Sum of the recall that FSRS foretold at each review but the first: with reps and lapses it tells how fast this student forgets. */
  foretold: number;
}

export type Rating = 'again' | 'hard' | 'good';

/** The student's wish and the moment, for what is decided about all cards of a pack. */
export interface ReviewDay {
  now: number;
  /** Most questions a day, as the student chose. */
  size: number;
  /** China day number of the exam; null, or not after today: no exam is ahead. */
  examDay: number | null;
}

/** The load of one day. */
interface DayLoad {
  /** China day number. */
  day: number;
  /** What comes due on that day; today also what was due before. */
  due: number;
  /** What is reviewed: never more than the size of the set. */
  reviews: number;
  /** What the cap leaves for the next day. */
  carried: number;
}

const DAY = 86_400_000;
/** China keeps one time, eight hours ahead of UTC. */
const CHINA = 8 * 60 * 60 * 1000;
/** The last days before the exam in which every question is seen again. */
const LAST_WEEK = 7;
/** A review is judged by what is recalled so many days later, or at the exam if that is nearer: later reviews build on it. */
const HORIZON = 3;
/** What is not due yet comes only if a review adds so much recall: nobody is asked for the sake of the number. */
const LEAST_WORTH = 0.01;
/** Bounds of `pace`, and how many reviews of a student who forgets as FSRS says it begins with. */
const FASTEST = 10;
const PRIOR = 30;

const gradeOf = { again: 1, hard: 2, good: 3 } as const;
// No steps of minutes: a question is asked once a day. No fuzz: a rule draws no lots.
const parameters = generatorParameters({ enable_fuzz: false, enable_short_term: false });
const fsrs = new FSRSAlgorithm(parameters);
const { decay, factor } = computeDecayFactor(parameters.w);

/** The day in China of a moment, counted from 1970-01-01. */
export function dayOf(at: number): number {
  return Math.floor((at + CHINA) / DAY);
}

/** The number of a calendar day in China (YYYY-MM-DD); null when it is none. */
export function dayFrom(text: string): number | null {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  const at = Date.UTC(year, month - 1, day);
  return year > 0 && dateOf(at / DAY) === text ? at / DAY : null;
}

/** Whether a student may set this day as that of their exam: today or later in China. One that passes afterwards is scheduled against no more (`daysLeft`). */
export function mayBeExamDay(examDay: number, now: number): boolean {
  return examDay >= dayOf(now);
}

/** The calendar day (YYYY-MM-DD) of a day number: what `dayFrom` reads. */
export function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** When a day begins in China, epoch milliseconds. */
export function startOfDay(day: number): number {
  return day * DAY - CHINA;
}

/**
 * The card of a question that comes in: wrongly answered is rated again, guessed hard, collected good. It is asked from the
 * next day on.
 */
export function newCard(rating: Rating, now: number, examDay: number | null): Card {
  const { stability, difficulty } = fsrs.next_state(null, 0, gradeOf[rating]);
  const due = dueAfter(stability, 0, now, examDay);
  return { due, stability, difficulty, reps: 0, lapses: 0, lastReviewAt: now, foretold: 0 };
}

/**
 * The card after a review. It is due again by FSRS, but before the exam, and not before now.
 * @param now may be before the last review, when a clock was set back: no time has passed then
 * @param examDay China day number; null: no exam is ahead
 */
export function reviewCard(card: Card, rating: Rating, now: number, examDay: number | null): Card {
  const memory = memoryOf(card);
  const elapsed = elapsedDays(card, dayOf(now));
  const { stability, difficulty } = fsrs.next_state(memory, elapsed, gradeOf[rating]);
  return {
    due: dueAfter(stability, elapsed, now, examDay),
    stability,
    difficulty,
    reps: card.reps + 1,
    lapses: card.lapses + (card.reps > 0 && rating === 'again' ? 1 : 0),
    lastReviewAt: now,
    foretold: card.foretold + (card.reps > 0 ? recall(elapsed, memory.stability) : 0),
  };
}

/**
 * The card after any graded answer to its question, wherever it was given. A question is reviewed once a day: what is answered
 * again on the day of its last review, or of its coming in, says nothing new, unless it is wrong where it had been reviewed.
 */
export function afterAnswer(card: Card, rating: Rating, now: number): Card {
  const sameDay = dayOf(card.lastReviewAt) === dayOf(now);
  if (sameDay && (rating !== 'again' || card.reps === 0)) return card;
  // The date of the exam is held when today's set is made: the student may set it later.
  return reviewCard(card, rating, now, null);
}

/**
 * What is still to be reviewed today, in this order: at most `size` questions a day, none twice. What is due comes first, then,
 * with an exam ahead, what is not due but worth it, both by the rise of expected recall that a review brings. In the last week
 * before the exam what was not seen in it precedes both, so many a day that all get their turn, those that keep best on
 * the first days; if not all fit, those that gain most.
 */
export function dailySet<I extends { card: Card }>(items: readonly I[], { now, size, examDay }: ReviewDay): I[] {
  const today = dayOf(now);
  const left = daysLeft(examDay, today);
  const done = reviewedOn(items, today);
  const room = Math.max(0, whole(size) - done);
  if (room === 0) return [];
  const ahead = Math.min(HORIZON, left ?? HORIZON);
  const speed = pace(items);
  const rank = (some: readonly I[]) =>
    some
      .map((item) => ({ item, worth: worth(item.card, today, ahead, speed) }))
      .sort((a, b) => b.worth - a.worth || a.item.card.due - b.item.card.due);

  const open = items.filter(({ card }) => dayOf(card.lastReviewAt) !== today);
  const again = new Set<I>();
  if (left !== null && left <= LAST_WEEK) {
    const unseen = open.filter(({ card }) => !seenSince(card, today + left - LAST_WEEK));
    const fitting = rank(unseen).slice(0, room + whole(size) * (left - 1));
    const share = Math.min(room, shareOfDay(fitting.length, left, done));
    const keepBest = fitting.toSorted((a, b) => b.item.card.stability - a.item.card.stability).slice(0, share);
    for (const { item } of keepBest.sort((a, b) => b.worth - a.worth)) again.add(item);
  }
  const rest = room - again.size;
  const due: I[] = [];
  const later: I[] = [];
  for (const item of open) if (!again.has(item)) (dueDay(item.card, examDay, today) <= today ? due : later).push(item);
  const chosen = rank(due).slice(0, rest);
  if (left !== null && chosen.length < rest) chosen.push(...rank(later).filter(({ worth }) => worth >= LEAST_WORTH));
  return [...again, ...chosen.slice(0, rest).map(({ item }) => item)];
}

/** Cards that stand alike, for what is only counted: how many of one due day, day of the last review and kind. */
export interface CardGroup {
  card: Pick<Card, 'due' | 'reps' | 'lastReviewAt'>;
  count: number;
}

/**
 * How many questions `dailySet` would give, from cards that are only counted; null: that hangs on what each of them is worth. Where as
 * many are due as there is room for, or no exam is ahead, which ones is not asked.
 */
export function dailyCount(groups: readonly CardGroup[], { now, size, examDay }: ReviewDay): number | null {
  const today = dayOf(now);
  const room = Math.max(0, whole(size) - reviewedOn(groups, today));
  let due = 0;
  for (const { card, count } of groups)
    if (dayOf(card.lastReviewAt) !== today && dueDay(card, examDay, today) <= today) due += count;
  if (due >= room) return room;
  return daysLeft(examDay, today) === null ? due : null;
}

/**
 * The load of the next days, from today on, to the day before the exam at most. Each card counts as it stands: nobody knows
 * how it will be rated. In the last week what was not seen in it is spread evenly.
 */
export function forecast(
  items: readonly (Omit<CardGroup, 'count'> & { count?: number })[],
  { now, size, examDay, days }: ReviewDay & { days: number },
): DayLoad[] {
  const today = dayOf(now);
  const left = daysLeft(examDay, today);
  const count = Math.min(whole(days), left ?? Number.POSITIVE_INFINITY);
  const cap = whole(size);
  const done = reviewedOn(items, today);
  const week = left === null ? Number.POSITIVE_INFINITY : today + left - LAST_WEEK;
  const comes = new Map<number, number>();
  // What is still to be seen in the last week: before it that is every question.
  let unseen = 0;
  for (const { card, count: alike = 1 } of items) {
    const seen = seenSince(card, week);
    if (!seen) unseen += alike;
    const soonest = dayOf(card.lastReviewAt) === today ? today + 1 : today;
    const day = Math.max(dueDay(card, examDay, today), soonest);
    if (day < week || seen) comes.set(day, (comes.get(day) ?? 0) + alike);
  }
  const loads: DayLoad[] = [];
  let carried = 0;
  for (let day = today; day < today + count; day += 1) {
    // What is carried into the week is among what is to be seen in it.
    if (day === week) carried = 0;
    const before = day === today ? done : 0;
    const share = left !== null && day >= week ? shareOfDay(unseen, today + left - day, before) : 0;
    unseen -= share;
    const due = (comes.get(day) ?? 0) + share;
    const reviews = Math.min(Math.max(0, cap - before), carried + due);
    carried += due - reviews;
    loads.push({ day, due, reviews, carried });
  }
  return loads;
}

/** Whether a day is one of the last before the exam, in which every question is seen again. */
export function inLastWeek(examDay: number | null, today: number): boolean {
  const left = daysLeft(examDay, today);
  return left !== null && left <= LAST_WEEK;
}

/** Days from today to the exam; null when none is ahead. */
function daysLeft(examDay: number | null, today: number): number | null {
  return examDay !== null && examDay > today ? examDay - today : null;
}

/** When a card is due after a review: by FSRS, at most the day before the exam, and then not before now. */
function dueAfter(stability: number, elapsed: number, now: number, examDay: number | null): number {
  const today = dayOf(now);
  const left = daysLeft(examDay, today);
  const interval = fsrs.next_interval(stability, elapsed);
  // The library overruns its own longest interval by days, so the date is held here and not by its settings.
  const day = today + (left === null ? interval : Math.min(interval, left - 1));
  return Math.max(now, startOfDay(day));
}

/** The day a card is due on, by an exam that may have been set or moved since its review. */
function dueDay(card: Pick<Card, 'due'>, examDay: number | null, today: number): number {
  const left = daysLeft(examDay, today);
  return Math.min(dayOf(card.due), left === null ? Number.POSITIVE_INFINITY : today + left - 1);
}

/** What FSRS knows of a card, within the bounds beyond which the library throws. */
function memoryOf({ stability, difficulty }: Card): { stability: number; difficulty: number } {
  return { stability: within(stability, 0.001, 36_500), difficulty: within(difficulty, 1, 10) };
}

function within(value: number, least: number, most: number): number {
  return value >= least ? Math.min(value, most) : least;
}

/** A count that somebody gave: whole and not negative. */
function whole(count: number): number {
  return count >= 1 ? Math.floor(count) : 0;
}

/** Days since the last review; none when the clock was set back. */
function elapsedDays({ lastReviewAt }: Card, today: number): number {
  return Math.max(0, today - dayOf(lastReviewAt));
}

/** How many of them were reviewed on a day; coming in is no review. */
export function reviewedOn(
  items: readonly { card: Pick<Card, 'reps' | 'lastReviewAt'>; count?: number }[],
  day: number,
): number {
  let reviewed = 0;
  for (const { card, count = 1 } of items) if (card.reps > 0 && dayOf(card.lastReviewAt) === day) reviewed += count;
  return reviewed;
}

/** Of what is to be seen in the days left: how much of it today. What was reviewed today counts, for the share comes first. */
function shareOfDay(unseen: number, left: number, done: number): number {
  return Math.max(0, Math.ceil((unseen + done) / left) - done);
}

function seenSince({ lastReviewAt }: Pick<Card, 'lastReviewAt'>, day: number): boolean {
  return dayOf(lastReviewAt) >= day;
}

/** FSRS's curve of forgetting. */
function recall(elapsed: number, stability: number): number {
  return (1 + (factor * elapsed) / stability) ** decay;
}

/** The elapsed time, in stabilities, after which recall has fallen so far. */
function elapsedAt(recalled: number): number {
  return (recalled ** (1 / decay) - 1) / factor;
}

/**
 * How many times faster this student forgets than FSRS foretold: 1 to 10, by all reviews so far. It decides what comes first and
 * moves no date: who reviews badly for a day does not find all dates changed.
 */
function pace(items: readonly { card: Card }[]): number {
  // The usual student stands for the first reviews, recalling what FSRS aims at.
  let reviews = PRIOR;
  let foretold = PRIOR * parameters.request_retention;
  let recalled = PRIOR * parameters.request_retention;
  for (const { card } of items) {
    if (card.reps < 2) continue;
    reviews += card.reps - 1;
    foretold += card.foretold;
    recalled += card.reps - 1 - card.lapses;
  }
  const found = elapsedAt(within(recalled / reviews, 0.05, 0.99)) / elapsedAt(within(foretold / reviews, 0.05, 0.99));
  return within(found, 1, FASTEST);
}

/** How much likelier a question is recalled `ahead` days from now if it is reviewed today than if it is not. */
function worth(card: Card, today: number, ahead: number, speed: number): number {
  const memory = memoryOf(card);
  const elapsed = elapsedDays(card, today) * speed;
  const then = ahead * speed;
  const knows = recall(elapsed, memory.stability);
  const after = (grade: number) => recall(then, fsrs.next_state(memory, elapsed, grade, knows).stability);
  const reviewed = knows * after(gradeOf.good) + (1 - knows) * after(gradeOf.again);
  return reviewed - recall(elapsed + then, memory.stability);
}
