import { useExamState, useShownRecord } from '#web/exam/screen/ExamContext.ts';
import { currentQuestion } from '#web/exam/session/exam-model.ts';
import { FeedbackDialog } from '#web/feedback/FeedbackDialog.tsx';

/** 试题反馈 about the question on the screen. */
export function QuestionFeedback() {
  const { dispatch } = useShownRecord();
  const opened = useExamState((state) => state.dialog === 'feedback');
  const questionId = useExamState((state) => currentQuestion(state)?.questionId);
  const { recordId, packId, courseId } = useExamState((state) => state.record);
  if (questionId === undefined) return null;
  return (
    <FeedbackDialog
      key={questionId}
      opened={opened}
      onClose={() => dispatch({ type: 'dialog', dialog: null })}
      questionId={questionId}
      recordId={recordId}
      packId={packId}
      courseId={courseId}
    />
  );
}
