import { isAnswered } from '#rules/exam/answer.ts';
import { type Closed, closing } from '#rules/exam/attempt.ts';
import { addPoints, type Graded, gradeAnswer, tally } from '#rules/exam/scoring.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { Prepared, padded, pieces, times } from '#server/db/prepared.ts';
import type { Content, ReadContent } from '../paper/content.ts';
import type { RecordRow } from '../record/store.ts';

/** How a record stands after closing; what `exam_records` holds of it. */
export interface ClosedRecord {
  record: RecordRow;
  closed: Closed;
  submittedAt: number;
}

/** A record to close: locked by the transaction and still open. */
export interface ToClose {
  record: RecordRow;
  /** Server time that decides between handed in and time up. */
  now: number;
  /** Seconds spent as the hand-in says; the saves have said so before. */
  totalTime?: number | undefined;
}

/** Closes and grades records, many in one transaction. */
export type CloseRecords = (trx: Trx, list: readonly ToClose[]) => Promise<ClosedRecord[]>;

/** The graded questions of a record as `exam_records.graded` holds them: by question id, [state, earned, judgeFlag]. */
type GradedJson = Record<string, [Graded['state'], number | null, 1 | 2 | null]>;

/** For the column `exam_records.graded`; `gradedFromJson` reads it back whole. */
export function gradedToJson(graded: ReadonlyMap<number, Graded>): string {
  const json: GradedJson = {};
  for (const [id, { state, earned, judgeFlag }] of graded) json[id] = [state, earned, judgeFlag];
  return JSON.stringify(json);
}

/** The graded questions by question id, from what `gradedToJson` wrote. */
export function gradedFromJson(text: string): Map<number, Graded> {
  const graded = new Map<number, Graded>();
  for (const [id, [state, earned, judgeFlag]] of Object.entries(JSON.parse(text) as GradedJson)) {
    graded.set(Number(id), { state, earned, judgeFlag });
  }
  return graded;
}

interface AnswerStored {
  record_id: number;
  question_id: number;
  answer: string | null;
  shown_at: number | null;
  total_time: number;
}

/** Raises the figures that hang on correctness. All of them change in the transaction that grades, never before. */
export interface Figures {
  /** `question_id` → taken, right. */
  questions: Map<number, [taken: number, right: number]>;
  /** `exam_id:chapter_id` → points earned, points in all. */
  chapters: Map<string, [examId: number, chapterId: number, earned: number, total: number]>;
  /** `user_id:chapter_id` → graded, right. */
  progress: Map<string, [userId: number, chapterId: number, graded: number, right: number]>;
}

/** Figures to add nothing: where counting begins. */
export const noFigures = (): Figures => ({ questions: new Map(), chapters: new Map(), progress: new Map() });

/** Counts one graded answer into the figures of its question and of the student's chapter. */
export function countGraded(
  figures: Figures,
  userId: number,
  questionId: number,
  chapterId: number,
  right: boolean,
): void {
  const add = right ? 1 : 0;
  const question = figures.questions.get(questionId);
  if (question) {
    question[0] += 1;
    question[1] += add;
  } else figures.questions.set(questionId, [1, add]);
  const key = `${userId}:${chapterId}`;
  const progress = figures.progress.get(key);
  if (progress) {
    progress[2] += 1;
    progress[3] += add;
  } else figures.progress.set(key, [userId, chapterId, 1, add]);
}

/** Counts points of one question into the comparison by chapter. */
export function countPoints(figures: Figures, examId: number, chapterId: number, earned: number, total: number): void {
  const key = `${examId}:${chapterId}`;
  const chapter = figures.chapters.get(key);
  if (chapter) {
    chapter[2] = addPoints([chapter[2], earned]);
    chapter[3] = addPoints([chapter[3], total]);
  } else figures.chapters.set(key, [examId, chapterId, earned, total]);
}

/** Writes figures. Rows go in the order of their keys, so that two processes cannot wait for each other. */
export function figureWriter(db: Db): (trx: Trx, figures: Figures) => Promise<void> {
  const questions = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('question_stats')
        .values(times(size, { question_id: 0, taken: 0, right_count: 0 }))
        .onConflict((conflict) =>
          conflict.column('question_id').doUpdateSet(({ eb, ref }) => ({
            taken: eb('question_stats.taken', '+', ref('excluded.taken')),
            right_count: eb('question_stats.right_count', '+', ref('excluded.right_count')),
          })),
        ) as never,
  );
  const chapters = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('exam_chapter_stats')
        .values(times(size, { exam_id: 0, chapter_id: 0, earned: 0, total: 0 }))
        .onConflict((conflict) =>
          conflict.columns(['exam_id', 'chapter_id']).doUpdateSet(({ eb, ref }) => ({
            earned: eb('exam_chapter_stats.earned', '+', ref('excluded.earned')),
            total: eb('exam_chapter_stats.total', '+', ref('excluded.total')),
          })),
        ) as never,
  );
  const progress = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('chapter_progress')
        .values(times(size, { user_id: 0, chapter_id: 0, graded: 0, right_count: 0 }))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'chapter_id']).doUpdateSet(({ eb, ref }) => ({
            graded: eb('chapter_progress.graded', '+', ref('excluded.graded')),
            right_count: eb('chapter_progress.right_count', '+', ref('excluded.right_count')),
          })),
        ) as never,
  );
  const inOrder = <R extends readonly number[]>(rows: Iterable<R>) =>
    [...rows].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0));
  return async (trx, figures) => {
    const perQuestion = [...figures.questions].map(([id, [taken, right]]) => [id, taken, right] as const);
    for (const piece of pieces(inOrder(perQuestion))) await questions.run(trx, piece.flat(), piece.length);
    for (const piece of pieces(inOrder(figures.chapters.values()))) await chapters.run(trx, piece.flat(), piece.length);
    for (const piece of pieces(inOrder(figures.progress.values()))) await progress.run(trx, piece.flat(), piece.length);
  };
}

/** Records whose answers are read in one go. */
const READ_AT_ONCE = 64;

/**
 * Makes the closer: grades what is saved, writes result and figures. Nothing else sets `submitted_at`, so a record is
 * graded exactly once (decisions §3 "Hand-in is exact-once").
 */
export function recordCloser(
  db: Db,
  readContent: ReadContent,
  writeFigures: (trx: Trx, figures: Figures) => Promise<void>,
): CloseRecords {
  const answersOf = new Prepared<AnswerStored>(
    (size) =>
      db.query
        .selectFrom('exam_answers')
        .select(['record_id', 'question_id', 'answer', 'shown_at', 'total_time'])
        .where('record_id', 'in', times(size, 0)) as never,
  );
  const update = new Prepared<never>(
    () =>
      db.query
        .updateTable('exam_records')
        .set({
          submitted_at: 0,
          closed: '',
          total_time: 0,
          score: 0,
          right_count: 0,
          wrong_count: 0,
          unanswered_count: 0,
          pending_count: 0,
          graded: '',
        })
        .where('id', '=', 0) as never,
  );

  async function closeSome(trx: Trx, list: readonly ToClose[], figures: Figures): Promise<ClosedRecord[]> {
    const ids = padded(list.map(({ record }) => record.id));
    const answers = new Map<number, Map<number, AnswerStored>>(list.map(({ record }) => [record.id, new Map()]));
    for (const row of await answersOf.run(trx, ids, ids.length)) answers.get(row.record_id)?.set(row.question_id, row);
    const done: ClosedRecord[] = [];
    for (const { record, now, totalTime = 0 } of list) {
      const content = await readContent(trx, record.examId, record.version);
      const own = answers.get(record.id) ?? new Map<number, AnswerStored>();
      const graded = gradeRecord(content, record, own, figures);
      const sum = tally(graded.values());
      let spent = totalTime;
      let answered = false;
      for (const row of own.values()) {
        if (row.total_time > spent) spent = row.total_time;
        answered ||= isAnswered(row.answer);
      }
      const { closed, submittedAt } = closing(record, answered, now);
      await update.run(trx, [
        submittedAt,
        closed,
        spent,
        sum.score,
        sum.rightCount,
        sum.wrongCount,
        sum.unansweredCount,
        sum.pendingCount,
        gradedToJson(graded),
        record.id,
      ]);
      done.push({ record, closed, submittedAt });
    }
    return done;
  }

  return async (trx, list) => {
    const figures = noFigures();
    const done: ClosedRecord[] = [];
    for (let from = 0; from < list.length; from += READ_AT_ONCE) {
      done.push(...(await closeSome(trx, list.slice(from, from + READ_AT_ONCE), figures)));
    }
    await writeFigures(trx, figures);
    return done;
  };
}

function gradeRecord(
  content: Content,
  record: RecordRow,
  answers: ReadonlyMap<number, AnswerStored>,
  figures: Figures,
): Map<number, Graded> {
  const graded = new Map<number, Graded>();
  let answeredAny = false;
  for (const row of answers.values()) answeredAny ||= isAnswered(row.answer);
  for (const question of content.questions) {
    const row = answers.get(question.questionId);
    const one = gradeAnswer(question, row?.answer ?? null, content.partial);
    graded.set(question.questionId, one);
    if (one.state === 4) continue;
    if (answeredAny) countPoints(figures, record.examId, question.chapterId, one.earned ?? 0, question.score);
    // A question whose key was shown was counted when it was shown.
    if (one.state !== 0 && (row?.shown_at ?? null) === null) {
      countGraded(figures, record.userId, question.questionId, question.chapterId, one.state === 1);
    }
  }
  return graded;
}
