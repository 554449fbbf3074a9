import { IconDice5, IconDice5Filled, IconFlag3, IconFlag3Filled, IconMessageReport } from '@tabler/icons-react';
import { useLate } from '#ui/useLate.ts';
import { t } from '#web/lib/t.ts';
import { byLetters } from '../paper.ts';
import { type ExamState, mayGuess, mayMark, showsKeys } from '../session/exam-model.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import { useLetterKeys } from './letter-keys.ts';

const loadCollect = () => import('../wrong/RecordCollect.tsx');

/** 标记, 蒙的, 收藏 and 反馈 of the question at a position from 0: what a student notes about it, beside the answer. */
export function QuestionNotes({ questionId, index }: { questionId: number; index: number }) {
  const { dispatch } = useShownRecord();
  const markable = useExamState(mayMark);
  const flagged = useExamState((state) => state.marks.flag.has(questionId));
  const letters = useLetterKeys();
  const report = () => {
    // The dialog is about the question on the screen.
    dispatch({ type: 'go', to: index });
    dispatch({ type: 'dialog', dialog: 'feedback' });
  };
  return (
    <>
      <button
        type="button"
        onClick={() => dispatch({ type: 'marked', mark: 'flag', questionId })}
        disabled={!markable}
        aria-keyshortcuts={letters ? 'M' : undefined}
        title={letters ? t('快捷键 {key}', { key: 'M' }) : undefined}
        data-on={flagged || undefined}
      >
        {flagged ? <IconFlag3Filled size={18} aria-hidden /> : <IconFlag3 size={18} aria-hidden />}
        {flagged ? t('取消标记') : t('标记')}
      </button>
      <Guess questionId={questionId} />
      <button type="button" onClick={report}>
        <IconMessageReport size={18} aria-hidden />
        {t('反馈')}
      </button>
      <Collect questionId={questionId} />
    </>
  );
}

/** Whether a question has room for 蒙的: one of letters, in answer mode before it is answered too; of a review only where it can be pressed. */
function offersGuess(state: ExamState, questionId: number): boolean {
  if (state.phase === 'review') return mayGuess(state, questionId);
  return state.questionMode === 1 && byLetters(state.questions.get(questionId)?.questionTypesId ?? 0);
}

function Guess({ questionId }: { questionId: number }) {
  const { dispatch } = useShownRecord();
  const offered = useExamState((state) => offersGuess(state, questionId));
  const may = useExamState((state) => mayGuess(state, questionId));
  const guessed = useExamState((state) => state.marks.guess.has(questionId));
  const letters = useLetterKeys();
  if (!offered) return null;
  return (
    <button
      type="button"
      onClick={() => dispatch({ type: 'marked', mark: 'guess', questionId })}
      disabled={!may}
      aria-keyshortcuts={letters ? 'L' : undefined}
      title={letters ? t('快捷键 {key}', { key: 'L' }) : undefined}
      data-on={guessed || undefined}
    >
      {guessed ? <IconDice5Filled size={18} aria-hidden /> : <IconDice5 size={18} aria-hidden />}
      {guessed ? t('取消蒙的') : t('蒙的')}
    </button>
  );
}

/** 收藏 where the key is seen, and in a review always. Its code comes when it is first needed. */
function Collect({ questionId }: { questionId: number }) {
  const recordId = useExamState((state) => state.record.recordId);
  const offered = useExamState(
    (state) =>
      state.phase === 'review' || ((showsKeys(state) || state.finals.has(questionId)) && state.keys.has(questionId)),
  );
  const late = useLate(loadCollect, offered ? 0 : null);
  return offered && late ? <late.default recordId={recordId} questionId={questionId} /> : null;
}
