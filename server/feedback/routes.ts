import {
  AnswerReport,
  CountUnreadFeedback,
  FeedbackHistory,
  ListReports,
  ReadReport,
  SeeFeedback,
  SubmitExamFeedback,
  SubmitVideoFeedback,
  WaitingFeedback,
} from '#contract/feedback.ts';
import { feedbackState } from '#contract/values/feedback.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { countUnread, readHistory, seeReports } from './own-reports.ts';
import type { FeedbackParts } from './parts.ts';
import { answerReport, listReports, readReport } from './report.ts';
import { countByState, findOldestWaiting } from './store.ts';
import { submitReport, submitVideoReport } from './submit.ts';

/** Binds the calls of contract/feedback.ts. */
export function feedbackRoutes(serve: Serve, parts: FeedbackParts): void {
  const { db } = parts;
  serve(SubmitExamFeedback, async ({ input, user: { userId }, arrivedAt }) => {
    const submitted = await submitReport(parts, { ...input, userId, now: arrivedAt });
    return submitted.ok ? submitted.saved : refuse(submitted.why, submitted.field);
  });
  serve(SubmitVideoFeedback, async ({ input, user: { userId }, arrivedAt }) => {
    const submitted = await submitVideoReport(parts, { ...input, userId, now: arrivedAt });
    return submitted.ok ? submitted.saved : refuse(submitted.why, submitted.field);
  });
  serve(FeedbackHistory, ({ input, user }) => readHistory(parts, user.userId, input));
  serve(CountUnreadFeedback, async ({ user }) => ({ count: await countUnread(parts, user.userId) }));
  serve(SeeFeedback, async ({ input, user }) => ({ count: await seeReports(parts, user.userId, input) }));
  serve(WaitingFeedback, async () => {
    const counts = await countByState(db.query);
    const of = (state: keyof typeof feedbackState) => counts.get(feedbackState[state]) ?? 0;
    return {
      waiting: of('waiting'),
      oldestAt: (await findOldestWaiting(db.query))?.created_at ?? null,
      received: of('received'),
      decided: of('mended') + of('declined'),
    };
  });
  serve(ListReports, ({ input }) => listReports(parts, input));
  serve(ReadReport, async ({ input }) => (await readReport(parts, input)) ?? refuse('notFound', 'id'));
  serve(AnswerReport, async ({ input, user, arrivedAt }) => {
    const answered = await answerReport(parts, { ...input, teacherId: user.userId, now: arrivedAt });
    if (answered.ok) return answered.report;
    return refuse(answered.why, answered.why === 'reasonNeeded' ? 'answer' : undefined);
  });
}
