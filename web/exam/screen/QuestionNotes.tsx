import { IconFlag3, IconFlag3Filled, IconMessageReport } from '@tabler/icons-react';
import { t } from '#web/lib/t.ts';
import { mayMark } from '../session/exam-model.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';

/** 标记 and 反馈 of the question at a position from 0: what a student notes about it, beside the answer. */
export function QuestionNotes({ questionId, index }: { questionId: number; index: number }) {
  const { dispatch } = useShownRecord();
  const markable = useExamState(mayMark);
  const flagged = useExamState((state) => state.flags.has(questionId));
  const report = () => {
    // The dialog is about the question on the screen.
    dispatch({ type: 'go', to: index });
    dispatch({ type: 'dialog', dialog: 'feedback' });
  };
  return (
    <>
      <button
        type="button"
        onClick={() => dispatch({ type: 'flagged', questionId })}
        disabled={!markable}
        data-on={flagged || undefined}
      >
        {flagged ? <IconFlag3Filled size={18} aria-hidden /> : <IconFlag3 size={18} aria-hidden />}
        {flagged ? t('取消标记') : t('标记')}
      </button>
      <button type="button" onClick={report}>
        <IconMessageReport size={18} aria-hidden />
        {t('反馈')}
      </button>
    </>
  );
}
