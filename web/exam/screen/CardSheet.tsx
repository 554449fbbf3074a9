import { Modal } from '@mantine/core';
import { t } from '#web/lib/t.ts';
import { AnswerCard, type Narrowing } from './AnswerCard.tsx';
import { useExamState, useShownRecord } from './ExamContext.ts';
import classes from './ExamDialogs.module.css';

interface Props {
  narrowing?: Narrowing;
  /** Told which question was picked, after going there. */
  onPicked?: (index: number) => void;
}

/** The answer card as a sheet from below: on phones, where it does not stand beside the question. */
export function CardSheet({ narrowing, onPicked }: Props) {
  const { dispatch } = useShownRecord();
  const opened = useExamState((state) => state.dialog === 'card');
  const close = () => dispatch({ type: 'dialog', dialog: null });
  return (
    <Modal
      opened={opened}
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
        narrowing={narrowing}
        onPick={(_, index) => {
          close();
          dispatch({ type: 'go', to: index });
          onPicked?.(index);
        }}
      />
    </Modal>
  );
}
