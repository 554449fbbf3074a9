import { SubmitExamFeedback } from '#contract/feedback.ts';
import { courseOfChapter } from '#server/course/chapter-store.ts';
import { isCourseOf } from '#server/course/store.ts';
import { findQuestionPlace } from '#server/exam/paper/content-store.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { saveExamFeedback } from './store.ts';

/** Reports of one student: more than anyone needs, fewer than a script likes. */
const LIMIT = [{ most: 30, within: 60 * 60 * 1000 }];

/** Binds the calls of contract/feedback.ts. */
export function feedbackRoutes(serve: Serve, { db }: Parts): void {
  serve(SubmitExamFeedback, async ({ input, user, arrivedAt }) => {
    const { packId, resourceId, questionId } = input;
    // Course and question belong to the pack; one of them is named.
    if (resourceId !== undefined && !(await isCourseOf(db.query, packId, resourceId))) return refuse('notFound');
    const question = questionId === undefined ? null : await findQuestionPlace(db.query, questionId);
    if (questionId !== undefined && question?.packId !== packId) return refuse('notFound');
    // What is reported is always stored with the course of the question: a paper may go across courses.
    const courseId = question ? await courseOfChapter(db.query, question.chapterId) : (resourceId ?? null);
    if (courseId === null) return refuse('badInput', 'resourceId');
    // PostgreSQL takes no NUL in a text, and nobody types one.
    const text = input.feedbackDesc.replaceAll('\u0000', '').trim();
    if (text === '') return refuse('badInput', 'feedbackDesc');
    const counted = await countEvent(db.query, `feedback:${user.userId}`, LIMIT, arrivedAt);
    if (!counted.ok) return refuse('tooMany');
    const id = await saveExamFeedback(db.query, {
      user_id: user.userId,
      pack_id: packId,
      resource_id: courseId,
      question_id: questionId ?? null,
      feedback_type: input.feedbackType,
      feedback_desc: text,
      created_at: arrivedAt,
    });
    return { id };
  });
}
