import type { StoredAnswer } from '#rules/exam/attempt.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { Prepared, padded, pieces, times } from '#server/db/prepared.ts';
import { PairMap } from '../pair-map.ts';

/** A question of a record. */
export interface Place {
  recordId: number;
  questionId: number;
}

/** An answer to write: letters as stored, never as shown. */
export interface NewAnswer extends Place {
  answer: string;
  seq: number;
  savedAt: number;
  totalTime: number;
}

/** A save that came too late. */
export interface LateSave extends Place {
  answer: string;
  seq: number;
  arrivedAt: number;
}

/** A mark to write. */
export interface NewFlag extends Place {
  flag: 0 | 1;
  savedAt: number;
}

/** What is stored of a question, its mark included. */
interface FlaggedAnswer extends StoredAnswer {
  flag: 0 | 1;
}

/** What is stored of a question, for one who looks at the whole record. */
export interface AnswerView extends FlaggedAnswer {
  questionId: number;
}

/** What grading needs of an answer. */
export interface AnswerToGrade extends Place {
  answer: string | null;
  shownAt: number | null;
  totalTime: number;
}

/** Reads and writes answers; every write holds the locks of its records (`RecordStore.lock`). */
export interface AnswerStore {
  /** What is stored of these questions, by record and question. */
  read(trx: Trx, places: readonly Place[]): Promise<PairMap<FlaggedAnswer>>;
  /** Everything stored of one record, by question id ascending. */
  readRecord(query: Query, recordId: number): Promise<AnswerView[]>;
  /** What is stored of records that are to be graded, by record and question. */
  readToGrade(trx: Trx, recordIds: readonly number[]): Promise<Map<number, Map<number, AnswerToGrade>>>;
  /** How many questions of each record have an answer. */
  countAnswered(query: Query, recordIds: readonly number[]): Promise<Map<number, number>>;
  write(trx: Trx, answers: readonly NewAnswer[]): Promise<void>;
  /** Stores saves that came too late as evidence: the newest of each question, never graded. */
  writeLate(trx: Trx, saves: readonly LateSave[]): Promise<void>;
  /** Sets marks; what is answered stays as it is. */
  writeFlags(trx: Trx, flags: readonly NewFlag[]): Promise<void>;
  /** Notes when the key of a question was shown; an answer that is there stays, and is final from now on. */
  markShown(trx: Trx, place: Place, now: number): Promise<void>;
}

interface StoredRow {
  record_id: number;
  question_id: number;
  answer: string | null;
  seq: number;
  shown_at: number | null;
  flag: number;
}

/** Places of which answers are read in one statement. */
const PLACES_AT_ONCE = 256;

/** Makes the answer store: its statements are compiled once. */
export function answerStore(db: Db): AnswerStore {
  const stored = new Prepared<StoredRow>(
    (size) =>
      db.query
        .selectFrom('exam_answers')
        .select(['record_id', 'question_id', 'answer', 'seq', 'shown_at', 'flag'])
        .where(({ eb, or }) =>
          or(times(size, 0).map(() => eb('record_id', '=', 0).and('question_id', '=', 0))),
        ) as never,
  );
  const toGrade = new Prepared<AnswerToGrade>(
    (size) =>
      db.query
        .selectFrom('exam_answers')
        .select([
          'record_id as recordId',
          'question_id as questionId',
          'answer',
          'shown_at as shownAt',
          'total_time as totalTime',
        ])
        .where('record_id', 'in', times(size, 0)) as never,
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
    read: async (trx, places) => {
      const found = new PairMap<FlaggedAnswer>();
      for (let from = 0; from < places.length; from += PLACES_AT_ONCE) {
        const list = padded(places.slice(from, from + PLACES_AT_ONCE));
        const parameters: number[] = [];
        for (const { recordId, questionId } of list) parameters.push(recordId, questionId);
        for (const { record_id, question_id, answer, seq, shown_at, flag } of await stored.run(
          trx,
          parameters,
          list.length,
        )) {
          found.set(record_id, question_id, { answer, seq, shownAt: shown_at, flag: flag === 1 ? 1 : 0 });
        }
      }
      return found;
    },
    readRecord: async (query, recordId) => {
      const rows = await query
        .selectFrom('exam_answers')
        .select(['question_id', 'answer', 'seq', 'flag', 'shown_at'])
        .where('record_id', '=', recordId)
        .orderBy('question_id')
        .execute();
      return rows.map(({ question_id, answer, seq, flag, shown_at }) => ({
        questionId: question_id,
        answer,
        seq,
        flag: flag === 1 ? 1 : 0,
        shownAt: shown_at,
      }));
    },
    readToGrade: async (trx, recordIds) => {
      const ids = padded(recordIds);
      const found = new Map<number, Map<number, AnswerToGrade>>(recordIds.map((id) => [id, new Map()]));
      for (const row of await toGrade.run(trx, ids, ids.length)) found.get(row.recordId)?.set(row.questionId, row);
      return found;
    },
    countAnswered: async (query, recordIds) => {
      if (recordIds.length === 0) return new Map();
      const rows = await query
        .selectFrom('exam_answers')
        .select(({ fn }) => ['record_id', fn.countAll<number>().as('count')])
        .where('record_id', 'in', padded(recordIds))
        .where('answer', '<>', '')
        .groupBy('record_id')
        .execute();
      return new Map(rows.map((row) => [row.record_id, row.count]));
    },
    write: async (trx, answers) => {
      for (const piece of pieces(answers)) {
        const parameters: unknown[] = [];
        for (const { recordId, questionId, answer, seq, savedAt, totalTime } of piece) {
          parameters.push(recordId, questionId, answer, seq, savedAt, totalTime);
        }
        await upsert.run(trx, parameters, piece.length);
      }
    },
    writeLate: async (trx, saves) => {
      // An upsert touches a row once: of two late saves of one question the newest goes.
      const newest = new PairMap<LateSave>();
      for (const save of saves) {
        const other = newest.get(save.recordId, save.questionId);
        if (!other || save.seq > other.seq) newest.set(save.recordId, save.questionId, save);
      }
      for (const piece of pieces(newest.values())) {
        const parameters = piece.flatMap(({ recordId, questionId, answer, seq, arrivedAt }) => [
          recordId,
          questionId,
          answer,
          seq,
          arrivedAt,
          'tooLate',
        ]);
        await upsertLate.run(trx, parameters, piece.length);
      }
    },
    writeFlags: async (trx, flags) => {
      for (const piece of pieces(flags)) {
        const parameters = piece.flatMap((row) => [row.recordId, row.questionId, row.flag, row.savedAt]);
        await upsertFlag.run(trx, parameters, piece.length);
      }
    },
    markShown: async (trx, { recordId, questionId }, now) => {
      await trx
        .insertInto('exam_answers')
        .values({ record_id: recordId, question_id: questionId, answer: null, shown_at: now, saved_at: now })
        .onConflict((conflict) => conflict.columns(['record_id', 'question_id']).doUpdateSet({ shown_at: now }))
        .execute();
    },
  };
}
