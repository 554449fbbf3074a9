import { ScoreSubjective } from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { readResult } from '../record/visible-result.ts';
import { submitOwnScore } from './subjective-submit.ts';

/** Binds the call by which a student grades: the own score of a short answer. */
export function gradingRoutes(serve: Serve, exam: ExamParts): void {
  serve(ScoreSubjective, async ({ input, user }) => {
    const judgeFlag = input.judgeFlag === undefined ? undefined : input.judgeFlag === 1 ? 1 : 2;
    const scored = await submitOwnScore(exam, { ...input, judgeFlag, userId: user.userId });
    if (!scored.ok) return refuse(scored.why, scored.why === 'scoreOutOfRange' ? 'myScore' : undefined);
    return (await readResult(exam, user.userId, input.recordId)) ?? refuse('notFound');
  });
}
