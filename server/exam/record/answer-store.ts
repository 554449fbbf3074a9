import type { Kept } from '#rules/exam/attempt.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { Prepared, padded, pieces, times } from '#server/db/prepared.ts';
import { ByQuestion, type Place } from '../pair-map.ts';

/** An answer to write: letters as stored, never as shown. */
export interface AnswerRow {
  recordId: number;
  questionId: number;
  answer: string;
  seq: number;
  savedAt: number;
  totalTime: number;
}

/** A save that came too late. */
export interface LateRow {
  recordId: number;
  questionId: number;
  answer: string;
  seq: number;
  arrivedAt: number;
}

/** What is stored of a question, its mark included. */
type KeptRow = Kept & { flag: 0 | 1 };

/** A mark to write. */
export interface FlagRow extends Place {
  flag: 0 | 1;
  savedAt: number;
}

/** Reads and writes answers; every write holds the locks of its records (`Records.lock`). */
export interface Answers {
  /** What is stored of these questions. */
  kept(trx: Trx, places: readonly Place[]): Promise<ByQuestion<KeptRow>>;
  write(trx: Trx, rows: readonly AnswerRow[]): Promise<void>;
  /** Keeps saves that came too late as evidence: the newest of each question, never graded. */
  writeLate(trx: Trx, rows: readonly LateRow[]): Promise<void>;
  /** Sets marks; what is answered stays as it is. */
  writeFlags(trx: Trx, rows: readonly FlagRow[]): Promise<void>;
}

interface KeptStored {
  record_id: number;
  question_id: number;
  answer: string | null;
  seq: number;
  shown_at: number | null;
  flag: number;
}

/** Makes the answer store: its statements are compiled once. */
export function answerStore(db: Db): Answers {
  const keptRows = new Prepared<KeptStored>(
    (size) =>
      db.query
        .selectFrom('exam_answers')
        .select(['record_id', 'question_id', 'answer', 'seq', 'shown_at', 'flag'])
        .where(({ eb, or }) =>
          or(times(size, 0).map(() => eb('record_id', '=', 0).and('question_id', '=', 0))),
        ) as never,
  );
  const upsert = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('exam_answers')
        .values(times(size, { record_id: 0, question_id: 0, answer: '', seq: 0, saved_at: 0, total_time: 0 }))
        .onConflict((conflict) =>
          conflict
            .columns(['record_id', 'question_id'])
            .doUpdateSet(({ ref, eb }) => ({
              answer: ref('excluded.answer'),
              seq: ref('excluded.seq'),
              saved_at: ref('excluded.saved_at'),
              total_time: eb
                .case()
                .when('excluded.total_time', '>', ref('exam_answers.total_time'))
                .then(ref('excluded.total_time'))
                .else(ref('exam_answers.total_time'))
                .end(),
            }))
            .whereRef('excluded.seq', '>', 'exam_answers.seq'),
        ) as never,
  );
  const upsertFlag = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('exam_answers')
        .values(times(size, { record_id: 0, question_id: 0, flag: 0, saved_at: 0 }))
        .onConflict((conflict) =>
          conflict.columns(['record_id', 'question_id']).doUpdateSet(({ ref }) => ({ flag: ref('excluded.flag') })),
        ) as never,
  );
  const upsertLate = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('late_saves')
        .values(times(size, { record_id: 0, question_id: 0, answer: '', seq: 0, arrived_at: 0, reason: '' }))
        .onConflict((conflict) =>
          conflict
            .columns(['record_id', 'question_id'])
            .doUpdateSet(({ ref }) => ({
              answer: ref('excluded.answer'),
              seq: ref('excluded.seq'),
              arrived_at: ref('excluded.arrived_at'),
            }))
            .whereRef('excluded.seq', '>', 'late_saves.seq'),
        ) as never,
  );
  return {
    kept: async (trx, places) => {
      const found = new ByQuestion<KeptRow>();
      for (let from = 0; from < places.length; from += 256) {
        const list = padded(places.slice(from, from + 256));
        const parameters: number[] = [];
        for (const { recordId, questionId } of list) parameters.push(recordId, questionId);
        for (const row of await keptRows.run(trx, parameters, list.length)) {
          const { record_id: recordId, question_id: questionId, answer, seq, shown_at: shownAt } = row;
          found.set({ recordId, questionId }, { answer, seq, shownAt, flag: row.flag === 1 ? 1 : 0 });
        }
      }
      return found;
    },
    write: async (trx, rows) => {
      for (const piece of pieces(rows)) {
        const parameters: unknown[] = [];
        for (const row of piece) {
          parameters.push(row.recordId, row.questionId, row.answer, row.seq, row.savedAt, row.totalTime);
        }
        await upsert.run(trx, parameters, piece.length);
      }
    },
    writeLate: async (trx, rows) => {
      // An upsert touches a row once: of two late saves of one question the newest goes.
      const newest = new ByQuestion<LateRow>();
      for (const row of rows) {
        const other = newest.get(row);
        if (!other || row.seq > other.seq) newest.set(row, row);
      }
      for (const piece of pieces(newest.values())) {
        const parameters = piece.flatMap((row) => [
          row.recordId,
          row.questionId,
          row.answer,
          row.seq,
          row.arrivedAt,
          'tooLate',
        ]);
        await upsertLate.run(trx, parameters, piece.length);
      }
    },
    writeFlags: async (trx, rows) => {
      for (const piece of pieces(rows)) {
        const parameters = piece.flatMap((row) => [row.recordId, row.questionId, row.flag, row.savedAt]);
        await upsertFlag.run(trx, parameters, piece.length);
      }
    },
  };
}
