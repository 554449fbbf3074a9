import { ScoreSubjective } from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { submitOwnScore } from './subjective-submit.ts';

/** Binds the call by which a student grades: the own score of a short answer. */
export function gradingRoutes(serve: Serve, exam: ExamParts): void {
  serve(ScoreSubjective, async ({ input, user, arrivedAt }) => {
    const judgeFlag = input.judgeFlag === undefined ? undefined : input.judgeFlag === 1 ? 1 : 2;
    const scored = await submitOwnScore(exam, { ...input, judgeFlag, userId: user.userId, at: arrivedAt });
    if (!scored.ok) return refuse(scored.why, scored.why === 'scoreOutOfRange' ? 'myScore' : undefined);
    const record = await exam.records.find(user.userId, input.recordId);
    const result = record && (await exam.gradesFor(exam.db.query, user.userId).result(record));
    return result ?? refuse('notFound');
  });
}
