import type { Why } from '#contract/envelope.ts';
import { ScoreSubjective } from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { submitOwnScore } from './subjective-submit.ts';

/** The field that a refusal of an own score is about. */
const FIELD: { readonly [W in Why]?: string } = { scoreOutOfRange: 'myScore', noSuchPoint: 'ticks' };

/** Binds the call by which a student grades: the own score of a short answer. */
export function gradingRoutes(serve: Serve, exam: ExamParts): void {
  serve(ScoreSubjective, async ({ input, user, arrivedAt }) => {
    const judgeFlag = input.judgeFlag === undefined ? undefined : input.judgeFlag === 1 ? 1 : 2;
    const scored = await submitOwnScore(exam, { ...input, judgeFlag, userId: user.userId, at: arrivedAt });
    if (!scored.ok) return refuse(scored.why, FIELD[scored.why]);
    const record = await exam.records.find(user.userId, input.recordId);
    const result = record && (await exam.gradesFor(exam.db.query, user.userId).result(record));
    return result ?? refuse('notFound');
  });
}
