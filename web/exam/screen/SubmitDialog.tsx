import { Button, Loader, Modal } from '@mantine/core';
import { IconCloudOff, IconCloudUpload } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import dialog from '#ui/dialog-actions.module.css';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { sentences, t } from '#web/lib/t.ts';
import { isAnswered } from '../session/answers-state.ts';
import { unansweredCount, unkeptCount, unsentCount } from '../session/exam-model.ts';
import { useExam, useExamState } from './ExamContext.ts';
import classes from './ExamDialogs.module.css';

/** 交卷: what is still open, then the hand-in itself with whatever it meets on its way. */
export function SubmitDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const handing = useExamState((state) => state.phase === 'handing');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={handing ? t('正在交卷') : t('确认交卷')}
      size={440}
      withCloseButton={!handing}
      closeOnEscape={!handing}
      returnFocus={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      {handing ? <Handing /> : <Asking onClose={onClose} />}
    </Modal>
  );
}

function Asking({ onClose }: { onClose: () => void }) {
  const exam = useExam();
  const total = useExamState((state) => state.paper.questions.length);
  const open = useExamState(unansweredCount);
  const flagged = useExamState((state) => state.marks.flag.size);
  const unsent = useExamState(unsentCount);
  const unkept = useExamState(unkeptCount);
  const online = useExamState((state) => state.online);
  const first = () => {
    const { paper, answers } = exam.getState();
    onClose();
    exam.dispatch({ type: 'go', to: paper.questions.findIndex(({ questionId }) => !isAnswered(answers, questionId)) });
  };
  return (
    <>
      <dl className={classes.counts}>
        <div>
          <dt>{t('已答')}</dt>
          <dd>{total - open}</dd>
        </div>
        <div data-tone={open > 0 ? 'warn' : undefined}>
          <dt>{t('未作答')}</dt>
          <dd>{open}</dd>
        </div>
        <div data-tone={flagged > 0 ? 'warn' : undefined}>
          <dt>{t('已标记')}</dt>
          <dd>{flagged}</dd>
        </div>
      </dl>
      <p className={classes.lead}>
        {open > 0
          ? t('还有 {count} 题未作答。交卷后不能再修改。', { count: open })
          : t('题目已全部作答。交卷后不能再修改。')}
      </p>
      {unsent > 0 && online && (
        <p className={classes.note}>
          <IconCloudUpload size={18} aria-hidden />
          {t('有 {count} 题还没有保存到服务器，会随试卷一起提交。', { count: unsent })}
        </p>
      )}
      {!online && (
        <p className={classes.note}>
          <IconCloudOff size={18} aria-hidden />
          {unkept > 0
            ? t('当前没有网络，{count} 题的答案只在本页里。确认后请不要关闭本页，恢复网络时自动交卷。', {
                count: unkept,
              })
            : t('当前没有网络。确认后，答案保留在本机，恢复网络时自动交卷。')}
        </p>
      )}
      <div className={dialog.actions}>
        {open > 0 && (
          <Button variant="default" onClick={first}>
            {t('去看未作答的题')}
          </Button>
        )}
        {/* Enter out of habit must not hand in. */}
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('继续作答')}
        </Button>
        <Button onClick={() => exam.dispatch({ type: 'submit' })}>{t('确认交卷')}</Button>
      </div>
    </>
  );
}

function Handing() {
  const { dispatch } = useExam();
  const under = useExamState((state) => state.handing);
  const tries = useExamState((state) => state.handTries);
  const over = useExamState((state) => state.over);
  const online = useExamState((state) => state.online);
  const unsent = useExamState(unsentCount);
  const unkept = useExamState(unkeptCount);
  const endsAt = useExamState((state) => state.record.endsAt);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // 确认交卷 had the keyboard and is gone, and there may be nothing to press yet.
    if (document.activeElement === document.body) box.current?.closest<HTMLElement>('[role="dialog"]')?.focus();
  }, []);
  return (
    <div ref={box} aria-live="polite">
      <p className={classes.waiting}>
        {(under || online) && <Loader size={20} />}
        {tries === 0
          ? over
            ? t('考试时间已到，正在自动交卷…')
            : t('正在交卷…')
          : t('还没有交成功，正在自动重试（第 {count} 次）', { count: tries })}
      </p>
      {tries > 0 && (
        <p className={classes.note}>
          <IconCloudOff size={18} aria-hidden />
          <span>
            {sentences(
              online ? t('服务器暂时没有回应。') : t('当前没有网络。'),
              unsent === 0
                ? t('全部答案都已保存在服务器上，恢复后自动交卷。')
                : unkept > 0
                  ? t('{count} 题的答案只在本页里，请不要关闭本页。', { count: unkept })
                  : over
                    ? t('{count} 题的答案还在本机：到时间后才送达的，可能不计入成绩。', { count: unsent })
                    : t('{count} 题的答案保留在本机，恢复后会随试卷一起提交。', { count: unsent }),
              over && t('考试时间已到，到时间前保存到服务器的答案由服务器自动交卷，不会丢失。'),
              !over &&
                endsAt !== null &&
                t('请在 {moment} 考试结束前恢复网络。', { moment: formatMoment(endsAt, serverNow()) }),
            )}
          </span>
        </p>
      )}
      {tries > 0 && (
        <div className={dialog.actions}>
          {!over && (
            <WaitButton
              variant="default"
              waiting={false}
              blocked={under}
              onClick={() => dispatch({ type: 'submitStopped' })}
            >
              {t('返回继续作答')}
            </WaitButton>
          )}
          <WaitButton waiting={under} onClick={() => dispatch({ type: 'submit' })}>
            {t('立即重试')}
          </WaitButton>
        </div>
      )}
    </div>
  );
}
