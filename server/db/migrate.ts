import { type Kysely, sql } from 'kysely';
import type { Migration, Table } from './migration.ts';
import { foundation } from './migrations/001-foundation.ts';
import { university } from './migrations/002-university.ts';
import { fingerprint } from './migrations/003-fingerprint.ts';
import { packFiles } from './migrations/004-pack-files.ts';
import { recordReopenings } from './migrations/005-record-reopenings.ts';
import { frozenPapers } from './migrations/006-frozen-papers.ts';
import { devices } from './migrations/007-devices.ts';
import { fileTitles } from './migrations/008-file-titles.ts';
import { retakes } from './migrations/009-retakes.ts';
import { practice } from './migrations/010-practice.ts';
import { feedbackAnswers } from './migrations/011-feedback-answers.ts';
import { notices } from './migrations/012-notices.ts';
import { statistics } from './migrations/013-statistics.ts';
import { ownPapers } from './migrations/014-own-papers.ts';
import { questionQuality } from './migrations/015-question-quality.ts';
import { pointsAndTime } from './migrations/016-points-and-time.ts';
import { media } from './migrations/017-media.ts';
import { coursePlay } from './migrations/018-course-play.ts';
import { marks } from './migrations/019-marks.ts';
import { packMedia } from './migrations/020-pack-media.ts';
import { playerFeedback } from './migrations/021-player-feedback.ts';
import { uploads } from './migrations/022-uploads.ts';
import { courseFiles } from './migrations/023-course-files.ts';
import { qa } from './migrations/024-qa.ts';
import { images } from './migrations/025-images.ts';
import { orders } from './migrations/026-orders.ts';
import { announcements } from './migrations/030-announcements.ts';
import { market } from './migrations/031-market.ts';
import { plan } from './migrations/032-plan.ts';
import { orderDesk } from './migrations/033-order-desk.ts';
import { account } from './migrations/034-account.ts';
import { agreement } from './migrations/035-agreement.ts';
import { whatIsProven } from './migrations/036-what-is-proven.ts';
import { whatIsLeftBehind } from './migrations/037-what-is-left-behind.ts';
import { reservedPapers } from './migrations/038-reserved-papers.ts';
import { commentsOnce } from './migrations/039-comments-once.ts';
import { live } from './migrations/042-live.ts';
import { liveRoom } from './migrations/043-live-room.ts';
import { teachersApart } from './migrations/044-teachers-apart.ts';
import { liveTalk } from './migrations/047-live-talk.ts';
import { sittingPlans } from './migrations/050-sitting-plans.ts';
import { waitingCorrections } from './migrations/051-waiting-corrections.ts';
import { timeOfOnesOwn } from './migrations/053-time-of-ones-own.ts';
import { schoolKeys } from './migrations/054-school-keys.ts';
import { retiredQuestions } from './migrations/055-retired-questions.ts';
import { madeWithout } from './migrations/057-made-without.ts';
import { usefulAnswers } from './migrations/058-useful-answers.ts';
import { srsPublishers } from './migrations/060-srs.ts';
import { playRights } from './migrations/061-play-rights.ts';
import { praisesOfAPerson } from './migrations/062-praises-of-a-person.ts';
import { tagsOfPacks } from './migrations/063-tags-of-packs.ts';
import { whereOneIs } from './migrations/064-where-one-is.ts';
import { notesOnce } from './migrations/065-notes-once.ts';
import { jobsThatWait } from './migrations/066-jobs-that-wait.ts';
import { correctedRules } from './migrations/067-corrected-rules.ts';
import { earlierPlays } from './migrations/068-earlier-plays.ts';
import { listedComments } from './migrations/069-listed-comments.ts';
import { onlyTaker } from './migrations/070-only-taker.ts';

import { TAKES_LONG } from './postgres.ts';
import type { Tables } from './schema.ts';

/** A newer program has brought this database further than this one knows; the message names the migrations. */
export class NewerDatabase extends Error {}

/** In order; a migration that has landed is never edited, a later one mends it. */
const migrations: readonly Migration[] = [
  foundation,
  university,
  fingerprint,
  packFiles,
  recordReopenings,
  frozenPapers,
  devices,
  fileTitles,
  retakes,
  practice,
  feedbackAnswers,
  notices,
  statistics,
  ownPapers,
  questionQuality,
  pointsAndTime,
  media,
  coursePlay,
  marks,
  packMedia,
  playerFeedback,
  uploads,
  courseFiles,
  qa,
  images,
  orders,
  announcements,
  market,
  plan,
  orderDesk,
  account,
  agreement,
  whatIsProven,
  whatIsLeftBehind,
  reservedPapers,
  commentsOnce,
  live,
  liveRoom,
  teachersApart,
  liveTalk,
  sittingPlans,
  waitingCorrections,
  timeOfOnesOwn,
  schoolKeys,
  retiredQuestions,
  madeWithout,
  usefulAnswers,
  srsPublishers,
  playRights,
  praisesOfAPerson,
  tagsOfPacks,
  whereOneIs,
  notesOnce,
  jobsThatWait,
  correctedRules,
  earlierPlays,
  listedComments,
  onlyTaker,
];

const types = {
  sqlite: {
    id: 'integer primary key autoincrement',
    text: 'text',
    integer: 'integer',
    bigint: 'integer',
    double: 'real',
  },
  postgres: {
    id: 'bigint generated by default as identity primary key',
    text: 'text',
    integer: 'integer',
    bigint: 'bigint',
    double: 'double precision',
  },
};

function statements(name: string, table: Table, kind: 'sqlite' | 'postgres'): string[] {
  const words = types[kind];
  const lines = Object.entries(table.columns).map(([column, spec]) => {
    if (spec === 'id') return `${column} ${words.id}`;
    const refers = table.refers?.[column];
    return [
      column,
      words[spec.type],
      spec.nullable ? '' : 'not null',
      spec.default === undefined
        ? ''
        : `default ${typeof spec.default === 'string' ? `'${spec.default}'` : spec.default}`,
      refers ? `references ${refers} (id)` : '',
    ]
      .filter(Boolean)
      .join(' ');
  });
  if (table.key) lines.push(`primary key (${table.key.join(', ')})`);
  for (const columns of table.unique ?? []) lines.push(`unique (${columns.join(', ')})`);
  return [
    `create table ${name} (${lines.join(', ')})`,
    ...(table.index ?? []).map(
      (columns) => `create index ${name}_${columns.join('_')} on ${name} (${columns.join(', ')})`,
    ),
  ];
}

/**
 * Which migrations a database has had. Changes nothing.
 * @returns `waiting`: this program's that have not run · `unknown`: those that only a newer program knows
 */
export async function migrationsOf(
  db: Kysely<Tables>,
  kind: 'sqlite' | 'postgres',
): Promise<{ waiting: string[]; unknown: string[] }> {
  const there =
    kind === 'sqlite'
      ? sql<{ found: string }>`select name as found from sqlite_master where type = 'table' and name = 'migrations'`
      : sql<{ found: string }>`select 1 as found where to_regclass('migrations') is not null`;
  const rows =
    (await there.execute(db)).rows.length === 0
      ? []
      : (await sql<{ name: string }>`select name from migrations order by name`.execute(db)).rows;
  const ran = rows.map((row) => row.name);
  const known = migrations.map(({ name }) => name);
  return {
    waiting: known.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !known.includes(name)),
  };
}

/**
 * Brings the database to the newest shape: forward only, each migration in a transaction of its own. Two processes that
 * start at once do not collide: PostgreSQL takes an advisory lock, SQLite its write lock.
 * @returns the names of the migrations that ran.
 * @throws NewerDatabase before anything is changed, when a newer program has migrated it: this one would read and write
 *   tables whose meaning it does not know
 */
export async function migrate(db: Kysely<Tables>, kind: 'sqlite' | 'postgres', now: number): Promise<string[]> {
  const ran: string[] = [];
  const { waiting, unknown } = await migrationsOf(db, kind);
  if (unknown.length > 0) {
    throw new NewerDatabase(`a newer version of Lixue has used this database (${unknown.join(', ')})`);
  }
  for (const migration of migrations.filter(({ name }) => waiting.includes(name))) {
    await db.transaction().execute(async (trx) => {
      if (kind === 'postgres') {
        await sql.raw(TAKES_LONG).execute(trx);
        await sql`select pg_advisory_xact_lock(7105141)`.execute(trx);
      }
      await sql`create table if not exists migrations (name text primary key, ran_at bigint not null)`.execute(trx);
      // Another process may have run it since.
      const done = await sql<{ name: string }>`select name from migrations where name = ${migration.name}`.execute(trx);
      if (done.rows.length > 0) return;
      for (const [name, table] of Object.entries(migration.tables ?? {})) {
        for (const statement of statements(name, table, kind)) await sql.raw(statement).execute(trx);
      }
      for (const statement of migration.sql ?? []) await sql.raw(statement).execute(trx);
      await migration.fill?.(trx as unknown as Kysely<never>);
      await sql`insert into migrations (name, ran_at) values (${migration.name}, ${now})`.execute(trx);
      ran.push(migration.name);
    });
  }
  return ran;
}
