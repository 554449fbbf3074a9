import { sql } from 'kysely';
import { type CountedRecord, STARTS, schoolKinds } from '#contract/values/exam.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { allGiven, PreparedForRows } from '#server/db/prepared.ts';
import { PairMap } from '../pair-map.ts';
import { retakeRuleOf } from '../paper/retake-store.ts';

/** What a start has to know of an exam. */
export interface StartableExam {
  id: number;
  packId: number;
  version: number;
  /** Minutes; null: no limit. */
  examTime: number | null;
  shuffle: { questions: boolean; options: boolean };
  /** Taken out of its pack: what is in progress goes on, nothing new begins. */
  archived: boolean;
  /** The student who put it together, and alone may sit it; null: it is the school's. */
  totalScore: number;
  ownerId: number | null;
  retake: RetakeRule;
  /** A correction is at it, so that nothing new may begin with the version that was read; what is in progress has its own. */
  held: boolean;
}

/** A record that begins now. */
export interface NewRecord {
  userId: number;
  examId: number;
  packId: number;
  startedAt: number;
  endsAt: number | null;
  /** Minutes of it that are the student's own. */
  accommodation: number;
  windowId: string | null;
  layout: string | null;
  /** The version of its paper, which it keeps. */
  version: number;
  /** Its number among the student's records of the exam. */
  attempt: number;
}

/** What starting reads and writes; its statements are compiled once, since a year group starts in one second. */
export interface StartStore {
  /**
   * Reads exams and holds them against a correction until the transaction ends, each other's starts not. Waits for nobody:
   * those that a correction holds now are read as they stand.
   */
  readExams(trx: Trx, ids: readonly number[]): Promise<StartableExam[]>;
  /**
   * How many records these students have begun of these exams, when the newest closed, and whether one is open, whoever holds
   * it; those without any are left out.
   */
  attempts(trx: Trx, pairs: readonly { userId: number; examId: number }[]): Promise<PairMap<Attempts>>;
  /** For each student the times of the newest start but so many as each bound of `STARTS` allows; null: there were fewer. */
  readStarts(trx: Trx, userIds: readonly number[]): Promise<Map<number, (number | null)[]>>;
  /**
   * Inserts records; one that the student has open already, or whose number is taken, is left out: two unique indexes decide,
   * so that two processes begin neither two at once nor one more than the paper allows.
   */
  insert(trx: Trx, records: readonly NewRecord[]): Promise<{ id: number; userId: number; examId: number }[]>;
}

interface Attempts {
  taken: number;
  lastClosedAt: number | null;
  anyOpen: boolean;
}

interface ExamRow {
  id: number;
  pack_id: number;
  version: number;
  exam_time: number | null;
  shuffle_questions: number;
  shuffle_options: number;
  archived: number;
  most_attempts: number | null;
  retake_after: number | null;
  counted_record: CountedRecord;
  total_score: number;
  owner_id: number | null;
  own_version: number | null;
}

const EXAM_COLUMNS = [
  'exams.id',
  'exams.pack_id',
  'exams.version',
  'exams.exam_time',
  'exams.shuffle_questions',
  'exams.shuffle_options',
  'exams.archived',
  'exams.most_attempts',
  'exams.retake_after',
  'exams.counted_record',
  'exams.total_score',
] as const;

const NEW_RECORD = {
  user_id: 'bigint',
  exam_id: 'bigint',
  pack_id: 'bigint',
  started_at: 'bigint',
  ends_at: 'bigint',
  accommodation_minutes: 'bigint',
  window_id: 'text',
  layout: 'text',
  version: 'bigint',
  attempt: 'bigint',
} as const;

/** What starting an exam reads and writes, in statements that are prepared once for this database. */
export function startStore(db: Db): StartStore {
  const byId = { id: 'bigint' } as const;
  const exams = new PreparedForRows<typeof byId, ExamRow>(db, byId, (given) => {
    const rows = given
      .selectFrom('given')
      .innerJoin('exams', 'exams.id', 'given.id')
      .leftJoin('own_papers', 'own_papers.exam_id', 'exams.id')
      .select(({ eb, selectFrom }) => [
        ...EXAM_COLUMNS,
        'own_papers.user_id as owner_id',
        eb
          .case()
          .when('own_papers.exam_id', 'is not', null)
          .then(
            selectFrom('corrections')
              .whereRef('corrections.pack_id', '=', 'exams.pack_id')
              .select(sql<number>`coalesce(max(corrections.id), 0) + 1`.as('next')),
          )
          .end()
          .as('own_version'),
      ])
      .orderBy('exams.id');
    // Before the version is read (`Correction.lockPapers`).
    return (db.kind === 'postgres' ? rows.forShare('exams').skipLocked() : rows) as never;
  });
  const byUser = { user_id: 'bigint' } as const;
  const starts = new PreparedForRows<typeof byUser, { user_id: number; hour: number | null; day: number | null }>(
    db,
    byUser,
    (given) =>
      given.selectFrom('given').select(({ selectFrom }) => {
        // One step into the index of a student's starts for each bound, however many there are.
        const nthNewest = (most: number) =>
          selectFrom('exam_records')
            .select('exam_records.started_at')
            .whereRef('exam_records.user_id', '=', 'given.user_id')
            .orderBy('exam_records.started_at', 'desc')
            .limit(sql.lit(1) as never)
            .offset(sql.lit(most - 1) as never);
        return ['given.user_id', nthNewest(STARTS[0].most).as('hour'), nthNewest(STARTS[1].most).as('day')];
      }) as never,
  );
  const insert = new PreparedForRows<typeof NEW_RECORD, { id: number; user_id: number; exam_id: number }>(
    db,
    NEW_RECORD,
    (given) =>
      given
        .insertInto('exam_records')
        .columns([
          'user_id',
          'exam_id',
          'pack_id',
          'started_at',
          'ends_at',
          'accommodation_minutes',
          'window_id',
          'layout',
          'version',
          'attempt',
        ])
        .expression(
          allGiven([
            'user_id',
            'exam_id',
            'pack_id',
            'started_at',
            'ends_at',
            'accommodation_minutes',
            'window_id',
            'layout',
            'version',
            'attempt',
          ]),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'user_id', 'exam_id']) as never,
  );
  const pair = { user_id: 'bigint', exam_id: 'bigint' } as const;
  const newest = new PreparedForRows<
    typeof pair,
    { user_id: number; exam_id: number; attempt: number; submitted_at: number | null; open_id: number | null }
  >(
    db,
    pair,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('exam_records', (join) =>
          join.onRef('exam_records.user_id', '=', 'given.user_id').onRef('exam_records.exam_id', '=', 'given.exam_id'),
        )
        .select(({ selectFrom }) => [
          'exam_records.user_id',
          'exam_records.exam_id',
          'exam_records.attempt',
          'exam_records.submitted_at',
          // Not always the newest: the operator may have opened an older one again.
          selectFrom('exam_records as going')
            .select('going.id')
            .whereRef('going.user_id', '=', 'given.user_id')
            .whereRef('going.exam_id', '=', 'given.exam_id')
            .where('going.submitted_at', 'is', null)
            .as('open_id'),
        ])
        .where(({ eb, selectFrom }) =>
          eb(
            'exam_records.attempt',
            '=',
            selectFrom('exam_records as own')
              .select(({ fn }) => fn.max('own.attempt').as('newest'))
              .whereRef('own.user_id', '=', 'given.user_id')
              .whereRef('own.exam_id', '=', 'given.exam_id'),
          ),
        ) as never,
  );
  return {
    readExams: async (trx, ids) => {
      const rows = await exams.run(
        trx,
        ids.map((id) => ({ id })),
      );
      const free = new Set(rows.map(({ id }) => id));
      const missing = db.kind === 'postgres' ? ids.filter((id) => !free.has(id)) : [];
      // Passed over, or not there at all. No correction holds an own paper.
      const held =
        missing.length === 0
          ? []
          : await trx
              .selectFrom('exams')
              .select(EXAM_COLUMNS)
              .where('id', 'in', missing)
              .where('kind', 'in', schoolKinds)
              .execute();
      return [...rows, ...held.map((row): ExamRow => ({ ...row, owner_id: null, own_version: null }))].map((row) => ({
        id: row.id,
        packId: row.pack_id,
        version: row.own_version ?? row.version,
        examTime: row.exam_time,
        shuffle: { questions: row.shuffle_questions === 1, options: row.shuffle_options === 1 },
        archived: row.archived === 1,
        totalScore: row.total_score,
        ownerId: row.owner_id,
        retake: retakeRuleOf(row),
        held: !free.has(row.id),
      }));
    },
    attempts: async (trx, pairs) => {
      const rows = await newest.run(
        trx,
        pairs.map(({ userId, examId }) => ({ user_id: userId, exam_id: examId })),
      );
      const found = new PairMap<Attempts>();
      for (const { user_id, exam_id, attempt, submitted_at, open_id } of rows)
        found.set(user_id, exam_id, { taken: attempt, lastClosedAt: submitted_at, anyOpen: open_id !== null });
      return found;
    },
    readStarts: async (trx, userIds) => {
      const rows = await starts.run(
        trx,
        userIds.map((user_id) => ({ user_id })),
      );
      return new Map(rows.map((row) => [row.user_id, [row.hour, row.day]]));
    },
    insert: async (trx, records) => {
      // In one order everywhere, so that two processes that begin the same records cannot wait for each other.
      const inOrder = records.toSorted((a, b) => a.userId - b.userId || a.examId - b.examId);
      const inserted = await insert.run(
        trx,
        inOrder.map(
          ({ userId, examId, packId, startedAt, endsAt, accommodation, windowId, layout, version, attempt }) => ({
            user_id: userId,
            exam_id: examId,
            pack_id: packId,
            started_at: startedAt,
            ends_at: endsAt,
            accommodation_minutes: accommodation,
            window_id: windowId,
            layout,
            version,
            attempt,
          }),
        ),
      );
      return inserted.map((row) => ({ id: row.id, userId: row.user_id, examId: row.exam_id }));
    },
  };
}
