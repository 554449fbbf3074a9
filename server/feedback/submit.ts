import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { SubmitExamFeedback } from '#contract/feedback.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { courseOfChapter } from '#server/course/chapter-store.ts';
import { isCourseOf } from '#server/course/store.ts';
import { noteReports } from '#server/exam/grading/quality-report-store.ts';
import { readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { readSeenQuestion } from '#server/exam/record/seen-question.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import type { FeedbackParts } from './parts.ts';
import { countUndecided, saveExamFeedback } from './store.ts';

/** Reports of one student: more than anyone needs, fewer than a script likes. */
const LIMIT = [{ most: 30, within: 60 * 60 * 1000 }];

type Submitted = { ok: true; saved: DataOf<typeof SubmitExamFeedback> } | { ok: false; why: Why; field?: string };

/** Stores what a student reports, with the version of the question that they saw. */
export async function submitReport(
  parts: FeedbackParts,
  asked: InputOf<typeof SubmitExamFeedback> & { userId: number; now: number },
): Promise<Submitted> {
  const { packId, resourceId, questionId, recordId, userId, now } = asked;
  const { query } = parts.db;
  // Course and question belong to the pack; one of them is named.
  if (resourceId !== undefined && !(await isCourseOf(query, packId, resourceId))) return { ok: false, why: 'notFound' };
  const question = questionId === undefined ? null : (await readQuestions(query, [questionId])).get(questionId);
  if (questionId !== undefined && question?.packId !== packId) return { ok: false, why: 'notFound' };
  const seen =
    questionId === undefined || recordId === undefined
      ? null
      : await readSeenQuestion(parts, { userId, recordId, questionId });
  if (recordId !== undefined && seen === null) return { ok: false, why: 'notFound' };
  // What is reported is always stored with the course of the question: a paper may go across courses.
  const courseId = question ? await courseOfChapter(query, question.chapterId) : (resourceId ?? null);
  if (courseId === null) return { ok: false, why: 'badInput', field: 'resourceId' };
  const text = tidyText(asked.feedbackDesc);
  if (text === '') return { ok: false, why: 'badInput', field: 'feedbackDesc' };
  const counted = await countEvent(query, `feedback:${userId}`, LIMIT, now);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  const report = {
    user_id: userId,
    pack_id: packId,
    resource_id: courseId,
    question_id: questionId ?? null,
    record_id: recordId ?? null,
    key_version: (seen?.question ?? question)?.keyVersion ?? null,
    feedback_type: asked.feedbackType,
    feedback_desc: text,
    created_at: now,
    answered_by: null,
    answered_at: null,
  };
  const id = await parts.db.transaction(async (trx) => {
    const saved = await saveExamFeedback(trx, report);
    if (questionId !== undefined) await noteReports(trx, questionId, () => countUndecided(trx, questionId));
    return saved;
  });
  return { ok: true, saved: { id } };
}
