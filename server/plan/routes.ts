import { LeaveOut, PlanToday, SavePlanMinutes, StartPlanPractice } from '#contract/plan.ts';
import { PLAN_LEAST } from '#contract/values/plan.ts';
import type { ExamParts } from '#server/exam/parts.ts';
import { startChapterPart } from '#server/exam/wrong/chapter-part.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { leaveOut } from './leave-out.ts';
import { saveMinutes } from './store.ts';
import { findPracticeTask, readToday } from './today.ts';

/** Binds the calls of contract/plan.ts. */
export function planRoutes(serve: Serve, exam: ExamParts): void {
  const { query } = exam.db;
  serve(PlanToday, ({ user, arrivedAt }) => readToday(exam, user.userId, arrivedAt));
  serve(SavePlanMinutes, async ({ input: { weekMinutes: minutes }, user }) => {
    if (minutes.every((of) => of === 0)) return refuse('noStudyDay', 'weekMinutes');
    if (minutes.some((of) => of > 0 && of < PLAN_LEAST)) return refuse('badInput', 'weekMinutes');
    await saveMinutes(query, user.userId, minutes);
    return {};
  });
  serve(StartPlanPractice, async ({ input, user: { userId }, arrivedAt }) => {
    const task = await findPracticeTask(exam, { ...input, userId, now: arrivedAt });
    if (!task) return refuse('noQuestions');
    const begun = await startChapterPart(exam, { ...input, ...task, userId, now: arrivedAt });
    return begun.ok ? { examId: begun.examId } : refuse(begun.why);
  });
  serve(LeaveOut, async ({ input, user: { userId } }) => {
    const left = await leaveOut({ query, access: exam.access }, { ...input, userId });
    return left.ok ? {} : refuse(left.why);
  });
}
