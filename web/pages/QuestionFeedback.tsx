import { useEffect, useState } from 'react';
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
  /** The question whose form stands: nobody pays for a closed one at each question. It stands closed for a moment, or the library would not know who opened it. */
  const [standing, setStanding] = useState<number | null>(null);
  useEffect(() => {
    if (opened && found !== null && questionId !== undefined) setStanding(questionId);
  }, [opened, found, questionId]);
  if (questionId === undefined || found === null) return null;
  if (!opened && standing !== questionId) return null;
  return (
    <found.FeedbackDialog
      key={questionId}
      opened={opened && standing === questionId}
      onClose={() => dispatch({ type: 'dialog', dialog: null })}
      questionId={questionId}
      recordId={recordId}
      packId={packId}
      courseId={courseId}
    />
  );
}
