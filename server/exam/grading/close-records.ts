import type { Closed } from '#contract/values/exam.ts';
import { isAnswered } from '#rules/exam/answer.ts';
import { closing } from '#rules/exam/attempt.ts';
import { type Graded, gradeAnswer } from '#rules/exam/scoring.ts';
import type { Trx } from '#server/db/open.ts';
import { readTeacherIds } from '#server/user/store.ts';
import type { Content } from '../paper/content.ts';
import type { ReadContent } from '../paper/content-store.ts';
import type { AnswerStore, AnswerToGrade } from '../record/answer-store.ts';
import type { ExamRecord } from '../record/store.ts';
import { StatisticChanges } from './statistics.ts';
import type { WriteStatistics } from './statistics-store.ts';
import type { Ending, GradingStore } from './store.ts';
import { countClosing } from './study.ts';

/** A record that was closed now, as it was before, and how it ended. */
export interface ClosedRecord {
  record: ExamRecord;
  closed: Closed;
  submittedAt: number;
}

/** A record to close: locked by the transaction and still open. */
export interface RecordToClose {
  record: ExamRecord;
  /** Server time that decides between handed in and time up. */
  now: number;
  /** Seconds spent as the hand-in says; the saves have said so before. */
  totalTime?: number | undefined;
}

/** Closes and grades records, many in one transaction. */
export type CloseRecords = (trx: Trx, list: readonly RecordToClose[]) => Promise<ClosedRecord[]>;

interface CloserParts {
  answers: AnswerStore;
  readContent: ReadContent;
  grading: GradingStore;
  writeStatistics: WriteStatistics;
}

/** Records whose answers are read in one go. */
const READ_AT_ONCE = 64;

/**
 * Makes the closer: grades what is saved, writes results and statistics. Nothing else sets `submitted_at`, so a record
 * is graded exactly once (decisions §3 "Hand-in is exact-once").
 */
export function recordCloser({ answers, readContent, grading, writeStatistics }: CloserParts): CloseRecords {
  async function closeSome(
    trx: Trx,
    list: readonly RecordToClose[],
    statistics: StatisticChanges,
  ): Promise<ClosedRecord[]> {
    const stored = await answers.readToGrade(
      trx,
      list.map(({ record }) => record.id),
    );
    const done: ClosedRecord[] = [];
    const endings: Ending[] = [];
    for (const { record, now, totalTime = 0 } of list) {
      const content = await readContent(trx, record.examId, record.version);
      const own = stored.get(record.id) ?? new Map<number, AnswerToGrade>();
      let spent = Math.max(totalTime, record.totalTime);
      let answered = false;
      for (const answer of own.values()) {
        if (answer.totalTime > spent) spent = answer.totalTime;
        answered ||= isAnswered(answer.answer);
      }
      const { closed, submittedAt } = closing(record, answered, now);
      const graded = gradeRecord(content, record, own, { closed, at: submittedAt }, statistics);
      const ended = { graded, at: submittedAt, totalTime: spent };
      const counted = countClosing(statistics.study, record, content, own, ended);
      endings.push({ recordId: record.id, closed, submittedAt, totalTime: spent, graded, counted });
      done.push({ record, closed, submittedAt });
    }
    await grading.close(trx, endings);
    return done;
  }

  return async (trx, list) => {
    const statistics = new StatisticChanges(await readTeacherIds(trx));
    const done: ClosedRecord[] = [];
    for (let from = 0; from < list.length; from += READ_AT_ONCE) {
      done.push(...(await closeSome(trx, list.slice(from, from + READ_AT_ONCE), statistics)));
    }
    await writeStatistics(trx, statistics);
    return done;
  };
}

/** Grades every question of a paper. What ends without any answer counts in no comparison, as it has no rank (`takerClosings`). */
function gradeRecord(
  content: Content,
  record: ExamRecord,
  answers: ReadonlyMap<number, AnswerToGrade>,
  { closed, at }: { closed: Closed; at: number },
  statistics: StatisticChanges,
): Map<number, Graded> {
  const gradedQuestions = new Map<number, Graded>();
  for (const question of content.questions) {
    const { questionId } = question;
    const answer = answers.get(questionId);
    const graded = gradeAnswer(question, answer?.answer ?? null, content.partial);
    gradedQuestions.set(questionId, graded);
    if (graded.state === 4) continue;
    if (closed !== 'unanswered') statistics.countPoints(record, questionId, graded.earned ?? 0, question.score);
    // A question whose key was shown was counted when it was shown.
    if ((answer?.shownAt ?? null) === null) {
      statistics.countAnswer(record, question, { state: graded.state, guess: answer?.guess === 1, at });
    }
  }
  return gradedQuestions;
}
