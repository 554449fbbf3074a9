import '#ui/dialog.css';
import type { ReactNode } from 'react';
import { CardSheet } from './CardSheet.tsx';
import { useExamState, useShownRecord } from './ExamContext.ts';
import { FinishDialog, type FinishWays } from './FinishDialog.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { ScratchPaper } from './ScratchPaper.tsx';
import { SubmitDialog } from './SubmitDialog.tsx';

export interface DialogProps extends FinishWays {
  /** How this browser shows questions: size of text, theme. */
  display: ReactNode;
  /** The dialog of 反馈: it belongs to another feature. */
  feedback: ReactNode;
}

/**
 * Everything that opens over the question. One module for all, fetched as soon as the question stands: a dialog must
 * still open when the network has gone.
 */
export default function ExamDialogs(props: DialogProps) {
  const { dispatch } = useShownRecord();
  const dialog = useExamState((state) => state.dialog);
  const close = () => dispatch({ type: 'dialog', dialog: null });
  return (
    <>
      <SubmitDialog opened={dialog === 'submit'} onClose={close} />
      <FinishDialog opened={dialog === 'finish'} onClose={close} {...props} />
      {props.feedback}
      <KeysDialog opened={dialog === 'keys'} onClose={close} display={props.display} />
      <CardSheet />
      <ScratchPaper />
    </>
  );
}
