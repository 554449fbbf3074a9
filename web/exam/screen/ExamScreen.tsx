import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconLayoutGrid, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { WaitButton } from '#ui/WaitButton.tsx';
import { t } from '#web/lib/t.ts';
import { currentQuestion, type ExamState, unsentCount } from '../session/exam-model.ts';
import type { Exam } from '../session/exam-runner.ts';
import { AnswerCard } from './AnswerCard.tsx';
import { CaseSplit } from './CaseSplit.tsx';
import { ExamBar } from './ExamBar.tsx';
import { ExamContext, useExam, useExamState } from './ExamContext.ts';
import classes from './ExamScreen.module.css';
import { QuestionCard } from './QuestionCard.tsx';
import { useExamKeys } from './useExamKeys.ts';

interface Props {
  exam: Exam;
  onLeave: () => void;
  onResult: () => void;
  /** What opens over the question; null until its code is there. */
  overlays: ReactNode;
}

/** The question screen of one open record (spec §2 Exam screens). */
export function ExamScreen({ exam, onLeave, onResult, overlays }: Props) {
  useExamKeys(exam);
  return (
    <ExamContext value={exam}>
      <div className={classes.screen}>
        <ExamBar onLeave={onLeave} />
        <Banners onResult={onResult} />
        <div className={classes.body}>
          <Work />
          <Side />
        </div>
        <BottomMoves />
        {overlays}
      </div>
    </ExamContext>
  );
}

const caseOf = (state: ExamState) => currentQuestion(state)?.parentCaseStudyId ?? null;

function Work() {
  const current = useExamState((state) => state.current);
  const caseId = useExamState(caseOf);
  const cases = useExamState((state) => state.paper.cases);
  const area = useRef<HTMLElement>(null);
  const material = useMemo(
    () => (caseId === null ? undefined : (cases.find(({ id }) => id === caseId) ?? null)),
    [cases, caseId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins at its top
  useEffect(() => {
    area.current?.querySelector('[data-top]')?.scrollTo(0, 0);
  }, [current]);
  return (
    <main className={classes.work} ref={area}>
      <CaseSplit material={material}>
        <QuestionCard />
      </CaseSplit>
    </main>
  );
}

/** The answer card beside the question; on phones it is a sheet instead. */
function Side() {
  const { dispatch } = useExam();
  const wide = useWide();
  if (!wide) return null;
  return (
    <aside className={classes.side}>
      <AnswerCard onPick={(_, index) => dispatch({ type: 'go', to: index })} />
    </aside>
  );
}

function useWide(): boolean {
  const [wide, setWide] = useState(() => window.matchMedia('(min-width: 64em)').matches);
  useEffect(() => {
    const query = window.matchMedia('(min-width: 64em)');
    const look = () => setWide(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return wide;
}

function BottomMoves() {
  const exam = useExam();
  const position = useExamState((state) => state.current + 1);
  const total = useExamState((state) => state.paper.questions.length);
  const go = (by: number) => exam.dispatch({ type: 'go', to: exam.getState().current + by });
  return (
    <nav className={classes.moves} aria-label={t('题目')}>
      <button type="button" onClick={() => go(-1)}>
        <IconArrowLeft size={20} aria-hidden />
        {t('上一题')}
      </button>
      <button type="button" onClick={() => exam.dispatch({ type: 'dialog', dialog: 'card' })}>
        <IconLayoutGrid size={20} aria-hidden />
        {t('答题卡')}
        <span className={classes.position}>
          {position}/{total}
        </span>
      </button>
      <button type="button" onClick={() => go(1)} data-next>
        {t('下一题')}
        <IconArrowRight size={20} aria-hidden />
      </button>
    </nav>
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
