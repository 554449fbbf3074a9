import { Type } from 'typebox';
import { call, Id } from './call.ts';
import { examFeedback, FEEDBACK_LONGEST } from './values/feedback.ts';

const ExamFeedbackType = Type.Integer({ minimum: examFeedback.hasProblem, maximum: examFeedback.other });

export const SubmitExamFeedback = call('POST /app/feedback/lx_submit', {
  says: 'Reports a problem with an exam question.',
  source: 'spec §3 Feedback payloads, §5; decisions §2',
  who: 'enrolled',
  input: Type.Object({
    feedbackType: ExamFeedbackType,
    resourceId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'course id; may be left out beside `questionId`, whose course is then meant (a paper across courses)',
      }),
    ),
    packId: Id,
    questionId: Type.Optional(Id),
    feedbackDesc: Type.String({ minLength: 1, maxLength: FEEDBACK_LONGEST, pattern: '\\S' }),
  }),
  data: Type.Object({ id: Id }),
  refuses: ['notFound', 'notEnrolled', 'tooMany'],
});
