import '#ui/dialog.css';
import type { ReactNode } from 'react';
import type { Retake } from '../center/retake.ts';
import type { Narrowing } from '../screen/AnswerCard.tsx';
import { CardSheet } from '../screen/CardSheet.tsx';
import { useExamState, useShownRecord } from '../screen/ExamContext.ts';
import { KeysDialog } from '../screen/KeysDialog.tsx';
import { ReviewFinishDialog } from './ReviewFinishDialog.tsx';
import type { ReviewLine } from './review-order.ts';

interface Props {
  lines: readonly ReviewLine[];
  narrowing: Narrowing;
  narrowed: boolean;
  onPicked: (index: number) => void;
  retake: Retake;
  onAgain: () => void;
  /** All questions under each other. */
  list: boolean;
  /** How this browser shows questions: size of text, theme. */
  display: ReactNode;
}

/** Everything of the exam that opens over a question of a review. */
export function ReviewDialogs({ lines, narrowing, narrowed, onPicked, retake, onAgain, list, display }: Props) {
  const { dispatch } = useShownRecord();
  const dialog = useExamState((state) => state.dialog);
  return (
    <>
      <ReviewFinishDialog lines={lines} narrowed={narrowed} retake={retake} onAgain={onAgain} />
      <KeysDialog
        opened={dialog === 'keys'}
        onClose={() => dispatch({ type: 'dialog', dialog: null })}
        display={display}
        list={list}
      />
      <CardSheet narrowing={narrowing} onPicked={onPicked} />
    </>
  );
}
