import { useLate } from '#ui/useLate.ts';
import { useExam, useExamState } from '#web/exam/screen/ExamContext.ts';
import ExamDialogs, { type DialogProps } from '#web/exam/screen/ExamDialogs.tsx';
import { currentQuestion } from '#web/exam/session/exam-model.ts';
import { FeedbackDialog } from '#web/feedback/FeedbackDialog.tsx';

const load = () => import('#web/user/DisplaySettings.tsx');

/** What opens over a question, together with what belongs to other features: display settings and feedback. */
export default function ExamOverlays(props: Omit<DialogProps, 'display' | 'feedback'>) {
  return <ExamDialogs {...props} display={<Display />} feedback={<Feedback />} />;
}

/** The display settings, fetched when they are opened: few open them, and without a network the rest still works. */
function Display() {
  const found = useLate(load);
  return found && <found.DisplaySettings />;
}

/** 试题反馈 about the question on the screen. */
function Feedback() {
  const { dispatch } = useExam();
  const opened = useExamState((state) => state.dialog === 'feedback');
  const questionId = useExamState((state) => currentQuestion(state)?.questionId);
  const { packId, courseId } = useExamState((state) => state.record);
  if (questionId === undefined) return null;
  return (
    <FeedbackDialog
      opened={opened}
      onClose={() => dispatch({ type: 'dialog', dialog: null })}
      questionId={questionId}
      packId={packId}
      courseId={courseId}
    />
  );
}
