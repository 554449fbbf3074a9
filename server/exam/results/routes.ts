import { ReciteExam, ResultTip, ReviewExam, ShowAnswer } from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { recite } from './recite.ts';
import { readResultTip } from './result-tip.ts';
import { readReview } from './review.ts';
import { showAnswer } from './show-answer.ts';

/** Binds the calls that show keys and results, where they may be seen. */
export function resultRoutes(serve: Serve, exam: ExamParts): void {
  serve(ShowAnswer, async ({ input, user, arrivedAt }) => {
    const shown = await showAnswer(exam, { ...input, userId: user.userId, now: arrivedAt });
    return shown.ok ? { question: shown.question, state: shown.state, showAnswerFlag: 1 } : refuse(shown.why);
  });
  serve(ReciteExam, async ({ input, user }) => {
    const recited = await recite(exam, { ...input, userId: user.userId });
    return recited.ok ? { questions: recited.questions, hidden: recited.hidden } : refuse(recited.why);
  });
  serve(ReviewExam, async ({ input, user }) => {
    const found = await readReview(exam, { ...input, userId: user.userId });
    return found.ok ? found.review : refuse(found.why);
  });
  serve(ResultTip, async ({ input, user }) => {
    const found = await readResultTip(exam, { ...input, userId: user.userId });
    return found.ok ? found.tip : refuse(found.why);
  });
}
