import { type RawBuilder, sql } from 'kysely';
import { afterAnswer, type Card, newCard, type Rating } from '#rules/exam/schedule.ts';
import { type Evidence, hasReason, type WrongQuestion } from '#rules/exam/wrong.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { allGiven, PreparedForRows, padded } from '#server/db/prepared.ts';
import { PairMap } from '../pair-map.ts';
import { type KnowledgePoint, questionsOfPoints } from '../paper/knowledge-point-store.ts';
import type { QuestionEvidence } from './statistics.ts';
import type { StudiedGroup, StudiedQuestion } from './wrong-entry.ts';
import { rowHasReason } from './wrong-list-store.ts';

/** How an answer rates the card of its question; what is taken back leaves it as it is. */
const RATINGS: Readonly<Partial<Record<Evidence, Rating>>> = { wrong: 'again', guessed: 'hard', right: 'good' };

/** A review of the card of a question. */
export interface CardReview {
  userId: number;
  questionId: number;
  rating: Rating;
  at: number;
}

/** A card where there is one, and when the question was collected. */
type CardRow = JoinedCard & { user_id: number; question_id: number; collected_at: number | null };

const KEY = { user_id: 'bigint', question_id: 'bigint' } as const;
const ROW = {
  ...KEY,
  due: 'bigint',
  stability: 'double precision',
  difficulty: 'double precision',
  reps: 'bigint',
  lapses: 'bigint',
  last_review_at: 'bigint',
  foretold: 'double precision',
} as const;
const NUMBERS = ['due', 'stability', 'difficulty', 'reps', 'lapses', 'last_review_at', 'foretold'] as const;

/**
 * Makes the writer of review cards: each graded answer reviews the card of its question (rules/exam/schedule.ts). A question has
 * none until it is answered after it came in: a hand-in full of mistakes writes none.
 */
export function cardWriter(
  db: Db,
): (
  trx: Trx,
  said: readonly QuestionEvidence[],
  listed: PairMap<WrongQuestion>,
  others: readonly CardReview[],
) => Promise<void> {
  const read = new PreparedForRows<typeof KEY, CardRow>(
    db,
    KEY,
    (given) =>
      given
        .selectFrom('given')
        .leftJoin('review_cards', (join) =>
          join
            .onRef('review_cards.user_id', '=', 'given.user_id')
            .onRef('review_cards.question_id', '=', 'given.question_id'),
        )
        .leftJoin('collected_questions', (join) =>
          join
            .onRef('collected_questions.user_id', '=', 'given.user_id')
            .onRef('collected_questions.question_id', '=', 'given.question_id'),
        )
        .select(['given.user_id', 'given.question_id', 'collected_questions.collected_at'])
        .select(NUMBERS.map((name) => `review_cards.${name}` as const))
        .where(({ or, eb }) =>
          or([eb('review_cards.due', 'is not', null), eb('collected_questions.collected_at', 'is not', null)]),
        ) as never,
  );
  const columns = ['user_id', 'question_id', ...NUMBERS] as const;
  const write = new PreparedForRows<typeof ROW, never>(
    db,
    ROW,
    (given) =>
      given
        .insertInto('review_cards')
        .columns([...columns])
        .expression(allGiven(columns))
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'question_id'])
            .doUpdateSet(({ ref }) => Object.fromEntries(NUMBERS.map((name) => [name, ref(`excluded.${name}`)]))),
        ) as never,
  );
  return async (trx, said, listed, others) => {
    const byQuestion = new PairMap<{ rating: Rating; at: number }[]>();
    const own = said.flatMap(({ userId, questionId, evidence, at }): CardReview[] => {
      const rating = RATINGS[evidence];
      return rating === undefined ? [] : [{ userId, questionId, rating, at }];
    });
    for (const { userId, questionId, rating, at } of [...own, ...others]) {
      const known = byQuestion.get(userId, questionId);
      if (known) known.push({ rating, at });
      else byQuestion.set(userId, questionId, [{ rating, at }]);
    }
    // In one order everywhere, so that two processes cannot wait for each other.
    const all = byQuestion.entries().sort(([a, one], [b, other]) => a - b || one - other);
    const stored = new PairMap<CardRow>();
    const asked = all.map(([user_id, question_id]) => ({ user_id, question_id }));
    for (const row of await read.run(trx, asked)) stored.set(row.user_id, row.question_id, row);
    const rows = all.flatMap(([user_id, question_id, answers]) => {
      const row = stored.get(user_id, question_id);
      const before = row ? cardOf(row) : null;
      const cameIn = cameInAs(listed.get(user_id, question_id), row?.collected_at ?? null);
      const first = before ?? (cameIn && newCard(cameIn.rating, cameIn.at, null));
      if (first === null) return [];
      const card = answers.reduce<Card>((was, { rating, at }) => afterAnswer(was, rating, at), first);
      return card === first ? [] : [{ user_id, question_id, ...fromCard(card) }];
    });
    await write.run(trx, rows);
  };
}

/** How a question came under review; null: it is not. What the student removed, or was taken back, is only where it is collected. */
function cameInAs(listed: WrongQuestion | undefined, collectedAt: number | null): StudiedQuestion['cameIn'] | null {
  if (listed && listed.state !== 'removed' && hasReason(listed)) return cameInBy(listed.guessed, listed.lastAt);
  return collectedAt === null ? null : { rating: 'good', at: collectedAt };
}

/** How a question of the wrong-question list came in. */
function cameInBy(guessed: boolean, lastAt: number): StudiedQuestion['cameIn'] {
  return { rating: guessed ? 'hard' : 'again', at: lastAt };
}

const fromCard = (card: Card) => ({
  due: card.due,
  stability: card.stability,
  difficulty: card.difficulty,
  reps: card.reps,
  lapses: card.lapses,
  last_review_at: card.lastReviewAt,
  foretold: card.foretold,
});

/** Whose questions under review are meant: of one pack, or of all. */
interface AskedStudied {
  userId: number;
  hidden: readonly number[];
  /** Knowledge points of which no card is told either. */
  points: readonly KnowledgePoint[];
}

/** What the school took out or made void: few, so that they are looked up once and not with each question. `questions_gone` is their index. */
const goneQuestions = (query: Query) =>
  query.selectFrom('questions').select('id').where(sql<boolean>`(archived = 1 or grade_mode = 'void')`);

/** Questions under review that stand in the wrong-question list or left it by its rule, with their cards. */
function wrongStudied(query: Query, { userId, hidden, points }: AskedStudied, packId: number | undefined) {
  let rows = query
    .selectFrom('wrong_questions')
    .leftJoin('review_cards', (join) =>
      join
        .onRef('review_cards.user_id', '=', 'wrong_questions.user_id')
        .onRef('review_cards.question_id', '=', 'wrong_questions.question_id'),
    )
    .where('wrong_questions.user_id', '=', userId)
    .where('wrong_questions.state', 'in', ['in', 'left'])
    .where(rowHasReason)
    .where('wrong_questions.question_id', 'not in', goneQuestions(query));
  if (packId !== undefined) rows = rows.where('wrong_questions.pack_id', '=', packId);
  if (points.length > 0) rows = rows.where('wrong_questions.question_id', 'not in', questionsOfPoints(query, points));
  return hidden.length === 0 ? rows : rows.where('wrong_questions.question_id', 'not in', padded(hidden));
}

/** Collected questions under review, with their cards; those of the wrong-question list among them. */
function collectedStudied(query: Query, { userId, hidden, points }: AskedStudied, packId: number | undefined) {
  let rows = query
    .selectFrom('collected_questions as item')
    .leftJoin('review_cards', (join) =>
      join
        .onRef('review_cards.user_id', '=', 'item.user_id')
        .onRef('review_cards.question_id', '=', 'item.question_id'),
    )
    .where('item.user_id', '=', userId)
    .where('item.question_id', 'not in', goneQuestions(query));
  if (packId !== undefined) rows = rows.where('item.pack_id', '=', packId);
  if (points.length > 0) rows = rows.where('item.question_id', 'not in', questionsOfPoints(query, points));
  return hidden.length === 0 ? rows : rows.where('item.question_id', 'not in', padded(hidden));
}

/**
 * The questions that a student reviews: those in the wrong-question list or left by its rule, and those collected; in all packs, or
 * in one. What the student removed, the school took out or made void, is hidden now, or was taken back, is left out.
 */
export async function readStudied(
  query: Query,
  asked: AskedStudied,
  packId: number | undefined,
): Promise<StudiedQuestion[]> {
  const card = NUMBERS.map((name) => `review_cards.${name}` as const);
  const collected = await collectedStudied(query, asked, packId)
    .select(['item.question_id', 'item.pack_id', 'item.collected_at as at', ...card])
    .execute();
  const wrong = await wrongStudied(query, asked, packId)
    .select([
      'wrong_questions.question_id',
      'wrong_questions.pack_id',
      'wrong_questions.guessed',
      'wrong_questions.last_at',
      ...card,
    ])
    .execute();
  const found = new Map<number, StudiedQuestion>();
  for (const row of collected) found.set(row.question_id, studied(row, { rating: 'good', at: row.at }));
  // A question that is both came in by its mistake.
  for (const row of wrong) found.set(row.question_id, studied(row, cameInBy(row.guessed === 1, row.last_at)));
  return [...found.values()];
}

/** Days are those of `dayOf` (rules/exam/schedule.ts), below this for centuries. */
const DAYS = 100_000;
// Numbers in the text: SQLite divides what is bound as fractions.
const DUE_DAY = sql<number>`((review_cards.due + 28800000) / 86400000)`;
const LAST_DAY = sql<number>`((review_cards.last_review_at + 28800000) / 86400000)`;
const WRONG_DAY = sql<number>`((wrong_questions.last_at + 28800000) / 86400000)`;
const COLLECTED_DAY = sql<number>`((item.collected_at + 28800000) / 86400000)`;

/**
 * What cards have in common, as one number: the database groups by one faster than by six. With a card its due day, the day of its last review and
 * whether there was one; without (negative) the day on which its question came in.
 */
const likeness = (cameIn: RawBuilder<number>) => sql<number>`case when review_cards.due is null then -1 - ${cameIn}
  else (${DUE_DAY} * ${sql.lit(DAYS)} + ${LAST_DAY}) * 2
    + case when review_cards.reps > 0 then 1 else 0 end end`;

/** As `readStudied`, counted by the database: how many there are of each due day, day of the last review and way of coming in. */
export async function readStudiedGroups(
  query: Query,
  asked: AskedStudied,
  packId: number | undefined,
): Promise<StudiedGroup[]> {
  const wrong = await wrongStudied(query, asked, packId)
    .select(({ fn }) => [
      likeness(WRONG_DAY).as('alike'),
      'wrong_questions.guessed',
      'wrong_questions.pack_id',
      fn.countAll<number>().as('count'),
    ])
    // The pack last: SQLite would take its index for this order, and read every row beside it.
    .groupBy(['alike', 'wrong_questions.guessed', 'wrong_questions.pack_id'])
    .execute();
  const collected = await collectedStudied(query, asked, packId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('wrong_questions')
            .select('wrong_questions.question_id')
            .whereRef('wrong_questions.user_id', '=', 'item.user_id')
            .whereRef('wrong_questions.question_id', '=', 'item.question_id')
            .where('wrong_questions.state', 'in', ['in', 'left'])
            .where(rowHasReason),
        ),
      ),
    )
    .select(({ fn }) => [likeness(COLLECTED_DAY).as('alike'), 'item.pack_id', fn.countAll<number>().as('count')])
    .groupBy(['alike', 'item.pack_id'])
    .execute();
  return [
    ...wrong.map((row) => studiedGroup(row, cameInBy(row.guessed === 1, 0).rating)),
    ...collected.map((row) => studiedGroup(row, 'good')),
  ];
}

/** A group from its `likeness`. */
function studiedGroup(row: { pack_id: number; alike: number; count: number }, rating: Rating): StudiedGroup {
  const like = Number(row.alike);
  const days = Math.floor(like / 2);
  const card = like < 0 ? null : { dueDay: Math.floor(days / DAYS), lastDay: days % DAYS, reviewed: like % 2 === 1 };
  return {
    packId: row.pack_id,
    count: Number(row.count),
    card,
    cameIn: { rating, day: like < 0 ? -1 - like : 0 },
  };
}

type JoinedCard = { [F in (typeof NUMBERS)[number]]: number | null };

function studied(
  row: { question_id: number; pack_id: number } & JoinedCard,
  cameIn: StudiedQuestion['cameIn'],
): StudiedQuestion {
  return { questionId: row.question_id, packId: row.pack_id, card: cardOf(row), cameIn };
}

function cardOf({ due, stability, difficulty, reps, lapses, last_review_at, foretold }: JoinedCard): Card | null {
  const known =
    due !== null &&
    stability !== null &&
    difficulty !== null &&
    reps !== null &&
    lapses !== null &&
    last_review_at !== null &&
    foretold !== null;
  return known ? { due, stability, difficulty, reps, lapses, lastReviewAt: last_review_at, foretold } : null;
}
