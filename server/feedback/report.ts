import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { AnswerReport, ListReports, ReadReport } from '#contract/feedback.ts';
import { decideAnswer } from '#rules/feedback/answer.ts';
import { pagesFrom, placeOf, placeText } from '#rules/paging/place.ts';
import { beginningOf } from '#rules/wording/beginning.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { readPackNames } from '#server/course/store.ts';
import { noteReports } from '#server/exam/grading/quality-report-store.ts';
import { asShownWithKey } from '#server/exam/paper/content.ts';
import { readCaseMaterial, readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { readSeenQuestion } from '#server/exam/record/seen-question.ts';
import { shownAddresses } from '#server/image/take.ts';
import { saveNotices } from '#server/notice/store.ts';
import { readLessonNames } from '#server/play/lesson-store.ts';
import { readPeople } from '#server/user/store.ts';
import type { FeedbackParts } from './parts.ts';
import {
  countReporters,
  countUndecided,
  findOldestWaiting,
  findReport,
  packsWithReports,
  readAnswers,
  readFeedbackImages,
  readReports,
  type StoredReport,
  saveAnswer,
} from './store.ts';

type Report = DataOf<typeof ReadReport>;
type Row = DataOf<typeof ListReports>['list'][number];

/** A page of what students reported. */
export async function listReports(
  { db: { query } }: FeedbackParts,
  { pageNum, pageSize, after: from, ...filter }: InputOf<typeof ListReports>,
): Promise<DataOf<typeof ListReports>> {
  const after = from === undefined ? null : placeOf(from);
  const bounds = { limit: pageSize, offset: after === null ? (pageNum - 1) * pageSize : 0 };
  const { reports, total, newestId, next } = await readReports(query, filter, bounds, after);
  const withReports = await packsWithReports(query);
  const packs = await readPackNames(query, withReports);
  return {
    list: await rowsOf(query, reports, packs),
    total,
    pages: after === null ? Math.ceil(total / pageSize) : pagesFrom(pageNum, total, pageSize),
    pageNum,
    beforeId: filter.beforeId ?? (newestId === null ? null : newestId + 1),
    next: next && placeText(next),
    packs: withReports.map((packId) => ({ packId, packName: packs.get(packId) ?? '' })),
  };
}

/** Reports as teachers see them in a list. */
async function rowsOf(
  query: FeedbackParts['db']['query'],
  reports: readonly StoredReport[],
  packs: ReadonlyMap<number, string>,
): Promise<Row[]> {
  const ids = reports.flatMap(({ question_id }) => question_id ?? []);
  const questions = await readQuestions(query, ids);
  const reporters = await countReporters(query, ids);
  const lessons = await readLessonNames(
    query,
    reports.flatMap(({ lesson_id }) => lesson_id ?? []),
  );
  const people = await readPeople(
    query,
    reports.map((report) => report.user_id),
  );
  const images = await readFeedbackImages(
    query,
    reports.map((report) => report.id),
  );
  return reports.map((report) => ({
    id: report.id,
    feedbackType: report.feedback_type,
    feedbackDesc: report.feedback_desc,
    ...shownAddresses(images.get(report.id)),
    lessonId: report.lesson_id,
    lessonName: lessons.get(report.lesson_id ?? 0)?.name ?? '',
    deviceName: report.device_name,
    createdAt: report.created_at,
    packId: report.pack_id,
    packName: packs.get(report.pack_id) ?? '',
    questionId: report.question_id,
    topic: questions.get(report.question_id ?? 0)?.topic ?? '',
    state: report.state,
    answer: report.answer,
    answeredAt: report.answered_at,
    version: report.version,
    nickname: people.get(report.user_id)?.nickname ?? '',
    validPhoneExt: people.get(report.user_id)?.validPhoneExt ?? '',
    others: Math.max(0, (reporters.get(report.question_id ?? 0) ?? 0) - 1),
  }));
}

/** One report with its question; null when there is none. */
export async function readReport(
  parts: FeedbackParts,
  { id, ...narrowing }: InputOf<typeof ReadReport>,
): Promise<Report | null> {
  const { query } = parts.db;
  const report = await findReport(query, id);
  if (!report) return null;
  const [row] = await rowsOf(query, [report], await readPackNames(query, [report.pack_id]));
  if (!row) return null;
  const answers = await readAnswers(query, id);
  const teachers = await readPeople(
    query,
    answers.map((answer) => answer.answered_by),
  );
  return {
    ...row,
    ...(await questionOf(parts, report)),
    answers: answers.map((answer) => ({
      version: answer.version,
      state: answer.state,
      answer: answer.answer,
      answeredAt: answer.answered_at,
      nickname: teachers.get(answer.answered_by)?.nickname ?? '',
    })),
    nextId: (await findOldestWaiting(query, { ...narrowing, without: id }))?.id ?? null,
  };
}

/** The question of a report with its key, as its author saw it where that is known, and as it stands now where that differs. */
async function questionOf(
  parts: FeedbackParts,
  report: StoredReport,
): Promise<Pick<Report, 'examName' | 'questionNumber' | 'question' | 'now' | 'cases'>> {
  const { query } = parts.db;
  const { question_id: questionId, record_id: recordId, user_id: userId } = report;
  const none = { examName: null, questionNumber: null, question: null, now: null, cases: [] };
  const standing = questionId === null ? undefined : (await readQuestions(query, [questionId])).get(questionId);
  if (questionId === null || standing === undefined) return none;
  const seen = recordId === null ? null : await readSeenQuestion(parts, { userId, recordId, questionId });
  if (seen === null) {
    const cases = await readCaseMaterial(query, standing.caseId === null ? [] : [standing.caseId]);
    return { ...none, question: asShownWithKey(standing, null, null), cases };
  }
  const { question, layout } = seen;
  const before = asShownWithKey(question, layout, null);
  // In the letters of the same record where it has them still: what differs is what was corrected.
  const now = { ...asShownWithKey(standing, layout, null), score: before.score };
  return {
    examName: seen.examName,
    questionNumber: seen.number,
    question: before,
    now: JSON.stringify(now) === JSON.stringify(before) ? null : now,
    cases: seen.cases.filter((material) => material.id === question.caseId),
  };
}

/** Answers a report. Two teachers at once: the second is told. */
export async function answerReport(
  parts: FeedbackParts,
  {
    id,
    version,
    state,
    answer: typed,
    teacherId,
    now,
  }: InputOf<typeof AnswerReport> & { teacherId: number; now: number },
): Promise<{ ok: true; report: Report } | { ok: false; why: Why }> {
  const answer = tidyText(typed);
  const outcome = await parts.db.transaction(async (trx): Promise<Why | null> => {
    const report = await findReport(trx, id);
    if (!report) return 'notFound';
    const { answered_by: answeredBy } = report;
    const wanted = { version, state, answer, teacherId };
    const decided = decideAnswer({ ...report, answeredBy }, wanted);
    if (!decided.ok) return decided.why;
    if (!decided.changes) return null;
    const next = { version: version + 1, state, answer, answered_by: teacherId, answered_at: now };
    if (!(await saveAnswer(trx, id, next))) {
      // Somebody was quicker; it may have been the same press, sent twice side by side.
      const standing = await findReport(trx, id);
      const again = standing && decideAnswer({ ...standing, answeredBy: standing.answered_by }, wanted);
      return again?.ok && !again.changes ? null : 'answeredMeanwhile';
    }
    const { question_id: questionId } = report;
    await saveNotices(trx, parts.random, now, [
      {
        userId: report.user_id,
        event: `report:${id}:${next.version}`,
        kind: 'reportAnswered',
        words: { report: beginningOf(report.feedback_desc) },
        // A report about no question may have been answered about any.
        questionId: questionId ?? 0,
      },
    ]);
    if (questionId !== null) await noteReports(trx, questionId, () => countUndecided(trx, questionId));
    return null;
  });
  if (outcome !== null) return { ok: false, why: outcome };
  const report = await readReport(parts, { id });
  return report === null ? { ok: false, why: 'notFound' } : { ok: true, report };
}
