import { randomBytes } from 'node:crypto';
import { isSelfScored } from '#rules/exam/answer.ts';
import { countedOf, mayReopen } from '#rules/exam/reopen.ts';
import { addPoints } from '#rules/exam/scoring.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { saveNotices } from '#server/notice/store.ts';
import { readTeacherIds } from '#server/user/store.ts';
import { contentReader, type ReadContent } from '../paper/content-store.ts';
import { readExamNames } from '../paper/standing-question-store.ts';
import { type AnswerStore, answerStore } from '../record/answer-store.ts';
import { type ExamRecord, type RecordStore, recordStore } from '../record/store.ts';
import { readGradedOf } from './graded-store.ts';
import { hasOpenRecord, openAgain, readLateSaves } from './reopen-store.ts';
import { StatisticChanges } from './statistics.ts';
import { statisticsWriter, type WriteStatistics } from './statistics-store.ts';
import { countedAtShow } from './study.ts';
import { readCounted } from './study-time-store.ts';
import { forgetTicks } from './tick-store.ts';

interface Reopen {
  recordId: number;
  /** From now on; null for a record without a time limit. */
  minutes: number | null;
  reason: string;
  doneBy: string;
  now: number;
}

type Refusal = Exclude<ReturnType<typeof mayReopen>, { ok: true }>['why'];
/** `answers`: how many are kept; `late`: how many of them had come after the closing. */
type Reopened =
  | { ok: true; endsAt: number | null; answers: number; late: number }
  | { ok: false; why: Refusal | 'notFound' };

interface ReopenerParts {
  records: RecordStore;
  answers: AnswerStore;
  readContent: ReadContent;
  writeStatistics: WriteStatistics;
}

/**
 * Makes the reopener of closed records, for an operator whose clock (or student) closed one by mistake (decisions §3 "A
 * wrong clock"). In the transaction given it undoes all that closing wrote: the result, and what it and the student's own
 * scores added to the statistics of questions, chapters and students. The answers stay; those that came after the closing
 * and were kept as evidence become answers too, unless a newer one is stored or the key was shown. The student is told, wherever a window of theirs is.
 */
export function recordReopener(db: Db): (trx: Trx, reopen: Reopen) => Promise<Reopened> {
  const parts: ReopenerParts = {
    records: recordStore(db),
    answers: answerStore(db),
    readContent: contentReader(),
    writeStatistics: statisticsWriter(db),
  };
  return async (trx, { recordId, minutes, reason, doneBy, now }) => {
    const [record] = await parts.records.lock(trx, [recordId]);
    if (!record) return { ok: false, why: 'notFound' };
    const openBeside = record.submittedAt !== null && (await hasOpenRecord(trx, record.userId, record.examId));
    const may = mayReopen(record, { openBeside, reason, minutes, now });
    if (!may.ok) return may;
    await uncount(parts, trx, record, now);
    await forgetTicks(trx, recordId);
    await openAgain(trx, { recordId, now, doneBy, reason: reason.trim(), endsAt: may.endsAt });
    const late = await takeLate(parts, trx, recordId);
    const examName = (await readExamNames(trx, [record.examId])).get(record.examId) ?? '';
    await saveNotices(trx, randomBytes, now, [
      {
        userId: record.userId,
        event: `reopened:${recordId}:${now}`,
        kind: 'recordReopened',
        words: { examName, reason: reason.trim() },
        recordId,
      },
    ]);
    const answers = (await parts.answers.countAnswered(trx, [recordId])).get(recordId) ?? 0;
    return { ok: true, endsAt: may.endsAt, answers, late };
  };
}

/** Takes back what the record added to the statistics. */
async function uncount(
  { answers, readContent, writeStatistics }: ReopenerParts,
  trx: Trx,
  record: ExamRecord,
  now: number,
): Promise<void> {
  const stored = (await answers.readToGrade(trx, [record.id])).get(record.id);
  const content = await readContent(trx, record.examId, record.version);
  const statistics = new StatisticChanges(await readTeacherIds(trx));
  const studied = await readCounted(trx, record.id);
  for (const [questionId, graded] of await readGradedOf(trx, record.id)) {
    const question = content.byId.get(questionId);
    // Graded before records kept their papers, and taken out of the paper since: its points cannot be told any more.
    if (!question) continue;
    const { score, type } = question;
    const answer = stored?.get(questionId);
    const shown = (answer?.shownAt ?? null) !== null;
    const counted = countedOf(graded, { selfScored: isSelfScored(type), shown, closed: record.closed });
    if (counted.points) statistics.countPoints(record, questionId, addPoints([-(graded.earned ?? 0)]), -score);
    if (counted.answer)
      statistics.uncountAnswer(record, question, { state: graded.state, guess: answer?.guess === 1, at: now });
    const own = studied?.get(questionId);
    if (!own || !answer) continue;
    // What was counted when its key was shown stays counted, but for the own score of a text, which came later.
    const before = countedAtShow(answer) !== null;
    if (!before) statistics.study.time(record, questionId, own, record.submittedAt ?? now, -1);
    if (!before || isSelfScored(type)) statistics.study.result(record, question, graded, own, -1);
  }
  await writeStatistics(trx, statistics);
}

/** @returns how many answers that came after the closing became answers */
async function takeLate({ answers }: ReopenerParts, trx: Trx, recordId: number): Promise<number> {
  const saves = await readLateSaves(trx, recordId);
  const stored = await answers.read(
    trx,
    saves.map(({ questionId }) => ({ recordId, questionId })),
  );
  const taken = saves.filter(({ questionId, seq }) => {
    const before = stored.get(recordId, questionId);
    return (before?.shownAt ?? null) === null && seq > (before?.seq ?? 0);
  });
  await answers.write(
    trx,
    taken.map(({ questionId, answer, seq, arrivedAt }) => ({
      recordId,
      questionId,
      answer,
      seq,
      savedAt: arrivedAt,
      totalTime: 0,
    })),
  );
  return taken.length;
}
