import type { Selectable } from 'kysely';
import { nodeState } from '#contract/values/play.ts';
import type { DirectoryProgress } from '#rules/play/directory.ts';
import type { Opening } from '#rules/play/opening.ts';
import { coverOf, type Place } from '#rules/play/places.ts';
import type { Seen } from '#rules/play/report.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { allGiven, PreparedForRows, padded } from '#server/db/prepared.ts';
import type { LessonProgress } from '#server/db/schema.ts';
import { isUnready } from './lesson-store.ts';

/** A student at a lesson of a pack. */
export interface LessonPlace {
  userId: number;
  packId: number;
  lessonId: number;
}

/** What decides about a report of playing, as it stands. */
export interface ReportFacts {
  /** Milliseconds of its media; 0: it has none. */
  length: number;
  /** It waits for its media, or has neither media nor text. */
  unready: boolean;
  elective: boolean;
  trial: boolean;
  archived: boolean;
  afterId: number | null;
  /** The lesson that has to be finished first. */
  beforeFinished: boolean;
  beforeUnready: boolean;
  /** Null: never opened. */
  seen: Seen | null;
  firstAt: number | null;
  lastAt: number | null;
  finishedAt: number | null;
  spentUntil: number | null;
  /** When the right to play its media was given first; null: never that is known. */
  rightAt: number | null;
}

/** Progress of many students at once; its statements are compiled once. */
export interface ProgressStore {
  /** Locks the clocks of these people until the transaction ends; on SQLite there is one writer. */
  lockClocks(trx: Trx, userIds: readonly number[]): Promise<void>;
  /** What stands of each of these, by `keyOf`; where a pack has no such lesson there is none. */
  read(trx: Trx, places: readonly LessonPlace[]): Promise<Map<string, ReportFacts>>;
  write(
    trx: Trx,
    rows: readonly (LessonPlace & { seen: Seen; firstAt: number; lastAt: number; finishedAt: number | null })[],
  ): Promise<void>;
  writeClocks(trx: Trx, clocks: ReadonlyMap<number, number>): Promise<void>;
}

/** Names a student at a lesson of a pack: one that names another pack meets nothing of it, also in the same transaction. */
export const keyOf = ({ userId, packId, lessonId }: LessonPlace) => `${userId} ${packId} ${lessonId}`;

interface FactsRow {
  user_id: number;
  pack_id: number;
  lesson_id: number;
  duration: number;
  elective: number;
  trial: number;
  archived: number;
  after_id: number | null;
  before_finished: number | null;
  /** A number on SQLite. */
  unready: boolean | number;
  before_unready: boolean | number | null;
  position: number | null;
  watched: number | null;
  reached_end: number | null;
  finished_at: number | null;
  play_id: string | null;
  last_seq: number | null;
  seen_seqs: number | null;
  earlier_plays: string | null;
  first_at: number | null;
  last_at: number | null;
  covered: string | null;
  spent_until: number | null;
  given_at: number | null;
}

/** Makes the store of progress. */
export function progressStore(db: Db): ProgressStore {
  const place = { user_id: 'bigint', pack_id: 'bigint', lesson_id: 'bigint' } as const;
  const facts = new PreparedForRows<typeof place, FactsRow>(
    db,
    place,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('lessons', (join) =>
          join.onRef('lessons.id', '=', 'given.lesson_id').onRef('lessons.pack_id', '=', 'given.pack_id'),
        )
        .leftJoin('lesson_progress as own', (join) =>
          join.onRef('own.user_id', '=', 'given.user_id').onRef('own.lesson_id', '=', 'given.lesson_id'),
        )
        .leftJoin('lessons as before', 'before.id', 'lessons.after_id')
        .leftJoin('lesson_progress as earlier', (join) =>
          join.onRef('earlier.user_id', '=', 'given.user_id').onRef('earlier.lesson_id', '=', 'lessons.after_id'),
        )
        .leftJoin('study_clocks', 'study_clocks.user_id', 'given.user_id')
        .leftJoin('play_rights', (join) =>
          join
            .onRef('play_rights.user_id', '=', 'given.user_id')
            .onRef('play_rights.media_id', '=', 'lessons.media_id'),
        )
        .select([
          'given.user_id',
          'given.pack_id',
          'given.lesson_id',
          'lessons.duration',
          'lessons.elective',
          'lessons.trial',
          'lessons.archived',
          'lessons.after_id',
          isUnready('lessons').as('unready'),
          isUnready('before').as('before_unready'),
          'earlier.finished_at as before_finished',
          'own.position',
          'own.watched',
          'own.reached_end',
          'own.finished_at',
          'own.play_id',
          'own.last_seq',
          'own.seen_seqs',
          'own.earlier_plays',
          'own.first_at',
          'own.last_at',
          'own.covered',
          'study_clocks.spent_until',
          'play_rights.given_at',
        ]) as never,
  );
  const progress = {
    ...place,
    position: 'double precision',
    watched: 'bigint',
    reached_end: 'bigint',
    finished_at: 'bigint',
    play_id: 'text',
    last_seq: 'bigint',
    seen_seqs: 'bigint',
    earlier_plays: 'text',
    first_at: 'bigint',
    last_at: 'bigint',
    covered: 'text',
  } as const;
  const columns = Object.keys(progress) as (keyof typeof progress)[];
  const changing = columns.filter((column) => !(column in place) && column !== 'first_at');
  const upsert = new PreparedForRows<typeof progress, never>(
    db,
    progress,
    (given) =>
      given
        .insertInto('lesson_progress')
        .columns(columns)
        .expression(allGiven(columns))
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'lesson_id'])
            .doUpdateSet(({ ref }) =>
              Object.fromEntries(changing.map((column) => [column, ref(`excluded.${column}`)])),
            ),
        ) as never,
  );
  const clock = { user_id: 'bigint', spent_until: 'bigint' } as const;
  const lock = new PreparedForRows<typeof clock, never>(
    db,
    clock,
    (given) =>
      given
        .insertInto('study_clocks')
        .columns(['user_id', 'spent_until'])
        .expression(allGiven(['user_id', 'spent_until']))
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(({ ref }) => ({ spent_until: ref('study_clocks.spent_until') })),
        ) as never,
  );
  const upsertClock = new PreparedForRows<typeof clock, never>(
    db,
    clock,
    (given) =>
      given
        .insertInto('study_clocks')
        .columns(['user_id', 'spent_until'])
        .expression(allGiven(['user_id', 'spent_until']))
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(({ ref }) => ({ spent_until: ref('excluded.spent_until') })),
        ) as never,
  );
  return {
    lockClocks: async (trx, userIds) => {
      if (db.kind === 'sqlite') return;
      // In one order, so that no two wait for each other. A new clock has spent nothing.
      const ids = [...new Set(userIds)].sort((a, b) => a - b);
      await lock.run(
        trx,
        ids.map((user_id) => ({ user_id, spent_until: 0 })),
      );
    },
    read: async (trx, places) => {
      const asked = places.map(({ userId, packId, lessonId }) => ({
        user_id: userId,
        pack_id: packId,
        lesson_id: lessonId,
      }));
      const found = new Map<string, ReportFacts>();
      for (const row of await facts.run(trx, asked))
        found.set(keyOf({ userId: row.user_id, packId: row.pack_id, lessonId: row.lesson_id }), factsOf(row));
      return found;
    },
    write: async (trx, rows) => {
      await upsert.run(
        trx,
        rows.map(({ userId, packId, lessonId, seen, firstAt, lastAt, finishedAt }) => ({
          user_id: userId,
          pack_id: packId,
          lesson_id: lessonId,
          position: seen.position / 1000,
          watched: seen.watched,
          reached_end: seen.reachedEnd ? 1 : 0,
          finished_at: finishedAt,
          ...columnsOf(seen.openings),
          first_at: firstAt,
          last_at: lastAt,
          covered: JSON.stringify(seen.places),
        })),
      );
    },
    writeClocks: async (trx, clocks) => {
      await upsertClock.run(
        trx,
        [...clocks].map(([user_id, spent_until]) => ({ user_id, spent_until })),
      );
    },
  };
}

function factsOf(row: FactsRow): ReportFacts {
  return {
    length: row.duration * 1000,
    unready: Boolean(row.unready),
    elective: row.elective === 1,
    trial: row.trial === 1,
    archived: row.archived === 1,
    afterId: row.after_id,
    beforeFinished: row.before_finished !== null,
    beforeUnready: Boolean(row.before_unready),
    seen: row.first_at === null ? null : seenOf(row as unknown as Selectable<LessonProgress>),
    firstAt: row.first_at,
    lastAt: row.last_at,
    finishedAt: row.finished_at,
    spentUntil: row.spent_until === 0 ? null : row.spent_until,
    rightAt: row.given_at,
  };
}

/** What is stored of a student's playing, as the rules know it. */
function seenOf(
  row: OpeningColumns &
    Pick<Selectable<LessonProgress>, 'position' | 'watched' | 'reached_end' | 'finished_at' | 'covered'>,
): Seen {
  return {
    position: Math.round(row.position * 1000),
    places: JSON.parse(row.covered) as Place[],
    watched: row.watched,
    reachedEnd: row.reached_end === 1,
    finished: row.finished_at !== null,
    openings: openingsOf(row),
  };
}

type OpeningColumns = Pick<Selectable<LessonProgress>, 'play_id' | 'last_seq' | 'seen_seqs' | 'earlier_plays'>;

function openingsOf({
  play_id: playId,
  last_seq: lastSeq,
  seen_seqs: seenSeqs,
  earlier_plays,
}: OpeningColumns): Opening[] {
  if (playId === '') return [];
  const earlier = JSON.parse(earlier_plays) as [playId: string, lastSeq: number, seenSeqs: number][];
  return [[playId, lastSeq, seenSeqs] as const, ...earlier].map(([id, last, seqs]) => ({
    playId: id,
    lastSeq: last,
    seenSeqs: seqs,
  }));
}

/** The opening that reported last has columns of its own: all that is kept of most lessons. */
function columnsOf([last, ...earlier]: readonly Opening[]): OpeningColumns {
  return {
    play_id: last?.playId ?? '',
    last_seq: last?.lastSeq ?? 0,
    seen_seqs: last?.seenSeqs ?? 0,
    earlier_plays: JSON.stringify(earlier.map(({ playId, lastSeq, seenSeqs }) => [playId, lastSeq, seenSeqs])),
  };
}

/** What a student has done in the lessons of a pack, by lesson. */
export async function readProgress(
  query: Query,
  userId: number,
  packId: number,
): Promise<Map<number, DirectoryProgress>> {
  const rows = await query
    .selectFrom('lesson_progress')
    .select(['lesson_id', 'finished_at', 'last_at'])
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .execute();
  return new Map(
    rows.map(({ lesson_id, finished_at, last_at }) => [
      lesson_id,
      { state: finished_at === null ? nodeState.inProgress : nodeState.finished, lastAt: last_at },
    ]),
  );
}

/** How much a student has seen of lessons, of a pack or some of them: whole seconds, and whether it is finished. */
export async function readSeenSeconds(
  query: Query,
  userId: number,
  of: { packId: number } | { lessonIds: readonly number[] },
): Promise<Map<number, { seconds: number; finished: boolean }>> {
  let rows = query
    .selectFrom('lesson_progress')
    .select(['lesson_id', 'finished_at', 'covered'])
    .where('user_id', '=', userId);
  if ('packId' in of) rows = rows.where('pack_id', '=', of.packId);
  else if (of.lessonIds.length === 0) return new Map();
  else rows = rows.where('lesson_id', 'in', padded(of.lessonIds));
  return new Map(
    (await rows.execute()).map(({ lesson_id, finished_at, covered }) => [
      lesson_id,
      { seconds: Math.floor(coverOf(JSON.parse(covered) as Place[]) / 1000), finished: finished_at !== null },
    ]),
  );
}

/** The lesson that a student opened last; null: none ever. */
export async function findLastOpened(
  query: Query,
  userId: number,
): Promise<{ packId: number; lessonId: number } | null> {
  const row = await query
    .selectFrom('lesson_progress')
    .select(['pack_id', 'lesson_id'])
    .where('user_id', '=', userId)
    .orderBy('last_at', 'desc')
    .orderBy('lesson_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { packId: row.pack_id, lessonId: row.lesson_id } : null;
}

/** What a student has seen of one lesson; null: it was never opened. */
export async function readSeen(query: Query, userId: number, lessonId: number): Promise<Seen | null> {
  const row = await query
    .selectFrom('lesson_progress')
    .selectAll()
    .where('user_id', '=', userId)
    .where('lesson_id', '=', lessonId)
    .executeTakeFirst();
  return row ? seenOf(row) : null;
}
