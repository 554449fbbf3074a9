import { LEAVE_AFTER, type LeaveAfter } from '#contract/values/exam.ts';
import { standInRating } from '#rules/exam/stand-in.ts';
import { afterEvidence, type WrongQuestion } from '#rules/exam/wrong.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { PreparedForRows, type RowOf } from '#server/db/prepared.ts';
import { PairMap } from '../pair-map.ts';
import { type CardReview, cardWriter } from './card-store.ts';
import type { QuestionEvidence } from './statistics.ts';
import { type WrongRow, wrongQuestionFrom } from './wrong-entry.ts';

/** Brings what answers said into the wrong-question lists of their students, and to the cards of their reviews. */
type WriteEvidence = (trx: Trx, said: readonly QuestionEvidence[]) => Promise<void>;

/** A row, with when its student lets questions leave. */
interface ReadRow extends WrongRow {
  user_id: number;
  leave_after: number | null;
}

const KEY = { user_id: 'bigint', question_id: 'bigint' } as const;
const CHANGED = {
  user_id: 'bigint',
  question_id: 'bigint',
  state: 'text',
  times_wrong: 'bigint',
  right_streak: 'bigint',
  guessed: 'bigint',
  exam_id: 'bigint',
  last_at: 'bigint',
} as const;
const ENTRY = { ...CHANGED, first_at: 'bigint' } as const;

/** Makes the writer of wrong questions; its statements are compiled once, since every hand-in runs them. */
export function evidenceWriter(db: Db): WriteEvidence {
  const writeCards = cardWriter(db);
  // Two transactions may bring the same question in at once: whoever comes second adds to the row of the first.
  const enter = new PreparedForRows<typeof ENTRY, never>(
    db,
    ENTRY,
    (given) =>
      given
        .insertInto('wrong_questions')
        .columns([
          'user_id',
          'question_id',
          'pack_id',
          'state',
          'times_wrong',
          'right_streak',
          'guessed',
          'exam_id',
          'first_at',
          'last_at',
        ])
        .expression(
          ({ selectFrom, lit }) =>
            selectFrom('given')
              .innerJoin('questions', 'questions.id', 'given.question_id')
              .select([
                'given.user_id',
                'given.question_id',
                'questions.pack_id',
                'given.state',
                'given.times_wrong',
                'given.right_streak',
                'given.guessed',
                'given.exam_id',
                'given.first_at',
                'given.last_at',
              ])
              // SQLite reads `on conflict` only after a `where`.
              .where(lit(true)) as never,
        )
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'question_id']).doUpdateSet(({ eb, ref }) => ({
            state: ref('excluded.state'),
            times_wrong: eb('wrong_questions.times_wrong', '+', ref('excluded.times_wrong')),
            right_streak: ref('excluded.right_streak'),
            guessed: ref('excluded.guessed'),
            exam_id: ref('excluded.exam_id'),
            last_at: ref('excluded.last_at'),
          })),
        ) as never,
  );
  const read = new PreparedForRows<typeof KEY, ReadRow>(db, KEY, (given) => {
    const rows = given
      .selectFrom('given')
      .innerJoin('wrong_questions', (join) =>
        join
          .onRef('wrong_questions.user_id', '=', 'given.user_id')
          .onRef('wrong_questions.question_id', '=', 'given.question_id'),
      )
      .leftJoin('study_settings', (join) =>
        join
          .onRef('study_settings.user_id', '=', 'given.user_id')
          .onRef('study_settings.pack_id', '=', 'wrong_questions.pack_id'),
      )
      .selectAll('wrong_questions')
      .select('study_settings.leave_after')
      .orderBy('wrong_questions.user_id')
      .orderBy('wrong_questions.question_id');
    return (db.kind === 'postgres' ? rows.forUpdate('wrong_questions') : rows) as never;
  });
  const change = new PreparedForRows<typeof CHANGED, never>(
    db,
    CHANGED,
    (given) =>
      given
        .updateTable('wrong_questions')
        .from('given')
        .set(
          ({ ref }) =>
            ({
              state: ref('given.state'),
              times_wrong: ref('given.times_wrong'),
              right_streak: ref('given.right_streak'),
              guessed: ref('given.guessed'),
              exam_id: ref('given.exam_id'),
              last_at: ref('given.last_at'),
            }) as never,
        )
        .whereRef('wrong_questions.user_id', '=', 'given.user_id')
        .whereRef('wrong_questions.question_id', '=', 'given.question_id') as never,
  );

  const asked = { exam_id: 'bigint', question_id: 'bigint' } as const;
  const standIns = new PreparedForRows<typeof asked, { exam_id: number; question_id: number; for_question_id: number }>(
    db,
    asked,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('stand_ins', (join) =>
          join
            .onRef('stand_ins.exam_id', '=', 'given.exam_id')
            .onRef('stand_ins.question_id', '=', 'given.question_id'),
        )
        .selectAll('stand_ins') as never,
  );

  /** Reviews of cards by answers to questions that stand for theirs (rules/exam/stand-in.ts). */
  async function reviewsFor(trx: Trx, said: readonly QuestionEvidence[]): Promise<CardReview[]> {
    const own = said.filter(({ practiceId, evidence }) => practiceId !== null && standInRating(evidence) !== null);
    const rows = await standIns.run(
      trx,
      own.map(({ practiceId, questionId }) => ({ exam_id: practiceId, question_id: questionId })),
    );
    const stored = new PairMap<number>();
    for (const row of rows) stored.set(row.exam_id, row.question_id, row.for_question_id);
    return own.flatMap(({ userId, questionId, practiceId, evidence, at }) => {
      const of = stored.get(practiceId ?? 0, questionId);
      const rating = standInRating(evidence);
      return of === undefined || rating === null ? [] : [{ userId, questionId: of, rating, at }];
    });
  }

  return async (trx, said) => {
    if (said.length === 0) return;
    const reviews = await reviewsFor(trx, said);
    const byQuestion = new PairMap<QuestionEvidence[]>();
    for (const one of said) {
      const known = byQuestion.get(one.userId, one.questionId);
      if (known) known.push(one);
      else byQuestion.set(one.userId, one.questionId, [one]);
    }
    // In one order everywhere, so that two processes cannot wait for each other.
    const all = byQuestion.entries().sort(([a, one], [b, other]) => a - b || one - other);
    // Held with them: the rows of questions whose cards are reviewed by others.
    const held = new PairMap<true>();
    for (const [userId, questionId] of all) held.set(userId, questionId, true);
    for (const { userId, questionId } of reviews) held.set(userId, questionId, true);
    const rows = await read.run(
      trx,
      held
        .entries()
        .map(([user_id, question_id]) => ({ user_id, question_id }))
        .sort((a, b) => a.user_id - b.user_id || a.question_id - b.question_id),
    );
    const listed = new PairMap<WrongQuestion>();
    const leaving = new PairMap<LeaveAfter>();
    for (const row of rows) {
      listed.set(row.user_id, row.question_id, wrongQuestionFrom(row));
      leaving.set(row.user_id, row.question_id, (row.leave_after ?? LEAVE_AFTER) as LeaveAfter);
    }
    const entries: RowOf<typeof ENTRY>[] = [];
    const changes: RowOf<typeof CHANGED>[] = [];
    for (const [userId, questionId, said] of all) {
      const before = listed.get(userId, questionId) ?? null;
      const leaveAfter = leaving.get(userId, questionId) ?? LEAVE_AFTER;
      const after = said.reduce<WrongQuestion | null>(
        (question, evidence) => afterEvidence(question, evidence, leaveAfter),
        before,
      );
      if (after === null) continue;
      const stored = {
        user_id: userId,
        question_id: questionId,
        state: after.state,
        times_wrong: after.timesWrong,
        right_streak: after.rightStreak,
        guessed: after.guessed ? 1 : 0,
        exam_id: after.examId,
        last_at: after.lastAt,
      };
      if (before) changes.push(stored);
      else entries.push({ ...stored, first_at: after.firstAt });
    }
    await enter.run(trx, entries);
    await change.run(trx, changes);
    // After the rows are held, which hold the cards of their questions with them.
    await writeCards(trx, said, listed, reviews);
  };
}
