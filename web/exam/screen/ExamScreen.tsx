import { Button } from '@mantine/core';
import { IconClock, IconClockPlus, IconCloudUpload, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { sentences, t } from '#web/lib/t.ts';
import { unkeptCount, unsentCount } from '../session/exam-model.ts';
import type { Exam } from '../session/exam-runner.ts';
import { ExamBar } from './ExamBar.tsx';
import { ExamContext, useExam, useExamState } from './ExamContext.ts';
import classes from './ExamScreen.module.css';
import { QuestionScreen } from './QuestionScreen.tsx';

interface Props {
  exam: Exam;
  onLeave: () => void;
  onResult: () => void;
  /** What opens over the question; null until its code is there. */
  overlays: ReactNode;
}

/** The question screen of a record that is being sat (spec §2 Exam screens). */
export function ExamScreen({ exam, onLeave, onResult, overlays }: Props) {
  return (
    <ExamContext value={exam}>
      <QuestionScreen
        record={exam}
        top={
          <>
            <ExamBar onLeave={onLeave} />
            <Banners onResult={onResult} dialogs={overlays !== null} />
          </>
        }
        overlays={overlays}
      />
    </ExamContext>
  );
}

/** What has to be known above the question. `dialogs`: the code of the dialogs is there. */
function Banners({ onResult, dialogs }: { onResult: () => void; dialogs: boolean }) {
  const exam = useExam();
  const [waiting, setWaiting] = useState(false);
  const taken = useExamState((state) => state.phase === 'takenOver');
  const over = useExamState((state) => state.over);
  const unkept = useExamState(unkeptCount);
  const unsent = useExamState(unsentCount);
  const ending = useExamState((state) => state.ending);
  const handing = useExamState((state) => state.phase === 'handing');
  const given = useExamState((state) => state.given);
  const endsAt = useExamState((state) => state.record.endsAt);
  const own = useExamState((state) => state.record.accommodation);
  // Said once: a window that opens a record with answers says it no more.
  const [fresh] = useState(() => exam.getState().record.lastSeq === 0);
  const seen = useExamState((state) => state.ownTimeSeen);
  if (taken) {
    const take = () => {
      setWaiting(true);
      void exam.takeOver().finally(() => setWaiting(false));
    };
    return (
      <div className={classes.banner} role="alert">
        <IconLock size={20} aria-hidden />
        <p>{over ? t('考试时间已到，本窗口不能再作答。') : t('您已在另一个窗口继续作答，本窗口不再保存')}</p>
        {over ? (
          <Button size="xs" onClick={onResult}>
            {t('查看结果')}
          </Button>
        ) : (
          <WaitButton size="xs" onClick={take} waiting={waiting}>
            {t('在此窗口继续作答')}
          </WaitButton>
        )}
      </div>
    );
  }
  const lines: ReactNode[] = [];
  if (own > 0 && fresh && !seen) {
    lines.push(
      <Line
        key="own"
        icon={<IconClockPlus size={20} aria-hidden />}
        action={
          <Button size="xs" variant="default" onClick={() => exam.dispatch({ type: 'ownTimeSeen' })}>
            {t('知道了')}
          </Button>
        }
      >
        {t('您的考试时间已延长 {minutes} 分钟。', { minutes: own })}
      </Line>,
    );
  }
  if (given) {
    lines.push(
      <Line
        key="given"
        icon={<IconClockPlus size={20} aria-hidden />}
        action={
          <Button size="xs" variant="default" onClick={() => exam.dispatch({ type: 'givenSeen' })}>
            {t('知道了')}
          </Button>
        }
      >
        {sentences(
          t('考试时间延长了 {minutes} 分钟，到 {time} 结束。', {
            minutes: given.minutes,
            time: endsAt === null ? '' : formatMoment(endsAt, serverNow()),
          }),
          t('原因：{reason}', { reason: given.reason }),
        )}
      </Line>,
    );
  }
  if (ending !== 'certain') {
    lines.push(
      <Line key="ending" icon={<IconClock size={20} aria-hidden />}>
        {sentences(
          ending === 'waits'
            ? t('考试时间已到。正在等服务器确认，连上后自动交卷；到时间前保存到服务器的答案不会丢失。')
            : t('本机时钟有变动，考试时间可能已到。正在向服务器核对，连上后显示准确的剩余时间。'),
          unsent > 0 && unkept === 0 && t('{count} 题的答案还没有送达，已保留在本机。', { count: unsent }),
        )}
      </Line>,
    );
  }
  // The dialog of the hand-in says it, once its code is there.
  if (handing && !dialogs) {
    lines.push(
      <Line key="handing" icon={<IconCloudUpload size={20} aria-hidden />}>
        {over ? t('考试时间已到，正在自动交卷…') : t('正在交卷…')}
      </Line>,
    );
  }
  if (unkept > 0) {
    lines.push(
      <Line key="unkept" icon={<IconPlugConnectedX size={20} aria-hidden />}>
        {t('有 {count} 题的答案没能保留在本机（磁盘已满，或浏览器不允许）。保存成功前请不要关闭本页，正在继续尝试。', {
          count: unkept,
        })}
      </Line>,
    );
  }
  return <>{lines}</>;
}

function Line({ icon, action, children }: { icon: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.banner} role="alert">
      {icon}
      <p>{children}</p>
      {action}
    </div>
  );
}
