import { sql } from 'kysely';
import type { Closed, ExamKind } from '#contract/values/exam.ts';
import type { RecordBounds } from '#rules/exam/attempt.ts';
import type { Layout } from '#rules/exam/shuffle.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { Prepared, PreparedForRows, padded } from '#server/db/prepared.ts';

/** What decides about a record, and which exam in which version it is of. The version never changes. */
export interface ExamRecord extends RecordBounds {
  id: number;
  userId: number;
  packId: number;
  examId: number;
  /** As of its paper, like all that a record says of its exam but where it stands. */
  kind: ExamKind;
  /** The version of the paper that it began with. */
  version: number;
  /** Whether the record shows its paper in a layout of its own. */
  shuffled: boolean;
  /** Seconds the student spent, as the hand-in or a window that was left reported. */
  totalTime: number;
  /** Minutes that were given back (补时); the end has them. */
  extraMinutes: number;
  /** Minutes that the student's own accommodation added at the start; the end has them. */
  accommodation: number;
}

/**
 * A record with what its exam is called, for its owner. What its grading gave is told by `VisibleGrades` alone
 * (grading/visible-grades.ts).
 */
export interface RecordView extends ExamRecord {
  /** Seconds the student spent, as last reported: by a save, too, while the record is open. */
  totalTime: number;
  examName: string;
  courseId: number | null;
  chapterId: number | null;
  testType: number;
  examTime: number | null;
  totalQuestion: number;
  totalScore: number;
  /** Where the student was when a window last told the seconds spent; null: none has. */
  place: Place | null;
}

/** The question on the screen, and the highest number of a change that was known then. */
interface Place {
  questionId: number;
  seq: number;
}

/** Which records of a student are listed. */
export interface RecordFilter {
  userId: number;
  packId?: number | undefined;
  examId?: number | undefined;
  kind?: ExamKind | undefined;
  state?: 'open' | 'closed' | undefined;
  /** Only these, however many the student has. */
  ids?: readonly number[] | undefined;
}

/** The one way to read records: looked at by their owner, or locked for a decision. */
export interface RecordStore {
  /**
   * One committed record of this student, without a lock; null when there is none or it is another's (incidents:
   * chamilo-lms #7671).
   */
  find(userId: number, recordId: number): Promise<RecordView | null>;
  /** A page of a student's records, newest first. */
  list(filter: RecordFilter, limit: number, offset: number): Promise<RecordView[]>;
  /** How many records the filter finds on all pages together. */
  count(filter: RecordFilter): Promise<number>;
  /** Reads records by id and holds their rows until the transaction ends: nothing else can change or close them. */
  lock(trx: Trx, ids: readonly number[]): Promise<ExamRecord[]>;
  /** As `lock`, without waiting for anybody: `held` are the ids of records that another transaction holds now. */
  lockFree(trx: Trx, ids: readonly number[]): Promise<{ free: ExamRecord[]; held: ReadonlySet<number> }>;
  /** Locks the open records of these students in these exams, passing over those others hold. */
  lockOpen(trx: Trx, pairs: readonly { userId: number; examId: number }[]): Promise<ExamRecord[]>;
  /** Ids of records that ended before `endedBefore` and are still open, oldest first, without any lock. */
  overdueIds(endedBefore: number, most: number): Promise<number[]>;
  /** Locks records that ended before `endedBefore` and are still open, oldest first, passing over those others hold. */
  lockOverdue(trx: Trx, endedBefore: number, most: number, without: readonly number[]): Promise<ExamRecord[]>;
  /** The frozen layout of a record; null when it shows the paper as it is. */
  layout(query: Query, record: Pick<ExamRecord, 'id' | 'shuffled'>): Promise<Layout | null>;
  /** Keeps the seconds spent on an open record, and where its student is then, unless more is kept. */
  noteTime(query: Query, recordId: number, seconds: number, place: Place | null): Promise<void>;
  /** Makes a window the owner of an open record of this student. @returns whether there was one */
  takeWindow(query: Query, userId: number, recordId: number, windowId: string | null): Promise<boolean>;
}

interface RecordRow {
  id: number;
  user_id: number;
  pack_id: number;
  exam_id: number;
  started_at: number;
  ends_at: number | null;
  submitted_at: number | null;
  closed: string | null;
  window_id: string | null;
  total_time: number;
  shuffled: number;
  kind: ExamKind;
  version: number;
  extra_minutes: number;
  accommodation_minutes: number;
}

interface ViewRow extends RecordRow {
  name: string;
  course_id: number | null;
  chapter_id: number | null;
  test_type: number;
  exam_time: number | null;
  total_question: number;
  total_score: number;
  /** The longest time that a save of the open record reported; null when it is closed or has no save. */
  reported_time: number | null;
  place_question_id: number | null;
  place_seq: number;
}

/** Records with their exam, and with the version of it that they began with where that was replaced. */
function recordsOfPapers(query: Query) {
  return query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .leftJoin('paper_revisions', (join) =>
      join
        .onRef('paper_revisions.exam_id', '=', 'exam_records.exam_id')
        .onRef('paper_revisions.version', '=', 'exam_records.version'),
    );
}

/** Few columns: this stands in the path of every save. */
function recordRows(query: Query) {
  return recordsOfPapers(query).select(({ eb, fn }) => [
    'exam_records.id',
    'exam_records.user_id',
    'exam_records.pack_id',
    'exam_records.exam_id',
    'exam_records.started_at',
    'exam_records.ends_at',
    'exam_records.submitted_at',
    'exam_records.closed',
    'exam_records.window_id',
    'exam_records.total_time',
    'exam_records.extra_minutes',
    'exam_records.accommodation_minutes',
    eb.case().when('exam_records.layout', 'is', null).then(eb.lit(0)).else(eb.lit(1)).end().as('shuffled'),
    'exam_records.version',
    fn.coalesce('paper_revisions.kind', 'exams.kind').as('kind'),
  ]);
}

function viewRows(query: Query) {
  return recordRows(query).select(({ eb, fn, selectFrom }) => [
    fn.coalesce('paper_revisions.name', 'exams.name').as('name'),
    'exam_records.place_question_id',
    'exam_records.place_seq',
    'exams.course_id',
    'exams.chapter_id',
    fn.coalesce('paper_revisions.test_type', 'exams.test_type').as('test_type'),
    eb
      .case()
      .when('paper_revisions.exam_id', 'is', null)
      .then(eb.ref('exams.exam_time'))
      .else(eb.ref('paper_revisions.exam_time'))
      .end()
      .as('exam_time'),
    fn.coalesce('paper_revisions.total_question', 'exams.total_question').as('total_question'),
    fn.coalesce('paper_revisions.total_score', 'exams.total_score').as('total_score'),
    eb
      .case()
      .when('exam_records.submitted_at', 'is', null)
      .then(
        selectFrom('exam_answers')
          .select(({ fn }) => fn.max('exam_answers.total_time').as('longest'))
          .whereRef('exam_answers.record_id', '=', 'exam_records.id'),
      )
      .end()
      .as('reported_time'),
  ]);
}

/** Ids of the records that a filter finds. What their papers say is only looked up where it is asked for. */
function filtered(query: Query, { userId, packId, examId, kind, state, ids }: RecordFilter) {
  let rows = query.selectFrom('exam_records').where('exam_records.user_id', '=', userId);
  if (packId !== undefined) rows = rows.where('exam_records.pack_id', '=', packId);
  if (examId !== undefined) rows = rows.where('exam_records.exam_id', '=', examId);
  if (ids !== undefined) rows = rows.where('exam_records.id', 'in', padded(ids));
  if (kind !== undefined) {
    const ofKind = recordsOfPapers(query)
      .select('exam_records.id')
      .where('exam_records.user_id', '=', userId)
      .where(({ fn }) => fn.coalesce('paper_revisions.kind', 'exams.kind'), '=', kind);
    rows = rows.where('exam_records.id', 'in', ofKind);
  }
  if (state !== undefined) rows = rows.where('exam_records.submitted_at', state === 'open' ? 'is' : 'is not', null);
  return rows;
}

/** Layouts in memory at most; they never change once a record has started. */
const MOST_LAYOUTS = 5_000;

/**
 * Makes the store of records; its statements are compiled once. On PostgreSQL `lock` takes row locks in the order of
 * ids; on SQLite the transaction itself is the lock.
 */
export function recordStore(db: Db): RecordStore {
  const own = new Prepared<ViewRow>(
    db,
    () => viewRows(db.query).where('exam_records.id', '=', 0).where('exam_records.user_id', '=', 0) as never,
  );
  const byId = { id: 'bigint' } as const;
  const byIdRows = (given: unknown) =>
    recordRows(given as Query)
      .where(({ eb }) => eb('exam_records.id', 'in', sql<number>`(select id from given)`))
      .orderBy('exam_records.id');
  const byIdLocked = new PreparedForRows<typeof byId, RecordRow>(db, byId, (given) => {
    const rows = byIdRows(given);
    return (db.kind === 'postgres' ? rows.forUpdate('exam_records') : rows) as never;
  });
  const byIdFree = new PreparedForRows<typeof byId, RecordRow>(db, byId, (given) => {
    const rows = byIdRows(given);
    return (db.kind === 'postgres' ? rows.forUpdate('exam_records').skipLocked() : rows) as never;
  });
  const pair = { user_id: 'bigint', exam_id: 'bigint' } as const;
  const openLocked = new PreparedForRows<typeof pair, RecordRow>(db, pair, (given) => {
    const rows = recordRows(given as never as Query)
      .where(sql<boolean>`(exam_records.user_id, exam_records.exam_id) in (select user_id, exam_id from given)`)
      .where('exam_records.submitted_at', 'is', null)
      .orderBy('exam_records.id');
    return (db.kind === 'postgres' ? rows.forUpdate('exam_records').skipLocked() : rows) as never;
  });
  const takeWindow = new Prepared<{ id: number }>(
    db,
    () =>
      db.query
        .updateTable('exam_records')
        .set({ window_id: '' })
        .where('id', '=', 0)
        .where('user_id', '=', 0)
        .where('submitted_at', 'is', null)
        .returning('id') as never,
  );
  const layouts = new Map<number, Layout>();

  return {
    find: async (userId, recordId) => {
      const [row] = await own.look([recordId, userId]);
      return row ? toView(row) : null;
    },
    list: async (filter, limit, offset) => {
      // The page is found first, and only its own records are then read whole, however many the student has.
      const page = filtered(db.query, filter)
        .select('exam_records.id')
        .orderBy('exam_records.started_at', 'desc')
        .orderBy('exam_records.id', 'desc')
        .limit(limit)
        .offset(offset);
      const rows = await viewRows(db.query)
        .where('exam_records.id', 'in', page)
        .orderBy('exam_records.started_at', 'desc')
        .orderBy('exam_records.id', 'desc')
        .execute();
      return rows.map(toView);
    },
    count: async (filter) => {
      const { count } = await filtered(db.query, filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
    lock: async (trx, ids) => {
      const rows = await byIdLocked.run(
        trx,
        ids.map((id) => ({ id })),
      );
      return rows.map(toRecord);
    },
    lockFree: async (trx, ids) => {
      const rows = await byIdFree.run(
        trx,
        ids.map((id) => ({ id })),
      );
      const held = new Set<number>();
      if (db.kind === 'postgres' && rows.length < ids.length) {
        const free = new Set(rows.map(({ id }) => id));
        // Passed over, or not there at all.
        for (const missing of inLists(ids.filter((id) => !free.has(id)))) {
          const there = await trx.selectFrom('exam_records').select('id').where('id', 'in', missing).execute();
          for (const { id } of there) held.add(id);
        }
      }
      return { free: rows.map(toRecord), held };
    },
    lockOpen: async (trx, pairs) => {
      const rows = await openLocked.run(
        trx,
        pairs.map(({ userId, examId }) => ({ user_id: userId, exam_id: examId })),
      );
      return rows.map(toRecord);
    },
    overdueIds: async (endedBefore, most) => {
      const rows = await db.query
        .selectFrom('exam_records')
        .select('id')
        .where('submitted_at', 'is', null)
        .where('ends_at', '<', endedBefore)
        .orderBy('ends_at')
        .limit(most)
        .execute();
      return rows.map((row) => row.id);
    },
    lockOverdue: async (trx, endedBefore, most, without) => {
      let overdue = recordRows(trx)
        .where('exam_records.submitted_at', 'is', null)
        .where('exam_records.ends_at', '<', endedBefore)
        .orderBy('exam_records.ends_at')
        .limit(most);
      if (without.length > 0) overdue = overdue.where('exam_records.id', 'not in', [...without]);
      if (db.kind === 'postgres') overdue = overdue.forUpdate('exam_records').skipLocked();
      return (await overdue.execute()).map(toRecord);
    },
    layout: async (query, { id, shuffled }) => {
      if (!shuffled) return null;
      const known = layouts.get(id);
      if (known) return known;
      const row = await query.selectFrom('exam_records').select('layout').where('id', '=', id).executeTakeFirst();
      if (row?.layout == null) return null;
      const layout = JSON.parse(row.layout) as Layout;
      if (layouts.size >= MOST_LAYOUTS) layouts.delete(layouts.keys().next().value ?? 0);
      layouts.set(id, layout);
      return layout;
    },
    noteTime: async (query, recordId, seconds, place) => {
      await query
        .updateTable('exam_records')
        .set({
          total_time: seconds,
          ...(place && { place_question_id: place.questionId, place_seq: place.seq }),
        })
        .where('id', '=', recordId)
        .where('submitted_at', 'is', null)
        .where('total_time', place ? '<=' : '<', seconds)
        .execute();
    },
    takeWindow: async (query, userId, recordId, windowId) =>
      (await takeWindow.run(query, [windowId, recordId, userId])).length > 0,
  };
}

function toRecord(row: RecordRow): ExamRecord {
  return {
    id: row.id,
    userId: row.user_id,
    packId: row.pack_id,
    examId: row.exam_id,
    kind: row.kind,
    version: row.version,
    shuffled: row.shuffled === 1,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    submittedAt: row.submitted_at,
    closed: row.closed as Closed | null,
    windowId: row.window_id,
    totalTime: row.total_time,
    extraMinutes: row.extra_minutes,
    accommodation: row.accommodation_minutes,
  };
}

function toView(row: ViewRow): RecordView {
  return {
    ...toRecord(row),
    totalTime: Math.max(row.total_time, row.reported_time ?? 0),
    examName: row.name,
    courseId: row.course_id,
    chapterId: row.chapter_id,
    testType: row.test_type,
    examTime: row.exam_time,
    totalQuestion: row.total_question,
    totalScore: row.total_score,
    place: row.place_question_id === null ? null : { questionId: row.place_question_id, seq: row.place_seq },
  };
}
