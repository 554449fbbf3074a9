import type { Attempt, Closed } from '#rules/exam/attempt.ts';
import type { ExamKind } from '#rules/exam/reveal.ts';
import type { Layout } from '#rules/exam/shuffle.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { Prepared, padded, times } from '#server/db/prepared.ts';

/** What decides about a record, and which exam in which version it is of. */
export interface RecordRow extends Attempt {
  id: number;
  userId: number;
  examId: number;
  kind: ExamKind;
  version: number;
  /** Whether the record shows its paper in a layout of its own. */
  shuffled: boolean;
  totalTime: number;
}

interface Stored {
  id: number;
  user_id: number;
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
}

/** Which records are wanted. */
export interface Records {
  /** Reads a committed record without a lock; null when there is none. */
  find(id: number): Promise<RecordRow | null>;
  /** Reads records by id and holds their rows until the transaction ends: nothing else can change or close them. */
  lock(trx: Trx, ids: readonly number[]): Promise<RecordRow[]>;
  /** Locks the open records of these students in these exams. */
  lockOpen(trx: Trx, pairs: readonly { userId: number; examId: number }[]): Promise<RecordRow[]>;
  /** Locks records that ended before `endedBefore` and are still open, oldest first, passing over those others hold. */
  lockOverdue(trx: Trx, endedBefore: number, most: number, without: readonly number[]): Promise<RecordRow[]>;
  /** The frozen layout of a record; null when it shows the paper as it is. */
  layout(query: Query, record: Pick<RecordRow, 'id' | 'shuffled'>): Promise<Layout | null>;
}

/** Layouts that are kept in memory; they never change once a record has started. */
const KEPT_LAYOUTS = 5_000;

/** Reads records. On PostgreSQL `lock` takes row locks in the order of ids; on SQLite the transaction itself is the lock. */
export function recordReader(db: Db): Records {
  const rows = () =>
    db.query
      .selectFrom('exam_records')
      .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
      .select(({ eb }) => [
        'exam_records.id',
        'exam_records.user_id',
        'exam_records.exam_id',
        'exam_records.started_at',
        'exam_records.ends_at',
        'exam_records.submitted_at',
        'exam_records.closed',
        'exam_records.window_id',
        'exam_records.total_time',
        eb.case().when('exam_records.layout', 'is', null).then(eb.lit(0)).else(eb.lit(1)).end().as('shuffled'),
        'exams.kind',
        'exams.version',
      ]);
  const locked = () => (db.kind === 'postgres' ? rows().forUpdate('exam_records') : rows());
  const byId = new Prepared<Stored>((size) => rows().where('exam_records.id', 'in', times(size, 0)) as never);
  const byIdLocked = new Prepared<Stored>(
    (size) => locked().where('exam_records.id', 'in', times(size, 0)).orderBy('exam_records.id') as never,
  );
  const openLocked = new Prepared<Stored>(
    (size) =>
      locked()
        .where(({ eb, or }) =>
          or(times(size, 0).map(() => eb('exam_records.user_id', '=', 0).and('exam_records.exam_id', '=', 0))),
        )
        .where('exam_records.submitted_at', 'is', null)
        .orderBy('exam_records.id') as never,
  );
  const layouts = new Map<number, Layout>();

  return {
    find: async (id) => {
      const [row] = await byId.look(db, [id]);
      return row ? fromStored(row) : null;
    },
    lock: async (trx, ids) => {
      const list = padded(ids);
      return ids.length === 0 ? [] : (await byIdLocked.run(trx, list, list.length)).map(fromStored);
    },
    lockOpen: async (trx, pairs) => {
      const list = padded(pairs);
      if (list.length === 0) return [];
      const found = await openLocked.run(
        trx,
        list.flatMap(({ userId, examId }) => [userId, examId]),
        list.length,
      );
      return found.map(fromStored);
    },
    lockOverdue: async (trx, endedBefore, most, without) => {
      let overdue = rows()
        .where('exam_records.submitted_at', 'is', null)
        .where('exam_records.ends_at', '<', endedBefore)
        .orderBy('exam_records.ends_at')
        .limit(most);
      if (without.length > 0) overdue = overdue.where('exam_records.id', 'not in', [...without]);
      if (db.kind === 'postgres') overdue = overdue.forUpdate('exam_records').skipLocked();
      return ((await trx.executeQuery(overdue)).rows as Stored[]).map(fromStored);
    },
    layout: async (query, { id, shuffled }) => {
      if (!shuffled) return null;
      const known = layouts.get(id);
      if (known) return known;
      const row = await query.selectFrom('exam_records').select('layout').where('id', '=', id).executeTakeFirst();
      if (row?.layout == null) return null;
      const layout = JSON.parse(row.layout) as Layout;
      if (layouts.size >= KEPT_LAYOUTS) layouts.delete(layouts.keys().next().value ?? 0);
      layouts.set(id, layout);
      return layout;
    },
  };
}

function fromStored(row: Stored): RecordRow {
  return {
    id: row.id,
    userId: row.user_id,
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
  };
}
