import { useState } from 'react';
import { useLate } from '#ui/useLate.ts';
import { useExamState, useShownRecord } from '#web/exam/screen/ExamContext.ts';
import { currentQuestion } from '#web/exam/session/exam-model.ts';

const load = () => import('#web/feedback/FeedbackDialog.tsx');
/** By then a first question is read; from then on the form is there without a network, too (milliseconds). */
const LATER = 20_000;

/** 试题反馈 about the question on the screen. Its form weighs as much as all other dialogs together and comes when it is asked for, or later. */
export function QuestionFeedback() {
  const { dispatch } = useShownRecord();
  const opened = useExamState((state) => state.dialog === 'feedback');
  const questionId = useExamState((state) => currentQuestion(state)?.questionId);
  const { recordId, packId, courseId } = useExamState((state) => state.record);
  const found = useLate(load, opened ? 0 : LATER);
  /** The question whose form is mounted. A closed one costs something at each question, so none is until it is opened; it then fades, and keeps what is on its way. */
  const [mounted, setMounted] = useState<number | null>(null);
  const mounts = questionId !== undefined && (opened || mounted === questionId) ? questionId : null;
  if (mounts !== mounted) setMounted(mounts);
  if (mounts === null || found === null) return null;
  return (
    <found.FeedbackDialog
      key={mounts}
      opened={opened}
      onClose={() => dispatch({ type: 'dialog', dialog: null })}
      questionId={mounts}
      recordId={recordId}
      packId={packId}
      courseId={courseId}
    />
  );
}
