import { IconArrowLeft, IconArrowRight, IconLayoutGrid } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';
import { t } from '#web/lib/t.ts';
import { useRootMark } from '#web/lib/useRootMark.ts';
import { currentQuestion, type ExamState, type ShownRecord } from '../session/exam-model.ts';
import { AnswerCard, type Narrowing } from './AnswerCard.tsx';
import { CaseSplit } from './CaseSplit.tsx';
import { ShownRecordContext, useExamState, useShownRecord } from './ExamContext.ts';
import classes from './ExamScreen.module.css';
import { type Graded, QuestionCard } from './QuestionCard.tsx';
import { isShortWindow } from './short-window.ts';
import { useExamKeys } from './useExamKeys.ts';

interface Props {
  record: ShownRecord;
  /** The bar, and what is said below it. */
  top: ReactNode;
  /** What opens over the question; null until its code is there. */
  overlays: ReactNode;
  /** In a review: what is known of the question on the screen beyond its key. */
  graded?: Graded | undefined;
  /** Which questions the answer card shows, where its own filters do not decide it. */
  narrowing?: Narrowing | undefined;
  /** Told which question was picked on the answer card, after going there. */
  onPicked?: ((index: number) => void) | undefined;
  /** Questions under each other instead of one at a time: then the page scrolls, and no key moves or marks. */
  list?: ReactNode;
}

/** The question screen of a record, be it sat or reviewed: bar, question, answer card, and on phones the moves at the bottom. */
export function QuestionScreen({ record, top, overlays, graded, narrowing, onPicked, list }: Props) {
  const single = list === undefined;
  useExamKeys(record, single);
  useRootMark('questionList', !single);
  const [arrival] = useState(useNavigationType());
  // As in Shell.tsx a new page begins at its top: where the page scrolls, it would stand as far down as the list that led here. Before
  // the parts look for their place.
  useLayoutEffect(() => {
    if (arrival !== 'POP') window.scrollTo(0, 0);
  }, [arrival]);
  return (
    <ShownRecordContext value={record}>
      <Frame single={single}>
        {top}
        <div className={classes.body}>
          {single ? <Work graded={graded} /> : <main className={classes.list}>{list}</main>}
          <Side narrowing={narrowing} onPicked={onPicked} />
        </div>
        <BottomMoves single={single} />
        {overlays}
      </Frame>
    </ShownRecordContext>
  );
}

function Frame({ single, children }: { single: boolean; children: ReactNode }) {
  const scratch = useExamState((state) => state.scratch);
  return (
    <div className={classes.screen} data-list={single ? undefined : true} data-scratch={scratch || undefined}>
      {children}
    </div>
  );
}

const caseOf = (state: ExamState) => currentQuestion(state)?.parentCaseStudyId ?? null;

function Work({ graded }: { graded: Graded | undefined }) {
  const current = useExamState((state) => state.current);
  const caseId = useExamState(caseOf);
  const cases = useExamState((state) => state.paper.cases);
  const area = useRef<HTMLElement>(null);
  const seen = useRef(current);
  const material = useMemo(
    () => (caseId === null ? undefined : (cases.find(({ id }) => id === caseId) ?? null)),
    [cases, caseId],
  );
  useEffect(() => {
    // The first one stands where it was read before this screen came (first-question.ts).
    if (seen.current === current) return;
    seen.current = current;
    area.current?.querySelector('[data-top]')?.scrollTo(0, 0);
    // There the page scrolls, not the question.
    if (isShortWindow()) window.scrollTo(0, window.scrollY + (area.current?.getBoundingClientRect().top ?? 0));
  }, [current]);
  return (
    <main className={classes.work} ref={area}>
      <CaseSplit material={material} at={current}>
        <QuestionCard graded={graded} />
      </CaseSplit>
    </main>
  );
}

/** The answer card beside the question; on phones it is a sheet instead. */
function Side({ narrowing, onPicked }: Pick<Props, 'narrowing' | 'onPicked'>) {
  const { dispatch } = useShownRecord();
  const wide = useWide();
  if (!wide) return null;
  return (
    <aside className={classes.side}>
      <AnswerCard
        narrowing={narrowing}
        onPick={(_, index) => {
          dispatch({ type: 'go', to: index });
          onPicked?.(index);
        }}
      />
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

function BottomMoves({ single }: { single: boolean }) {
  const exam = useShownRecord();
  const position = useExamState((state) => state.current + 1);
  const total = useExamState((state) => state.paper.questions.length);
  const go = (by: number) => exam.dispatch({ type: 'go', to: exam.getState().current + by });
  return (
    <nav className={classes.moves} data-single={single || undefined} aria-label={t('题目')}>
      {single && (
        <button type="button" onClick={() => go(-1)}>
          <IconArrowLeft size={20} aria-hidden />
          {t('上一题')}
        </button>
      )}
      <button type="button" onClick={() => exam.dispatch({ type: 'dialog', dialog: 'card' })}>
        <IconLayoutGrid size={20} aria-hidden />
        {t('答题卡')}
        {/* In the list no one of them is the current one. */}
        <span className={classes.position}>{single ? `${position}/${total}` : total}</span>
      </button>
      {single && (
        <button type="button" onClick={() => go(1)} data-next>
          {t('下一题')}
          <IconArrowRight size={20} aria-hidden />
        </button>
      )}
    </nav>
  );
}
