import { ExamStatistics, ResultTip, ReviewExam } from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { readResultTip } from './result-tip.ts';
import { readReview } from './review.ts';
import { readStatistics } from './statistics.ts';

/** Binds the calls that show what became of a record once it is handed in, and of all of them together. */
export function resultRoutes(serve: Serve, exam: ExamParts): void {
  serve(ReviewExam, async ({ input, user }) => {
    const found = await readReview(exam, { ...input, userId: user.userId });
    return found.ok ? found.review : refuse(found.why);
  });
  serve(ResultTip, async ({ input, user, arrivedAt }) => {
    const found = await readResultTip(exam, { ...input, userId: user.userId, now: arrivedAt });
    return found.ok ? found.tip : refuse(found.why);
  });
  serve(ExamStatistics, ({ input: { packId }, user: { userId }, arrivedAt }) =>
    readStatistics(exam, { userId, packId, now: arrivedAt }),
  );
}
