import type { Mark } from '#contract/values/exam.ts';
import type { StoredAnswer } from '#rules/exam/attempt.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { allGiven, Prepared, PreparedForRows, padded } from '#server/db/prepared.ts';
import { PairMap } from '../pair-map.ts';

/** A question of a record. */
export interface RecordQuestion {
  recordId: number;
  questionId: number;
}

/** An answer to write: letters as stored, never as shown. */
export interface NewAnswer extends RecordQuestion {
  answer: string;
  seq: number;
  savedAt: number;
  totalTime: number;
}

/** A save that came too late. */
export interface LateSave extends RecordQuestion {
  answer: string;
  seq: number;
  arrivedAt: number;
}

/** A mark to write. */
export interface NewMark extends RecordQuestion {
  value: 0 | 1;
  savedAt: number;
}

/** What is stored of a question, its marks included. */
interface MarkedAnswer extends StoredAnswer, Record<Mark, 0 | 1> {}

/** What is stored of a question, for one who looks at the whole record. */
export interface AnswerView extends MarkedAnswer {
  questionId: number;
  savedAt: number;
}

/** What grading needs of an answer. */
export interface AnswerToGrade extends RecordQuestion {
  answer: string | null;
  shownAt: number | null;
  guess: number;
  totalTime: number;
  savedAt: number;
  /** With what it was counted when its key was shown (grading/study.ts); null: it was not. */
  countedSeconds: number | null;
  countedDifficulty: number | null;
}

/** Reads and writes answers; every write holds the locks of its records (`RecordStore.lock`). */
export interface AnswerStore {
  /** What is stored of these questions, by record and question. */
  read(trx: Trx, questions: readonly RecordQuestion[]): Promise<PairMap<MarkedAnswer>>;
  /** Everything stored of one record, by question id ascending. */
  readRecord(query: Query, recordId: number): Promise<AnswerView[]>;
  /** What is stored of records that are to be graded, by record and question. */
  readToGrade(trx: Trx, recordIds: readonly number[]): Promise<Map<number, Map<number, AnswerToGrade>>>;
  /** How many questions of each record have an answer. */
  countAnswered(query: Query, recordIds: readonly number[]): Promise<Map<number, number>>;
  write(trx: Trx, answers: readonly NewAnswer[]): Promise<void>;
  /** Stores saves that came too late as evidence: the newest of each question, never graded. */
  writeLate(trx: Trx, saves: readonly LateSave[]): Promise<void>;
  /** Sets marks of one kind; what is answered stays as it is. */
  writeMarks(trx: Trx, mark: Mark, marks: readonly NewMark[]): Promise<void>;
  /**
   * Notes when the key of a question was shown, and with what its answer is counted, where there is one; an answer that is there stays,
   * and is final from now on.
   */
  markShown(
    trx: Trx,
    question: RecordQuestion,
    now: number,
    counted: { seconds: number; difficulty: number } | null,
  ): Promise<void>;
}

interface StoredRow {
  record_id: number;
  question_id: number;
  answer: string | null;
  seq: number;
  shown_at: number | null;
  flag: number;
  guess: number;
}

/** Makes the answer store: its statements are compiled once. */
export function answerStore(db: Db): AnswerStore {
  const question = { record_id: 'bigint', question_id: 'bigint' } as const;
  const stored = new PreparedForRows<typeof question, StoredRow>(
    db,
    question,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('exam_answers', (join) =>
          join
            .onRef('exam_answers.record_id', '=', 'given.record_id')
            .onRef('exam_answers.question_id', '=', 'given.question_id'),
        )
        .select([
          'exam_answers.record_id',
          'exam_answers.question_id',
          'exam_answers.answer',
          'exam_answers.seq',
          'exam_answers.shown_at',
          'exam_answers.flag',
          'exam_answers.guess',
        ]) as never,
  );
  const ofRecord = new Prepared<Omit<StoredRow, 'record_id'> & { saved_at: number }>(
    db,
    () =>
      db.query
        .selectFrom('exam_answers')
        .select(['question_id', 'answer', 'seq', 'flag', 'guess', 'shown_at', 'saved_at'])
        .where('record_id', '=', 0)
        .orderBy('question_id') as never,
  );
  const record = { record_id: 'bigint' } as const;
  const toGrade = new PreparedForRows<typeof record, AnswerToGrade>(
    db,
    record,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('exam_answers', 'exam_answers.record_id', 'given.record_id')
        .select([
          'exam_answers.record_id as recordId',
          'exam_answers.question_id as questionId',
          'exam_answers.answer',
          'exam_answers.shown_at as shownAt',
          'exam_answers.guess',
          'exam_answers.total_time as totalTime',
          'exam_answers.saved_at as savedAt',
          'exam_answers.counted_seconds as countedSeconds',
          'exam_answers.counted_difficulty as countedDifficulty',
        ]) as never,
  );
  const answered = { ...question, answer: 'text', seq: 'bigint', saved_at: 'bigint', total_time: 'bigint' } as const;
  const upsert = new PreparedForRows<typeof answered, never>(
    db,
    answered,
    (given) =>
      given
        .insertInto('exam_answers')
        .columns(['record_id', 'question_id', 'answer', 'seq', 'saved_at', 'total_time'])
        .expression(allGiven(['record_id', 'question_id', 'answer', 'seq', 'saved_at', 'total_time']))
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
  const marked = { ...question, value: 'bigint', saved_at: 'bigint' } as const;
  const upsertMark = (mark: Mark) =>
    new PreparedForRows<typeof marked, never>(
      db,
      marked,
      (given) =>
        given
          .insertInto('exam_answers')
          .columns(['record_id', 'question_id', mark, 'saved_at'])
          .expression(allGiven(['record_id', 'question_id', 'value', 'saved_at']))
          .onConflict((conflict) =>
            conflict
              .columns(['record_id', 'question_id'])
              .doUpdateSet(({ ref }) => ({ [mark]: ref(`excluded.${mark}`) })),
          ) as never,
    );
  const upsertMarks = { flag: upsertMark('flag'), guess: upsertMark('guess') };
  const late = { ...question, answer: 'text', seq: 'bigint', arrived_at: 'bigint', reason: 'text' } as const;
  const upsertLate = new PreparedForRows<typeof late, never>(
    db,
    late,
    (given) =>
      given
        .insertInto('late_saves')
        .columns(['record_id', 'question_id', 'answer', 'seq', 'arrived_at', 'reason'])
        .expression(allGiven(['record_id', 'question_id', 'answer', 'seq', 'arrived_at', 'reason']))
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
    read: async (trx, questions) => {
      const found = new PairMap<MarkedAnswer>();
      const rows = questions.map(({ recordId, questionId }) => ({ record_id: recordId, question_id: questionId }));
      for (const { record_id, question_id, answer, seq, shown_at, flag, guess } of await stored.run(trx, rows)) {
        const marks = { flag: flag === 1 ? 1 : 0, guess: guess === 1 ? 1 : 0 } as const;
        found.set(record_id, question_id, { answer, seq, shownAt: shown_at, ...marks });
      }
      return found;
    },
    readRecord: async (query, recordId) => {
      const rows = await ofRecord.run(query, [recordId]);
      return rows.map(({ question_id, answer, seq, flag, guess, shown_at, saved_at }) => ({
        questionId: question_id,
        answer,
        seq,
        flag: flag === 1 ? 1 : 0,
        guess: guess === 1 ? 1 : 0,
        shownAt: shown_at,
        savedAt: saved_at,
      }));
    },
    readToGrade: async (trx, recordIds) => {
      const found = new Map<number, Map<number, AnswerToGrade>>(recordIds.map((id) => [id, new Map()]));
      const rows = recordIds.map((id) => ({ record_id: id }));
      for (const row of await toGrade.run(trx, rows)) found.get(row.recordId)?.set(row.questionId, row);
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
      await upsert.run(
        trx,
        answers.map(({ recordId, questionId, answer, seq, savedAt, totalTime }) => ({
          record_id: recordId,
          question_id: questionId,
          answer,
          seq,
          saved_at: savedAt,
          total_time: totalTime,
        })),
      );
    },
    writeLate: async (trx, saves) => {
      // An upsert touches a row once: of two late saves of one question the newest goes.
      const newest = new PairMap<LateSave>();
      for (const save of saves) {
        const other = newest.get(save.recordId, save.questionId);
        if (!other || save.seq > other.seq) newest.set(save.recordId, save.questionId, save);
      }
      await upsertLate.run(
        trx,
        newest.values().map(({ recordId, questionId, answer, seq, arrivedAt }) => ({
          record_id: recordId,
          question_id: questionId,
          answer,
          seq,
          arrived_at: arrivedAt,
          reason: 'tooLate',
        })),
      );
    },
    writeMarks: async (trx, mark, marks) => {
      await upsertMarks[mark].run(
        trx,
        marks.map(({ recordId, questionId, value, savedAt }) => ({
          record_id: recordId,
          question_id: questionId,
          value,
          saved_at: savedAt,
        })),
      );
    },
    markShown: async (trx, { recordId, questionId }, now, counted) => {
      const shown = {
        shown_at: now,
        counted_seconds: counted?.seconds ?? null,
        counted_difficulty: counted?.difficulty ?? null,
      };
      await trx
        .insertInto('exam_answers')
        .values({ record_id: recordId, question_id: questionId, answer: null, saved_at: now, ...shown })
        .onConflict((conflict) => conflict.columns(['record_id', 'question_id']).doUpdateSet(shown))
        .execute();
    },
  };
}
