import { Button } from '@mantine/core';
import { IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { WaitButton } from '#ui/WaitButton.tsx';
import { t } from '#web/lib/t.ts';
import { unsentCount } from '../session/exam-model.ts';
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
            <Banners onResult={onResult} />
          </>
        }
        overlays={overlays}
      />
    </ExamContext>
  );
}

function Banners({ onResult }: { onResult: () => void }) {
  const exam = useExam();
  const [waiting, setWaiting] = useState(false);
  const taken = useExamState((state) => state.phase === 'takenOver');
  const over = useExamState((state) => state.over);
  const fragile = useExamState((state) => unsentCount(state) > 0) && !exam.lasting;
  useEffect(() => {
    if (!fragile) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [fragile]);
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
  if (!fragile) return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={20} aria-hidden />
      <p>{t('浏览器不允许本页保留数据（可能是无痕模式），保存成功前请不要关闭本页。')}</p>
    </div>
  );
}
