import {
  type Card,
  dailyCount,
  dailySet,
  dayOf,
  forecast,
  newCard,
  reviewCard,
  startOfDay,
} from '#rules/exam/schedule.ts';
import { makePlan } from '#rules/plan/plan.ts';
import type { PlanInput, PlanPaper, PlanStep } from '#rules/plan/work.ts';
import { median, report } from './measure.ts';

/**
 * What the plan of a student is worth (decision 046): simulated students with one pack, from their first evening to the exam. Each
 * morning the plan is made anew from what is left, as the server does; the students do of today's list what their kind does. Reported is the
 * share of lessons seen, of questions answered once, of wrong questions answered again before the exam, and of papers sat, as the
 * lowest of all students of a kind; and what the plan said on the first day.
 *
 * Stated: 60 days; 48 lessons of 12 to 45 minutes in 24 chapters; 40 questions a chapter; four papers of 90 minutes; a question
 * takes 40 to 70 s, which the plan knows; 15 to 45% of new questions are wrong, of reviews half as many; at most 20 reviews a day.
 */
const EXAM = 60;
const CHAPTERS = 24;
const PER_CHAPTER = 40;
const ROUNDS = 20;
const FIRST = 20_780;
const HOUR = 3_600_000;
const REVIEW_SIZE = 20;

type Chance = () => number;

/** Numbers in [0, 1) from a seed (mulberry32). */
function chance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a student does on a day: the share of the minutes that they set. */
interface Kind {
  name: string;
  minutes: number;
  does: (day: number) => number;
}
const kinds: Kind[] = [
  { name: 'follows', minutes: 75, does: () => Number.POSITIVE_INFINITY },
  { name: 'misses_every_third_day', minutes: 75, does: (day) => (day % 3 === 2 ? 0 : Number.POSITIVE_INFINITY) },
  { name: 'half_the_minutes', minutes: 75, does: () => 0.5 },
  { name: 'short_days', minutes: 20, does: () => Number.POSITIVE_INFINITY },
  { name: 'too_little_time', minutes: 45, does: () => Number.POSITIVE_INFINITY },
];

interface Outcome {
  lessons: number;
  questions: number;
  again: number;
  papers: number;
  /** Days of study one after the other, before the last week, on which the plan had nothing new. */
  still: number;
  /** Hours that the first plan said to be lacking. */
  lacking: number;
  /** Days to the exam on which the plan first said that it does not fit. */
  saidAt: number | null;
}

function study(kind: Kind, seed: number): Outcome {
  const draw = chance(seed);
  const wrongShare = 0.15 + 0.3 * draw();
  const each = Math.round(40 + 30 * draw());
  const lessons = Array.from({ length: CHAPTERS * 2 }, () => Math.round((12 + 33 * draw()) * 60));
  const left = [...lessons];
  const open = Array.from({ length: CHAPTERS }, () => PER_CHAPTER);
  const papers: PlanPaper[] = [1, 2, 3, 4].map((id) => ({ id, seconds: 90 * 60, taken: false }));
  const cards: { card: Card; again: boolean }[] = [];
  const examDay = FIRST + EXAM;
  let lacking = 0;
  let saidAt: number | null = null;
  let still = 0;
  let longestStill = 0;
  for (let at = 0; at < EXAM; at += 1) {
    const today = FIRST + at;
    const now = startOfDay(today) + 20 * HOUR;
    const day = { now, size: REVIEW_SIZE, examDay };
    const groups = cards.map(({ card }) => ({ card, count: 1 }));
    const plan = makePlan(inputOf());
    if (at === 0) lacking = plan.lacking.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
    if (plan.lacking.length > 0) saidAt ??= EXAM - at;
    still = plan.days[0]?.tasks.some(({ kind: what }) => what !== 'review') ? 0 : still + 1;
    if (at < EXAM - 7) longestStill = Math.max(longestStill, still);
    let time = kind.does(at) === 0 ? 0 : kind.does(at) * kind.minutes * 60;
    for (const { kind: what, id, seconds, count } of plan.days[0]?.tasks ?? []) {
      // Who runs out of time leaves a task in the middle; a paper is not begun then.
      const part = what === 'paper' && time < seconds ? 0 : Math.min(1, time / seconds);
      const some = Math.floor(count * part);
      time -= seconds * part;
      if (what === 'lesson') left[id - 1] = Math.max(0, Math.round((left[id - 1] ?? 0) - seconds * part));
      if (what === 'paper' && part === 1) for (const paper of papers) if (paper.id === id) paper.taken = true;
      if (what === 'practice') {
        open[id - 1] = (open[id - 1] ?? 0) - some;
        for (let n = 0; n < some; n += 1)
          if (draw() < wrongShare) cards.push({ card: newCard('again', now, examDay), again: false });
      }
      if (what === 'review')
        for (const item of dailySet(cards, day).slice(0, some)) {
          item.card = reviewCard(item.card, draw() < wrongShare / 2 ? 'again' : 'good', now, examDay);
          item.again = true;
        }
    }

    function inputOf(): PlanInput {
      const steps: PlanStep[] = open.flatMap((count, chapter): PlanStep[] => [
        ...[2 * chapter, 2 * chapter + 1].flatMap((lesson): PlanStep[] => {
          const seconds = left[lesson] ?? 0;
          return seconds > 0 ? [{ kind: 'lesson', id: lesson + 1, chapterId: chapter + 1, seconds, count: 0 }] : [];
        }),
        ...(count > 0
          ? [{ kind: 'practice', id: chapter + 1, chapterId: chapter + 1, seconds: 0, count } satisfies PlanStep]
          : []),
      ]);
      const due = forecast(groups, { ...day, days: EXAM }).flatMap((of): [number, number][] =>
        of.day > dayOf(now) ? [[of.day, of.due]] : [],
      );
      const reviewsToday = dailyCount(groups, day) ?? dailySet(cards, day).length;
      const work = { packId: 1, examDay, steps, papers, questionSeconds: each, reviewSize: REVIEW_SIZE };
      return {
        today,
        minutes: Array.from({ length: 7 }, () => kind.minutes),
        spent: 0,
        packs: [{ ...work, reviewsToday, due: new Map(due) }],
      };
    }
  }
  const share = (done: number, of: number) => (of === 0 ? 1 : done / of);
  return {
    lessons: share(left.filter((of) => of === 0).length, left.length),
    questions: 1 - open.reduce((sum, of) => sum + of, 0) / (CHAPTERS * PER_CHAPTER),
    again: share(cards.filter(({ again }) => again).length, cards.length),
    papers: share(papers.filter(({ taken }) => taken).length, papers.length),
    still: longestStill,
    lacking,
    saidAt,
  };
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
for (const kind of kinds) {
  const found = Array.from({ length: ROUNDS }, (_, round) => study(kind, 700 + round));
  const least = (of: (outcome: Outcome) => number) => Math.min(...found.map(of));
  const said = found.flatMap(({ saidAt }) => saidAt ?? []);
  report({
    name: `plan_${kind.name}`,
    value:
      Math.min(
        least((of) => of.lessons),
        least((of) => of.questions),
        least((of) => of.again),
      ) * 100,
    unit: '%',
    detail:
      `least of ${ROUNDS} students with ${kind.minutes} min a day: lessons ${percent(least((of) => of.lessons))}, ` +
      `questions ${percent(least((of) => of.questions))}, wrong ones again ${percent(least((of) => of.again))}, papers ${percent(least((of) => of.papers))}; ` +
      `at most ${Math.max(...found.map((of) => of.still))} days running with nothing new; ` +
      `said to be lacking on the first day ${median(found.map(({ lacking }) => lacking)).toFixed(1)} h (median); ` +
      `${said.length} of them told that it does not fit${said.length > 0 ? `, first ${median(said)} days before the exam (median)` : ''}`,
  });
}
