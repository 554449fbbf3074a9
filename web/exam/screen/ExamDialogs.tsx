import { Modal } from '@mantine/core';
import '#ui/dialog.css';
import type { ReactNode } from 'react';
import { t } from '#web/lib/t.ts';
import { AnswerCard } from './AnswerCard.tsx';
import { useExam, useExamState } from './ExamContext.ts';
import classes from './ExamDialogs.module.css';
import { FinishDialog, type FinishWays } from './FinishDialog.tsx';
import { KeysDialog } from './KeysDialog.tsx';
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
  const { dispatch } = useExam();
  const dialog = useExamState((state) => state.dialog);
  const close = () => dispatch({ type: 'dialog', dialog: null });
  return (
    <>
      <SubmitDialog opened={dialog === 'submit'} onClose={close} />
      <FinishDialog opened={dialog === 'finish'} onClose={close} {...props} />
      {props.feedback}
      <KeysDialog opened={dialog === 'keys'} onClose={close} display={props.display} />
      <Modal
        opened={dialog === 'card'}
        onClose={close}
        centered={false}
        title={t('答题卡')}
        withCloseButton={false}
        returnFocus={false}
        padding={0}
        transitionProps={{ transition: 'slide-up', duration: 180 }}
        classNames={{
          header: 'unseen',
          inner: classes.sheetPlace ?? '',
          content: classes.sheet ?? '',
          body: classes.sheetBody ?? '',
        }}
      >
        <button type="button" className={classes.grip} onClick={close} aria-label={t('收起答题卡')}>
          <span />
        </button>
        <AnswerCard
          onPick={(_, index) => {
            close();
            dispatch({ type: 'go', to: index });
          }}
        />
      </Modal>
    </>
  );
}
