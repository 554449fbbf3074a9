import { Type } from 'typebox';
import { call, Id } from './call.ts';
import { examFeedback, FEEDBACK_LONGEST } from './values/feedback.ts';

export const ExamFeedbackType = Type.Integer({ minimum: examFeedback.hasProblem, maximum: examFeedback.other });

export const SubmitExamFeedback = call('POST /app/feedback/lx_submit', {
  says: 'Reports a problem with an exam question.',
  source: 'spec §3 Feedback payloads, §5; decisions §2',
  who: 'user',
  input: Type.Object({
    feedbackType: ExamFeedbackType,
    resourceId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'course id' }),
    packId: Id,
    questionId: Type.Optional(Id),
    feedbackDesc: Type.String({ minLength: 1, maxLength: FEEDBACK_LONGEST, pattern: '\\S' }),
  }),
  data: Type.Object({ id: Id }),
  refuses: ['notFound', 'notEnrolled', 'tooMany'],
});
