import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import dialog from '#ui/dialog-actions.module.css';
import { WaitButton } from '#ui/WaitButton.tsx';
import { t } from '#web/lib/t.ts';
import { unansweredCount } from '../session/exam-model.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import classes from './ExamDialogs.module.css';
import { NextChapterLine } from './NextChapterLine.tsx';
import { useNextChapter } from './useNextChapter.ts';

/** Where the dialog leads. */
export interface FinishWays {
  /** 继续下一章: to the practice of the next chapter. */
  onNextChapter: (examId: number) => void;
  /** 重新开始: another record of the same exam. */
  onStartAgain: () => Promise<void>;
  onLeave: () => void;
}

interface Props extends FinishWays {
  opened: boolean;
  onClose: () => void;
}

/** The end of a chapter in practice or recite mode (spec §4): on to the next, again from the start, or back. */
export function FinishDialog({ opened, onClose, ...ways }: Props) {
  const whole = useExamState((state) => state.record.chapterId === null);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={whole ? t('已到最后一题') : t('本章已到最后一题')}
      size={460}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <Finish {...ways} />
    </Modal>
  );
}

/** There only while the dialog is open: what it counts changes with every answer. */
function Finish({ onNextChapter, onStartAgain, onLeave }: FinishWays) {
  const { dispatch } = useShownRecord();
  const { examId, chapterId } = useExamState((state) => state.record);
  const answering = useExamState((state) => state.questionMode === 1);
  const total = useExamState((state) => state.paper.questions.length);
  const left = useExamState(unansweredCount);
  const chapter = useNextChapter();
  const [starting, setStarting] = useState(false);
  const { next } = chapter;
  return (
    <>
      {answering ? (
        <p className={classes.lead}>
          {left === 0
            ? t('{total} 题已全部作答，可以交卷看结果。', { total })
            : t('已答 {done} 题，还有 {left} 题未作答。没有交卷的练习会保留，下次可以继续。', {
                done: total - left,
                left,
              })}
        </p>
      ) : (
        <p className={classes.lead}>
          {chapterId === null
            ? t('{total} 题已背到最后一题。', { total })
            : t('本章 {total} 题已背到最后一题。', { total })}
        </p>
      )}
      {chapterId !== null && <NextChapterLine {...chapter} />}
      <div className={dialog.actions}>
        <Button variant="default" onClick={onLeave}>
          {t('返回')}
        </Button>
        <WaitButton
          variant="default"
          waiting={starting}
          onClick={() => {
            setStarting(true);
            void onStartAgain().finally(() => setStarting(false));
          }}
        >
          {t('重新开始')}
        </WaitButton>
        {next?.examId != null && (
          <Button variant={answering ? 'default' : 'filled'} onClick={() => onNextChapter(next.examId ?? examId)}>
            {t('继续下一章')}
          </Button>
        )}
        {answering && (
          <Button data-autofocus onClick={() => dispatch({ type: 'dialog', dialog: 'submit' })}>
            {t('交卷')}
          </Button>
        )}
      </div>
    </>
  );
}
