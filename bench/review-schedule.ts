import { createEmptyCard, FSRS, FSRSAlgorithm, type Card as FsrsCard, generatorParameters, Rating } from 'ts-fsrs';
import { type Card, dailySet, forecast, newCard, reviewCard, startOfDay } from '#rules/exam/schedule.ts';
import { median, report } from './measure.ts';

/**
 * What review before the exam date is worth (decision 022): simulated students with some wrong questions, who review so many a
 * day until the exam; the figure is the expected share recalled on its day. None of them forgets as the scheduler thinks.
 * Every schedule gets the same students and on each day as many reviews as ours took: plain FSRS (ts-fsrs with its default
 * weights, in the order of what is due, ahead of it if nothing is), random order, and as a control a schedule that looks into
 * the student's head (best rise of true recall in three days, all again in the last week): about what there is to be had.
 */
const EXAM = 60;
const SIZE = 20;
/** Questions come in until then. */
const ENTERING = 45;
/** 140 fit into the last week once each, 300 do not, 600 are more than two reviews each. */
const LOADS = [140, 300, 600];
const ROUNDS = 12;
/** Another seed than the one by which the rule was made. */
const SEED = 20_000;
const HOUR = 3_600_000;

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

const normal = (draw: Chance) => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

/** One question in a student's head; a review gives the next. */
interface Memory {
  recall(day: number): number;
  studied(day: number, knew: boolean): Memory;
}

/** The weights of FSRS-5 as published: a steeper curve (a decay of 0.5, not 0.154) and other growth. */
const weights = [
  0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395, 0.11, 0.29605,
  2.2698, 0.2315, 2.9898, 0.51655, 0.6621, 0, 0.5,
];
const other = new FSRSAlgorithm(generatorParameters({ w: weights, enable_short_term: false }));

/** FSRS with other weights; each question is forgotten at its own speed (log-normal, 0.5). */
function otherWeights(draw: Chance, day: number): Memory {
  const slowness = Math.exp(0.5 * normal(draw));
  const at = (last: number, state: ReturnType<typeof other.next_state>): Memory => ({
    recall: (day) => other.forgetting_curve((day - last) / slowness, state.stability),
    studied: (day, knew) => at(day, other.next_state(state, (day - last) / slowness, knew ? 3 : 1)),
  });
  return at(day, other.next_state(null, 0, 1));
}

/**
 * Exponential forgetting: a question keeps 5 days at first (median; log-normal, 0.6), 1.5 to 3 times longer after each
 * review that came when half was forgotten, and half as long after a failed one.
 */
function exponential(draw: Chance, day: number): Memory {
  const first = 5 * Math.exp(0.6 * normal(draw));
  const growth = 0.5 + 1.5 * draw();
  const at = (last: number, keeps: number): Memory => {
    const recall = (day: number) => Math.exp(-(day - last) / keeps);
    return {
      recall,
      studied: (day, knew) =>
        at(
          day,
          knew
            ? keeps * (1 + growth * Math.min(1, 2 * (1 - recall(day))))
            : Math.max(Math.min(first, keeps), keeps / 2),
        ),
    };
  };
  return at(day, first);
}

interface Learner {
  name: string;
  memory(draw: Chance, day: number): Memory;
  /** How often a known answer is given wrongly, and an unknown one rightly. */
  slip: number;
  guess: number;
}

const learners: Learner[] = [
  { name: 'other_weights', memory: otherWeights, slip: 0, guess: 0 },
  { name: 'exponential', memory: exponential, slip: 0, guess: 0 },
  { name: 'other_weights_noisy', memory: otherWeights, slip: 0.08, guess: 0.25 },
  { name: 'exponential_noisy', memory: exponential, slip: 0.08, guess: 0.25 },
];

interface Item {
  id: number;
  /** The day it came in: answered wrongly, and its analysis read. */
  entered: number;
  memory: Memory;
  /** The last day it was reviewed. */
  last: number;
}

/** What a schedule decides: which questions today, and what it notes of an answer. */
interface Schedule {
  choose(items: Item[], day: number, count: number): Item[];
  note(item: Item, day: number, right: boolean): void;
}

const at = (day: number) => startOfDay(20_000 + day) + 20 * HOUR;
const best = (items: readonly Item[], count: number, of: (item: Item) => number) =>
  items
    .map((item) => ({ item, value: of(item) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, count)
    .map(({ item }) => item);

function ours(): Schedule {
  const cards = new Map<number, Card>();
  const examDay = 20_000 + EXAM;
  const cardOf = ({ id, entered }: Item) => {
    const card = cards.get(id) ?? newCard('again', at(entered), examDay);
    cards.set(id, card);
    return card;
  };
  return {
    choose: (items, day, count) =>
      dailySet(
        items.map((item) => ({ item, card: cardOf(item) })),
        { now: at(day), size: count, examDay },
      ).map(({ item }) => item),
    note: (item, day, right) =>
      cards.set(item.id, reviewCard(cardOf(item), right ? 'good' : 'again', at(day), examDay)),
  };
}

/**
 * Plain FSRS. Without its steps of minutes, which a review a day cannot keep: with them it does worse here.
 * @param entering whether the wrong answer by which a question came in is a rating, as ours takes it, or the card begins blank
 */
function plain(entering: boolean): Schedule {
  const scheduler = new FSRS(generatorParameters({ enable_short_term: false }));
  const cards = new Map<number, FsrsCard>();
  const cardOf = ({ id, entered }: Item) => {
    const known = cards.get(id);
    if (known) return known;
    const blank = createEmptyCard(new Date(at(entered)));
    const card = entering ? scheduler.next(blank, new Date(at(entered)), Rating.Again).card : blank;
    cards.set(id, card);
    return card;
  };
  return {
    choose: (items, _day, count) => best(items, count, (item) => -cardOf(item).due.getTime()),
    note: (item, day, right) =>
      cards.set(item.id, scheduler.next(cardOf(item), new Date(at(day)), right ? Rating.Good : Rating.Again).card),
  };
}
function random(seed: number): Schedule {
  const draw = chance(seed);
  return { choose: (items, _day, count) => best(items, count, draw), note: () => {} };
}

/** Knows what no schedule can: how the student's own memory grows and fades. */
function knowing(): Schedule {
  const rise = ({ memory }: Item, day: number) => {
    const then = Math.min(EXAM, day + 3);
    const knows = memory.recall(day);
    const reviewed =
      knows * memory.studied(day, true).recall(then) + (1 - knows) * memory.studied(day, false).recall(then);
    return reviewed - memory.recall(then);
  };
  return {
    choose: (items, day, count) => {
      const left = EXAM - day;
      const worth = (item: Item) => rise(item, day);
      if (left > 7) return best(items, count, worth);
      const unseen = best(
        items.filter(({ last }) => last < EXAM - 7),
        count * left,
        worth,
      );
      const again = best(unseen, Math.min(count, Math.ceil(unseen.length / left)), ({ memory }) => memory.recall(EXAM));
      const taken = new Set(again);
      const rest = items.filter((item) => !taken.has(item));
      return [...again, ...best(rest, count - again.length, worth)];
    },
    note: () => {},
  };
}

interface Outcome {
  /** Expected share recalled on the day of the exam. */
  recalled: number;
  /** Reviews on each day. */
  reviews: number[];
  /** Share of the questions that were seen again in the last week. */
  seenAgain: number;
}

/** One student by one schedule, with as many reviews a day as given. */
function live(learner: Learner, questions: number, seed: number, schedule: Schedule, counts?: number[]): Outcome {
  const enters = chance(seed);
  const items = Array.from({ length: questions }, (_, id): Item => {
    const entered = Math.floor(enters() * ENTERING);
    return { id, entered, memory: learner.memory(chance(seed * 1000 + id), entered), last: entered };
  });
  const luck = chance(seed + 7);
  const reviews: number[] = [];
  for (let day = 1; day < EXAM; day += 1) {
    const entered = items.filter((item) => item.entered < day);
    const chosen = schedule.choose(entered, day, counts?.[day - 1] ?? SIZE);
    reviews.push(chosen.length);
    for (const item of chosen) {
      const knew = luck() < item.memory.recall(day);
      const right = knew ? luck() >= learner.slip : luck() < learner.guess;
      item.memory = item.memory.studied(day, knew);
      item.last = day;
      schedule.note(item, day, right);
    }
  }
  return {
    recalled: items.reduce((sum, { memory }) => sum + memory.recall(EXAM), 0) / questions,
    reviews,
    seenAgain: items.filter(({ last }) => last >= EXAM - 7).length / questions,
  };
}

const share = (outcomes: readonly Outcome[]) => mean(outcomes.map(({ recalled }) => recalled));
const mean = (figures: readonly number[]) => figures.reduce((sum, one) => sum + one, 0) / figures.length;
function shown(outcomes: readonly Outcome[]): string {
  const shares = outcomes.map(({ recalled }) => 100 * recalled);
  const middle = mean(shares);
  const spread = Math.sqrt(mean(shares.map((share) => (share - middle) ** 2)));
  return `${middle.toFixed(1)}% ± ${spread.toFixed(1)}`;
}

const overPlain: number[] = [];
const overRandom: number[] = [];
/** The same of the schedule that knows the memory. */
const bestOverPlain: number[] = [];
const bestOverRandom: number[] = [];
const seenAgain: number[] = [];
for (const learner of learners)
  for (const questions of LOADS) {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const seed = SEED + round;
      const mine = live(learner, questions, seed, ours());
      const by = (schedule: Schedule) => live(learner, questions, seed, schedule, mine.reviews);
      return { mine, rated: by(plain(true)), blank: by(plain(false)), lots: by(random(seed)), best: by(knowing()) };
    });
    const mine = rounds.map((round) => round.mine);
    const lots = rounds.map((round) => round.lots);
    const best = rounds.map((round) => round.best);
    const [rated, blank] = [rounds.map((round) => round.rated), rounds.map((round) => round.blank)];
    // Against the better of the two ways to begin, in each setting anew.
    const usual = share(rated) > share(blank) ? rated : blank;
    const toPlain = share(mine) / share(usual);
    const toRandom = share(mine) / share(lots);
    overPlain.push(toPlain);
    overRandom.push(toRandom);
    bestOverPlain.push(share(best) / share(usual));
    bestOverRandom.push(share(best) / share(lots));
    if (questions <= 7 * SIZE) seenAgain.push(...mine.map((outcome) => outcome.seenAgain));
    const reviews = mean(mine.map(({ reviews }) => reviews.reduce((sum, count) => sum + count, 0)));
    report({
      name: `review_${learner.name}_${questions}`,
      value: toPlain,
      unit: 'times plain FSRS',
      detail:
        `recalled on the exam date: ours ${shown(mine)}, plain FSRS ${shown(usual)}, random order ${shown(lots)} (${toRandom.toFixed(2)} times that), ` +
        `knowing the memory itself ${shown(best)}; ${questions} questions, ${reviews.toFixed(0)} reviews each`,
    });
  }
const reached = (ratios: readonly number[], goal: number) => ratios.filter((ratio) => ratio >= goal).length;
report({
  name: 'review_over_plain',
  value: mean(overPlain),
  unit: 'times plain FSRS',
  detail: `mean of ${overPlain.length} settings, the goal of 1.1 reached in ${reached(overPlain, 1.1)}, least ${Math.min(...overPlain).toFixed(3)}; knowing the memory itself ${mean(bestOverPlain).toFixed(2)}, in ${reached(bestOverPlain, 1.1)}`,
});
report({
  name: 'review_over_random',
  value: mean(overRandom),
  unit: 'times random order',
  detail: `mean of ${overRandom.length} settings, the goal of 1.3 reached in ${reached(overRandom, 1.3)}, least ${Math.min(...overRandom).toFixed(3)}; knowing the memory itself ${mean(bestOverRandom).toFixed(2)}, in ${reached(bestOverRandom, 1.3)}`,
});
report({
  name: 'review_seen_again',
  value: Math.min(...seenAgain),
  unit: 'of the questions',
  detail: `seen again in the last week, worst of ${seenAgain.length} students with ${7 * SIZE} questions and ${SIZE} a day`,
});

/** The largest pack of one student; half of it overdue. */
const MANY = 20_000;
const draw = chance(SEED);
const pack = Array.from({ length: MANY }, (_, id) => {
  let card = newCard('again', at(-100 + Math.floor(40 * draw())), 20_000 + EXAM);
  for (let review = Math.floor(4 * draw()); review > 0; review -= 1)
    card = reviewCard(card, draw() < 0.7 ? 'good' : 'again', card.lastReviewAt + 12 * 24 * HOUR, 20_000 + EXAM);
  return { id, card };
});
const timed = (work: () => unknown) => {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return median(times);
};
const day = { now: at(0), size: SIZE, examDay: 20_000 + EXAM };
const set = timed(() => dailySet(pack, day));
const load = timed(() => forecast(pack, { ...day, days: 30 }));
const sorted = timed(() => pack.toSorted((a, b) => a.card.due - b.card.due));
report({
  name: 'review_set',
  value: set / sorted,
  unit: 'times a plain sort',
  detail: `today's set of ${MANY} cards in ${set.toFixed(1)} ms, the same cards sorted by due date in ${sorted.toFixed(1)} ms, forecast of 30 days ${load.toFixed(1)} ms`,
});
