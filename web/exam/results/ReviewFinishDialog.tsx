import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router';
import dialog from '#ui/dialog-actions.module.css';
import { paths } from '#web/lib/paths.ts';
import { sentences, t } from '#web/lib/t.ts';
import type { Retake } from '../center/retake.ts';
import { useWhyNotAgain } from '../center/useWhyNotAgain.ts';
import { useExamState, useShownRecord } from '../screen/ExamContext.ts';
import classes from '../screen/ExamDialogs.module.css';
import { NextChapterLine } from '../screen/NextChapterLine.tsx';
import { useNextChapter } from '../screen/useNextChapter.ts';
import type { ReviewLine } from './review-order.ts';

interface Props {
  lines: readonly ReviewLine[];
  /** A filter is set: its questions are seen, the paper may go on. */
  narrowed: boolean;
  /** What the rule of the paper says of another try. */
  retake: Retake;
  /** Another try of the same exam. */
  onAgain: () => void;
}

/** Behind the last question of a review (spec §4): back to the result, again, or on to the next chapter. */
export function ReviewFinishDialog(props: Props) {
  const { dispatch } = useShownRecord();
  const opened = useExamState((state) => state.dialog === 'finish');
  const whole = useExamState((state) => state.record.chapterId === null);
  return (
    <Modal
      opened={opened}
      onClose={() => dispatch({ type: 'dialog', dialog: null })}
      title={props.narrowed ? t('筛选出的题已看完') : whole ? t('已到最后一题') : t('本章已到最后一题')}
      size={460}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <Finish {...props} />
    </Modal>
  );
}

function Finish({ lines, retake, onAgain }: Props) {
  const { recordId, examMode, chapterId } = useExamState((state) => state.record);
  const chapter = useNextChapter();
  const count = (...verdicts: ReviewLine['verdict'][]) =>
    lines.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const [wrong, partly, unanswered] = [count('wrong'), count('partly'), count('unanswered')];
  const pending = count('pending');
  const hidden = count('hidden');
  const stop = useWhyNotAgain(retake);
  return (
    <>
      <p className={classes.lead}>
        {sentences(
          t('共 {total} 题：答对 {right} 题，答错 {wrong} 题，未作答 {unanswered} 题。', {
            total: lines.length,
            right: count('right'),
            wrong,
            unanswered,
          }),
          partly > 0 && t('{count} 题部分正确。', { count: partly }),
          pending > 0 && t('还有 {count} 题待评分。', { count: pending }),
          hidden > 0 && t('{count} 题正在另一场考试中，暂不显示。', { count: hidden }),
        )}
      </p>
      {chapterId !== null && <NextChapterLine {...chapter} />}
      <div className={dialog.actions}>
        <Button variant="default" onClick={onAgain} disabled={stop !== null}>
          {stop ?? (examMode === -1 ? t('重新练习') : t('再考一次'))}
        </Button>
        {chapter.next?.examId != null && (
          <Button component={Link} to={paths.exam(chapter.next.examId)} variant="default">
            {t('继续下一章')}
          </Button>
        )}
        <Button component={Link} to={paths.examResult(recordId)} data-autofocus>
          {t('返回成绩')}
        </Button>
      </div>
    </>
  );
}
