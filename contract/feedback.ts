import { Type } from 'typebox';
import { call, Id } from './call.ts';

/** Exam-question feedback types (spec §9): has problem 13, answer has problem 14, answer and explanation differ 15, typo 16, other 17. */
export const ExamFeedbackType = Type.Integer({ minimum: 13, maximum: 17 });

export const SubmitExamFeedback = call('POST /app/feedback/lx_submit', {
  says: 'Reports a problem with an exam question.',
  source: 'spec §3 Feedback payloads, §5; decisions §2',
  who: 'user',
  input: Type.Object({
    feedbackType: ExamFeedbackType,
    resourceId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'course id' }),
    packId: Id,
    questionId: Type.Optional(Id),
    feedbackDesc: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
  }),
  data: Type.Object({ id: Id }),
  refuses: ['notFound', 'notEnrolled', 'tooMany'],
});
