import { SubmitExamFeedback } from '#contract/feedback.ts';
import { packAccess } from '#server/exam/record/visible-result.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { belongsToPack, courseOfQuestion, saveExamFeedback } from './store.ts';

/** Reports of one student: more than anyone needs, fewer than a script likes. */
const LIMIT = [{ most: 30, within: 60 * 60 * 1000 }];

/** Binds the calls of contract/feedback.ts. */
export function feedbackRoutes(serve: Serve, { db }: Parts): void {
  serve(SubmitExamFeedback, async ({ input, user, arrivedAt }) => {
    const access = await packAccess(db.query, user.userId, input.packId);
    if (access !== 'ok') return refuse(access);
    const { packId, resourceId, questionId = null } = input;
    if (!(await belongsToPack(db.query, { packId, courseId: resourceId, questionId }))) return refuse('notFound');
    // PostgreSQL takes no NUL in a text, and nobody types one.
    const text = input.feedbackDesc.replaceAll('\u0000', '').trim();
    if (text === '') return refuse('badInput', 'feedbackDesc');
    const counted = await countEvent(db.query, `feedback:${user.userId}`, LIMIT, arrivedAt);
    if (!counted.ok) return refuse('tooMany');
    const id = await saveExamFeedback(db.query, {
      user_id: user.userId,
      pack_id: packId,
      resource_id: resourceId || (await courseOfQuestion(db.query, questionId)),
      question_id: questionId,
      feedback_type: input.feedbackType,
      feedback_desc: text,
      created_at: arrivedAt,
    });
    return { id };
  });
}
