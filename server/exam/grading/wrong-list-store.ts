import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { WrongState } from '#contract/values/exam.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { Tables } from '#server/db/schema.ts';
import {
  type WrongEntry,
  type WrongFacet,
  type WrongListFilter,
  type WrongRow,
  wrongQuestionFrom,
} from './wrong-entry.ts';

/** Which entries of one student's list, without the questions that are hidden from them now. */
interface AskedWrong {
  userId: number;
  hidden: readonly number[];
}

const COLUMNS = [
  'wrong_questions.question_id',
  'wrong_questions.state',
  'wrong_questions.times_wrong',
  'wrong_questions.right_streak',
  'wrong_questions.guessed',
  'wrong_questions.exam_id',
  'wrong_questions.first_at',
  'wrong_questions.last_at',
] as const;

const toEntry = (row: WrongRow): WrongEntry => ({ questionId: row.question_id, ...wrongQuestionFrom(row) });

/** `hasReason` of rules/exam/wrong.ts: a row whose only mistake or guess was taken back is kept for what may come. */
export const rowHasReason = ({ eb, or }: ExpressionBuilder<Tables, 'wrong_questions'>) =>
  or([eb('wrong_questions.times_wrong', '>', 0), eb('wrong_questions.guessed', '=', 1)]);

function ownRows(query: Kysely<Tables>, { userId, hidden }: AskedWrong) {
  const rows = query.selectFrom('wrong_questions').where('wrong_questions.user_id', '=', userId).where(rowHasReason);
  return hidden.length === 0 ? rows : rows.where('wrong_questions.question_id', 'not in', padded(hidden));
}

function filtered(query: Query, asked: AskedWrong, filter: WrongListFilter) {
  let rows = ownRows(query, asked)
    .where('wrong_questions.pack_id', '=', filter.packId)
    .where('wrong_questions.state', '=', filter.state);
  if (filter.examId !== undefined) rows = rows.where('wrong_questions.exam_id', '=', filter.examId);
  if (filter.timesWrong !== undefined) rows = rows.where('wrong_questions.times_wrong', '>=', filter.timesWrong);
  if (filter.guessed) rows = rows.where('wrong_questions.guessed', '=', 1);
  if (filter.since !== undefined) rows = rows.where('wrong_questions.last_at', '>=', filter.since);
  const { chapterIds, questionTypesId } = filter;
  if (chapterIds !== undefined || questionTypesId !== undefined) {
    rows = rows.where(({ exists, selectFrom }) => {
      let question = selectFrom('questions').whereRef('questions.id', '=', 'wrong_questions.question_id');
      if (chapterIds !== undefined) question = question.where('questions.chapter_id', 'in', padded(chapterIds));
      if (questionTypesId !== undefined) question = question.where('questions.question_types_id', '=', questionTypesId);
      return exists(question.select('questions.id'));
    });
  }
  return rows;
}

/** A page of a list: the newest mistake first, or the most frequent one. `total` counts all pages. */
export async function readWrongPage(
  query: Query,
  asked: AskedWrong,
  {
    order,
    limit,
    offset,
    ...filter
  }: WrongListFilter & { order: 'newest' | 'timesWrong'; limit: number; offset: number },
): Promise<{ entries: WrongEntry[]; total: number }> {
  const { total } = await filtered(query, asked, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = filtered(query, asked, filter).select(COLUMNS);
  if (order === 'timesWrong') page = page.orderBy('wrong_questions.times_wrong', 'desc');
  const rows = await page
    .orderBy('wrong_questions.last_at', 'desc')
    .orderBy('wrong_questions.question_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { entries: rows.map(toEntry), total };
}

/** How the entries of a pack are spread over states, chapters, types, exams and counts. */
export async function readWrongFacets(query: Query, asked: AskedWrong, packId: number): Promise<WrongFacet[]> {
  const timesWrong = sql<number>`case when wrong_questions.times_wrong > 3 then 3 else wrong_questions.times_wrong end`;
  const rows = await ownRows(query, asked)
    .innerJoin('questions', 'questions.id', 'wrong_questions.question_id')
    .where('wrong_questions.pack_id', '=', packId)
    .select(({ fn }) => [
      'wrong_questions.state',
      'questions.chapter_id',
      'questions.question_types_id',
      'wrong_questions.exam_id',
      'wrong_questions.guessed',
      timesWrong.as('times'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy([
      'wrong_questions.state',
      'questions.chapter_id',
      'questions.question_types_id',
      'wrong_questions.exam_id',
      'wrong_questions.guessed',
      timesWrong,
    ])
    .execute();
  return rows.map((row) => ({
    state: row.state,
    chapterId: row.chapter_id,
    questionTypesId: row.question_types_id,
    examId: row.exam_id,
    timesWrong: row.times,
    guessed: row.guessed === 1,
    count: row.count,
  }));
}

/** How many entries each pack has, by state, and when the newest mistake was. */
export async function readWrongPacks(
  query: Query,
  asked: AskedWrong,
): Promise<{ packId: number; state: WrongState; count: number; lastAt: number }[]> {
  const rows = await ownRows(query, asked)
    .select(({ fn }) => [
      'wrong_questions.pack_id',
      'wrong_questions.state',
      fn.countAll<number>().as('count'),
      fn.max<number>('wrong_questions.last_at').as('last_at'),
    ])
    .groupBy(['wrong_questions.pack_id', 'wrong_questions.state'])
    .execute();
  return rows.map((row) => ({
    packId: row.pack_id,
    state: row.state,
    count: row.count,
    lastAt: Number(row.last_at),
  }));
}

/** The entries of questions, by question; those that were never there are left out. */
export async function readWrongOf(
  query: Query,
  asked: AskedWrong,
  questionIds: readonly number[],
): Promise<Map<number, WrongEntry>> {
  if (questionIds.length === 0) return new Map();
  const rows = await ownRows(query, asked)
    .select(COLUMNS)
    .where('wrong_questions.question_id', 'in', padded(questionIds))
    .execute();
  return new Map(rows.map((row) => [row.question_id, toEntry(row)]));
}

/**
 * Moves entries of a student to another state, but for those hidden from them. A restored one begins its row of right
 * answers anew; one that is in already keeps it, so that the same asked twice changes nothing. @returns how many there were
 */
export async function moveWrong(
  query: Query,
  { userId, hidden }: AskedWrong,
  questionIds: readonly number[],
  state: 'in' | 'removed',
): Promise<number> {
  const unseen = new Set(hidden);
  const ids = questionIds.filter((id) => !unseen.has(id));
  if (ids.length === 0) return 0;
  const moved = await query
    .updateTable('wrong_questions')
    .set({
      state,
      right_streak: (of) => of.case().when('state', '=', state).then(of.ref('right_streak')).else(0).end(),
    })
    .where('user_id', '=', userId)
    .where('question_id', 'in', padded(ids))
    .where(rowHasReason)
    .executeTakeFirst();
  return Number(moved.numUpdatedRows);
}

/** An answer to a question in a record that is over, as it was graded. */
export interface PastAnswer {
  recordId: number;
  examName: string;
  answeredAt: number;
  /** In the letters of the question. */
  answer: string;
  guess: 0 | 1;
  /** `exam_records.graded`, of the whole record. */
  graded: string;
}

/** A student's answers to a question in records that are over, newest first. */
export async function readPastAnswers(
  query: Query,
  userId: number,
  questionId: number,
  most: number,
): Promise<PastAnswer[]> {
  const rows = await query
    .selectFrom('exam_records')
    .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select([
      'exam_records.id',
      'exams.name',
      'exam_records.submitted_at',
      'exam_answers.answer',
      'exam_answers.guess',
      'exam_records.graded',
    ])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.submitted_at', 'is not', null)
    .where('exam_answers.question_id', '=', questionId)
    .where('exam_answers.answer', '<>', '')
    .orderBy('exam_records.submitted_at', 'desc')
    .orderBy('exam_records.id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    recordId: row.id,
    examName: row.name,
    answeredAt: row.submitted_at ?? 0,
    answer: row.answer ?? '',
    guess: row.guess === 1 ? 1 : 0,
    graded: row.graded ?? '{}',
  }));
}
