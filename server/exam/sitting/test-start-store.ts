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
  /** Taken out of its pack: what is in progress goes on, nothing new begins. */
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
  /** Inserts records; one that the student has open already is left out (the unique index on open records decides). */
  insert(trx: Trx, records: readonly NewRecord[]): Promise<{ id: number; userId: number; examId: number }[]>;
}

interface ExamRow {
  id: number;
  pack_id: number;
  version: number;
  exam_time: number | null;
  shuffle_questions: number;
  shuffle_options: number;
  archived: number;
}

const NEW_RECORD = { user_id: 0, exam_id: 0, pack_id: 0, started_at: 0, ends_at: 0, window_id: '', layout: '' };

/** What starting an exam reads and writes, in statements that are prepared once for this database. */
export function startStore(db: Db): StartStore {
  const exams = new Prepared<ExamRow>(
    (size) =>
      db.query
        .selectFrom('exams')
        .select(['id', 'pack_id', 'version', 'exam_time', 'shuffle_questions', 'shuffle_options', 'archived'])
        .where('id', 'in', times(size, 0)) as never,
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
  return {
    readExams: async (trx, ids) => {
      const list = padded(ids);
      return (await exams.run(trx, list, list.length)).map((row) => ({
        id: row.id,
        packId: row.pack_id,
        version: row.version,
        examTime: row.exam_time,
        shuffle: { questions: row.shuffle_questions === 1, options: row.shuffle_options === 1 },
        archived: row.archived === 1,
      }));
    },
    insert: async (trx, records) => {
      const inserted: { id: number; userId: number; examId: number }[] = [];
      for (const piece of pieces(records)) {
        const parameters = piece.flatMap(({ userId, examId, packId, startedAt, endsAt, windowId, layout }) => [
          userId,
          examId,
          packId,
          startedAt,
          endsAt,
          windowId,
          layout,
        ]);
        for (const row of await insert.run(trx, parameters, piece.length)) {
          inserted.push({ id: row.id, userId: row.user_id, examId: row.exam_id });
        }
      }
      return inserted;
    },
  };
}
