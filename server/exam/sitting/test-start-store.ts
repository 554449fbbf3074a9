import type { Db, Trx } from '#server/db/open.ts';
import { Prepared, padded, pieces, times } from '#server/db/prepared.ts';

/** What a start has to know of an exam. */
export interface StartableExam {
  id: number;
  packId: number;
  version: number;
  /** Minutes; null: no limit. */
  examTime: number | null;
  shuffle: { questions: boolean; options: boolean };
  /** Taken out of the school's offer: what is in progress goes on, nothing new begins. */
  archived: boolean;
}

/** A record that begins now. */
export interface NewRecord {
  userId: number;
  examId: number;
  packId: number;
  startedAt: number;
  endsAt: number | null;
  windowId: string | null;
  layout: string | null;
}

/** What starting reads and writes; its statements are compiled once, since a year group starts in one second. */
export interface StartStore {
  readExams(trx: Trx, ids: readonly number[]): Promise<StartableExam[]>;
  /** Who of these students is enrolled in which of these packs. */
  readEnrolments(
    trx: Trx,
    userIds: readonly number[],
    packIds: readonly number[],
  ): Promise<{ userId: number; packId: number }[]>;
  /** Inserts records; one that the student has open already is left out (the unique index on open records decides). */
  insert(trx: Trx, records: readonly NewRecord[]): Promise<{ id: number; userId: number; examId: number }[]>;
  takeWindow(trx: Trx, recordId: number, windowId: string | null): Promise<void>;
  /** Notes when these students last studied a pack. */
  noteStudied(trx: Trx, packId: number, userIds: readonly number[], now: number): Promise<void>;
}

interface ExamStored {
  id: number;
  pack_id: number;
  version: number;
  exam_time: number | null;
  shuffle_questions: number;
  shuffle_options: number;
  archived: number;
  pack_archived: number;
}

const NEW_RECORD = { user_id: 0, exam_id: 0, pack_id: 0, started_at: 0, ends_at: 0, window_id: '', layout: '' };

/** What starting an exam reads and writes, in statements that are prepared once for this database. */
export function startStore(db: Db): StartStore {
  const exams = new Prepared<ExamStored>(
    (size) =>
      db.query
        .selectFrom('exams')
        .innerJoin('packs', 'packs.id', 'exams.pack_id')
        .select([
          'exams.id',
          'exams.pack_id',
          'exams.version',
          'exams.exam_time',
          'exams.shuffle_questions',
          'exams.shuffle_options',
          'exams.archived',
          'packs.archived as pack_archived',
        ])
        .where('exams.id', 'in', times(size, 0)) as never,
  );
  const enrolments = new Prepared<{ user_id: number; pack_id: number }>(
    (size) =>
      db.query
        .selectFrom('enrolments')
        .select(['user_id', 'pack_id'])
        .where('pack_id', '=', 0)
        .where('user_id', 'in', times(size, 0)) as never,
  );
  const insert = new Prepared<{ id: number; user_id: number; exam_id: number }>(
    (size) =>
      db.query
        .insertInto('exam_records')
        .values(times(size, NEW_RECORD))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'exam_id']).where('submitted_at', 'is', null).doNothing(),
        )
        .returning(['id', 'user_id', 'exam_id']) as never,
  );
  const takeWindow = new Prepared<never>(
    () => db.query.updateTable('exam_records').set({ window_id: '' }).where('id', '=', 0) as never,
  );
  const noteStudied = new Prepared<never>(
    (size) =>
      db.query
        .updateTable('enrolments')
        .set({ last_studied_at: 0 })
        .where('pack_id', '=', 0)
        .where('user_id', 'in', times(size, 0)) as never,
  );
  return {
    readExams: async (trx, ids) => {
      const list = padded(ids);
      return (await exams.run(trx, list, list.length)).map((row) => ({
        id: row.id,
        packId: row.pack_id,
        version: row.version,
        examTime: row.exam_time,
        shuffle: { questions: row.shuffle_questions === 1, options: row.shuffle_options === 1 },
        archived: row.archived === 1 || row.pack_archived === 1,
      }));
    },
    readEnrolments: async (trx, userIds, packIds) => {
      const list = padded(userIds);
      const found: { userId: number; packId: number }[] = [];
      for (const packId of packIds) {
        for (const row of await enrolments.run(trx, [packId, ...list], list.length)) {
          found.push({ userId: row.user_id, packId: row.pack_id });
        }
      }
      return found;
    },
    insert: async (trx, records) => {
      const inserted: { id: number; userId: number; examId: number }[] = [];
      for (const piece of pieces(records)) {
        const parameters = piece.flatMap((one) => [
          one.userId,
          one.examId,
          one.packId,
          one.startedAt,
          one.endsAt,
          one.windowId,
          one.layout,
        ]);
        for (const row of await insert.run(trx, parameters, piece.length)) {
          inserted.push({ id: row.id, userId: row.user_id, examId: row.exam_id });
        }
      }
      return inserted;
    },
    takeWindow: async (trx, recordId, windowId) => {
      await takeWindow.run(trx, [windowId, recordId]);
    },
    noteStudied: async (trx, packId, userIds, now) => {
      const list = padded(userIds);
      await noteStudied.run(trx, [now, packId, ...list], list.length);
    },
  };
}
