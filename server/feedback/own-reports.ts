import type { DataOf, InputOf } from '#contract/call.ts';
import type { FeedbackHistory, SeeFeedback } from '#contract/feedback.ts';
import { isReportWithheld } from '#rules/feedback/withheld.ts';
import { readPackNames } from '#server/course/store.ts';
import { readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { shownAddresses } from '#server/image/take.ts';
import { readLessonNames } from '#server/play/lesson-store.ts';
import type { FeedbackParts } from './parts.ts';
import { readFeedbackImages, readOwnReports, readUnread, saveSeen } from './store.ts';

/** A page of the own reports. What a teacher answered may tell the key, so it is withheld like one. */
export async function readHistory(
  { db: { query }, gradesFor }: FeedbackParts,
  userId: number,
  { pageNum, pageSize }: InputOf<typeof FeedbackHistory>,
): Promise<DataOf<typeof FeedbackHistory>> {
  const { reports, total } = await readOwnReports(query, userId, {
    limit: pageSize,
    offset: (pageNum - 1) * pageSize,
  });
  const hidden = await gradesFor(query, userId).hidden();
  const packs = await readPackNames(
    query,
    reports.map((report) => report.pack_id),
  );
  const questions = await readQuestions(
    query,
    reports.flatMap(({ question_id }) => question_id ?? []),
  );
  const images = await readFeedbackImages(
    query,
    reports.map((report) => report.id),
  );
  const lessons = await readLessonNames(
    query,
    reports.flatMap(({ lesson_id }) => lesson_id ?? []),
  );
  const list = reports.map((report) => {
    const withheld = isReportWithheld(report.question_id, hidden);
    return {
      id: report.id,
      feedbackType: report.feedback_type,
      feedbackDesc: report.feedback_desc,
      ...shownAddresses(images.get(report.id)),
      lessonId: report.lesson_id,
      lessonName: lessons.get(report.lesson_id ?? 0)?.name ?? '',
      createdAt: report.created_at,
      packId: report.pack_id,
      packName: packs.get(report.pack_id) ?? '',
      questionId: report.question_id,
      topic: questions.get(report.question_id ?? 0)?.topic ?? '',
      ...(withheld
        ? { state: 0 as const, answer: '', answeredAt: null, version: 0, unread: false }
        : {
            state: report.state,
            answer: report.answer,
            answeredAt: report.answered_at,
            version: report.version,
            unread: report.version > report.seen_version,
          }),
      withheld,
    };
  });
  return { list, total, pages: Math.ceil(total / pageSize), pageNum };
}

/** How many own reports were answered since their author looked, of those that may be told now. */
export async function countUnread(parts: FeedbackParts, userId: number): Promise<number> {
  return (await unreadIds(parts, userId)).size;
}

/** Own reports that were answered since their author looked, without those that are withheld. */
async function unreadIds({ db: { query }, gradesFor }: FeedbackParts, userId: number): Promise<Set<number>> {
  const unread = await readUnread(query, userId);
  if (unread.length === 0) return new Set();
  const hidden = await gradesFor(query, userId).hidden();
  return new Set(unread.filter(({ question_id }) => !isReportWithheld(question_id, hidden)).map(({ id }) => id));
}

/** Notes what was looked at. A withheld answer was not shown, so it cannot have been. @returns what is still unread */
export async function seeReports(
  parts: FeedbackParts,
  userId: number,
  { seen }: InputOf<typeof SeeFeedback>,
): Promise<number> {
  const shown = await unreadIds(parts, userId);
  for (const { id, version } of seen) if (shown.has(id)) await saveSeen(parts.db.query, { userId, id, version });
  return countUnread(parts, userId);
}
