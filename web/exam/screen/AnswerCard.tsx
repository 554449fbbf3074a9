import {
  IconBan,
  IconCheck,
  IconDice5Filled,
  IconFlag3Filled,
  IconHourglass,
  IconLock,
  IconPointFilled,
  IconSlashes,
  IconX,
} from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { languageOf } from '#rules/rich-text/language.ts';
import { msg, t } from '#web/lib/t.ts';
import { type Answers, isAnswered } from '../session/answers-state.ts';
import type { ExamState } from '../session/exam-model.ts';
import classes from './AnswerCard.module.css';
import { cardRows, shortHeading } from './answer-card-rows.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import { rowsInView, scrollTo, topsOf } from './row-window.ts';
import { useShortWindow } from './short-window.ts';

type Filter = 'all' | 'unanswered' | 'flagged';

const CELL = 44;
const GAP = 8;
const HEADING = 38;
/** Pixels drawn above and below what is seen, and between two drawings while scrolling. */
const MORE = 300;
const STEP = 104;

/** Which questions the card shows, where somebody else decides it. */
export interface Narrowing {
  /** What decides it, in the place of the card's own filters. */
  control: ReactNode;
  /** Whether the question at this position from 0 is shown. The same function as long as it says the same. */
  shows: (index: number) => boolean;
}

interface Props {
  narrowing?: Narrowing | undefined;
  /** Told with the question's id and its position from 0 (spec §2 Answer card). */
  onPick: (questionId: number, index: number) => void;
}

/** 答题卡: the numbers of all questions with their state. Only the rows in view are drawn, so 2,000 stay smooth. */
export function AnswerCard({ onPick, narrowing }: Props) {
  const exam = useShownRecord();
  const paper = useExamState((state) => state.paper);
  const [filter, setFilter] = useState<Filter>('all');
  const answers = useExamState((state) => (filter === 'unanswered' ? state.answers : null));
  const flags = useExamState((state) => (filter === 'flagged' ? state.marks.flag : null));
  const current = useExamState((state) => state.current);
  const scroll = useRef<HTMLDivElement>(null);
  const rowsBox = useRef<HTMLDivElement>(null);
  const short = useShortWindow();
  const columns = useColumns(scroll);

  const shows = narrowing?.shows;
  const rows = useMemo(() => {
    const keep = (index: number) => {
      if (shows) return shows(index);
      const id = paper.questions[index]?.questionId ?? 0;
      if (answers) return !isAnswered(answers, id);
      return flags ? flags.has(id) : true;
    };
    return columns === 0 ? [] : cardRows(paper, columns, keep);
  }, [paper, columns, answers, flags, shows]);

  const tops = useMemo(() => topsOf(rows.map((row) => ('cells' in row ? CELL + GAP : HEADING))), [rows]);
  const [view, setView] = useState({ scroll: 0, height: 0 });
  const [first, end] = rowsInView(tops, view.scroll, view.height, MORE);
  useEffect(() => {
    const node = scroll.current;
    if (!node) return;
    const look = () => {
      // In steps, so that not every pixel of scrolling draws anew.
      const at = Math.floor((node.scrollTop - (rowsBox.current?.offsetTop ?? 0)) / STEP) * STEP;
      const height = Math.ceil((node.clientHeight + STEP) / STEP) * STEP;
      setView((was) => (was.scroll === at && was.height === height ? was : { scroll: at, height }));
    };
    look();
    node.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(node);
    return () => {
      node.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    const node = scroll.current;
    const row = rows.findIndex((line) => 'cells' in line && line.cells.includes(current));
    if (!node || row < 0) return;
    const above = rowsBox.current?.offsetTop ?? 0;
    node.scrollTop = above + scrollTo(tops, row, node.scrollTop - above, node.clientHeight - GAP);
  }, [current, rows, tops]);

  const pick = useRef((index: number) => {
    const id = exam.getState().paper.questions[index]?.questionId;
    if (id !== undefined) onPickNow.current(id, index);
  });
  const onPickNow = useRef(onPick);
  useEffect(() => {
    onPickNow.current = onPick;
  });

  const control = narrowing?.control ?? <Filters filter={filter} onFilter={setFilter} />;
  return (
    <section className={classes.card} aria-label={t('答题卡')}>
      <div className={classes.top}>
        <h2>{t('答题卡')}</h2>
        <Answered />
      </div>
      {!short && control}
      <div className={classes.scroll} ref={scroll} tabIndex={rows.length === 0 ? 0 : -1}>
        {/* In a short window what stays around the numbers would leave no room for them. */}
        {short && control}
        {rows.length === 0 && columns > 0 && (
          <p className={classes.empty}>
            {narrowing ? t('没有这样的题。') : filter === 'flagged' ? t('没有标记的题') : t('全部题目都已作答')}
          </p>
        )}
        <div className={classes.rows} ref={rowsBox} style={{ height: tops.at(-1) }}>
          {rows.slice(first, end).map((row, i) => (
            <div
              key={tops[first + i]}
              className={classes.row}
              style={{
                transform: `translateY(${tops[first + i]}px)`,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              }}
            >
              {'cells' in row ? (
                row.cells.map((cell) => <Cell key={cell} index={cell} onPick={pick.current} />)
              ) : (
                <h3>
                  <span title={t(row.heading)} lang={languageOf(t(row.heading))}>
                    {shortHeading(row.heading, t(row.heading))}
                  </span>
                  <small>{t('{count} 题', { count: row.count })}</small>
                </h3>
              )}
            </div>
          ))}
        </div>
        {short && <Legend />}
      </div>
      {!short && <Legend />}
    </section>
  );
}

/** How many numbers stand in a row; 0 until the room is known, so that nothing is drawn twice when the card opens. */
function useColumns(box: React.RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(0);
  useEffect(() => {
    const node = box.current;
    if (!node) return;
    const measure = () => setColumns(Math.max(4, Math.floor((node.clientWidth + GAP) / (CELL + GAP))));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [box]);
  return columns;
}

function Answered() {
  const done = useExamState(answeredCount);
  const total = useExamState((state) => state.paper.questions.length);
  return <span className={classes.done}>{t('已答 {done} / {total}', { done, total })}</span>;
}

const counts = new WeakMap<Answers, number>();

/** How many questions have an answer; counted once for each state of the answers. */
function answeredCount(state: ExamState): number {
  const known = counts.get(state.answers);
  if (known !== undefined) return known;
  const count = countAnswered(state);
  counts.set(state.answers, count);
  return count;
}

function countAnswered(state: ExamState): number {
  return state.paper.questions.reduce(
    (sum, { questionId }) => sum + (isAnswered(state.answers, questionId) ? 1 : 0),
    0,
  );
}

function Filters({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const flagged = useExamState((state) => state.marks.flag.size);
  const left = useExamState((state) => state.paper.questions.length - answeredCount(state));
  const option = (value: Filter, text: string) => (
    <button type="button" aria-pressed={filter === value} onClick={() => onFilter(value)}>
      {text}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
    <div className={classes.filters} role="group" aria-label={t('筛选')}>
      {option('all', t('全部'))}
      {option('unanswered', t('未作答 {count}', { count: left }))}
      {option('flagged', t('标记 {count}', { count: flagged }))}
    </div>
  );
}

type CellState = 'right' | 'wrong' | 'partly' | 'pending' | 'hidden' | 'void' | 'done' | 'open';

/** What the card says of a question. */
function cellState(state: ExamState, questionId: number): CellState {
  if (state.phase === 'review' && state.hidden.has(questionId)) return 'hidden';
  const final = state.finals.get(questionId);
  if (final === 1) return 'right';
  if (final === 4 && state.phase === 'review') return 'pending';
  if (final === 3) return 'partly';
  if (final === 2) return 'wrong';
  if (final === 5) return 'void';
  return isAnswered(state.answers, questionId) ? 'done' : 'open';
}

const cellWords: Readonly<Record<CellState, string>> = {
  right: msg('答对'),
  wrong: msg('答错'),
  partly: msg('部分正确'),
  pending: msg('待评分'),
  hidden: msg('暂不显示'),
  void: msg('已作废'),
  done: msg('已答'),
  open: msg('未作答'),
};

const Cell = memo(function Cell({ index, onPick }: { index: number; onPick: (index: number) => void }) {
  const id = useExamState((state) => state.paper.questions[index]?.questionId ?? 0);
  const kind = useExamState((state) => cellState(state, id));
  const flagged = useExamState((state) => state.marks.flag.has(id));
  const guessed = useExamState((state) => state.marks.guess.has(id));
  const current = useExamState((state) => state.current === index);
  const words = [
    t('第 {number} 题', { number: index + 1 }),
    t(cellWords[kind]),
    ...(guessed ? [t('蒙的')] : []),
    ...(flagged ? [t('已标记')] : []),
  ];
  return (
    <button
      type="button"
      className={classes.cell}
      data-kind={kind}
      aria-current={current ? 'step' : undefined}
      aria-label={words.join(t('，'))}
      onClick={() => onPick(index)}
    >
      {index + 1}
      {kind === 'done' && <IconPointFilled className={classes.sign} size={13} aria-hidden />}
      {kind === 'right' && <IconCheck className={classes.sign} size={13} stroke={3} aria-hidden />}
      {kind === 'wrong' && <IconX className={classes.sign} size={13} stroke={3} aria-hidden />}
      {kind === 'partly' && <IconSlashes className={classes.sign} size={13} stroke={3} aria-hidden />}
      {kind === 'pending' && <IconHourglass className={classes.sign} size={13} stroke={2.4} aria-hidden />}
      {kind === 'void' && <IconBan className={classes.sign} size={13} stroke={2.4} aria-hidden />}
      {kind === 'hidden' && <IconLock className={classes.sign} size={13} stroke={2.4} aria-hidden />}
      {guessed && <IconDice5Filled className={classes.guess} size={14} aria-hidden />}
      {flagged && <IconFlag3Filled className={classes.flag} size={14} aria-hidden />}
    </button>
  );
});

function Legend() {
  const judged = useExamState((state) => state.record.mayReveal || state.phase === 'review');
  const reviewing = useExamState((state) => state.phase === 'review');
  const anyGuess = useExamState((state) => state.marks.guess.size > 0);
  const withheld = useExamState((state) => state.phase === 'review' && state.hidden.size > 0);
  const voided = useExamState((state) => [...state.finals.values()].includes(5));
  const entry = (kind: CellState | 'current', text: string) => (
    <li>
      <i data-kind={kind} className={classes.swatch}>
        {kind === 'done' && <IconPointFilled size={12} aria-hidden />}
      </i>
      {text}
    </li>
  );
  return (
    <ul className={classes.legend}>
      {!reviewing && entry('done', t('已答'))}
      {entry('open', t('未作答'))}
      {entry('current', t('当前'))}
      <li>
        <IconFlag3Filled size={14} aria-hidden className={classes.legendFlag} />
        {t('标记')}
      </li>
      {anyGuess && (
        <li>
          <IconDice5Filled size={14} aria-hidden className={classes.legendFlag} />
          {t('蒙的')}
        </li>
      )}
      {judged && (
        <>
          <li>
            <IconCheck size={14} stroke={3} aria-hidden className={classes.legendRight} />
            {t('答对')}
          </li>
          <li>
            <IconX size={14} stroke={3} aria-hidden className={classes.legendWrong} />
            {t('答错')}
          </li>
          <li>
            <IconSlashes size={14} stroke={3} aria-hidden className={classes.legendPartly} />
            {t('部分正确')}
          </li>
        </>
      )}
      {reviewing && (
        <li>
          <IconHourglass size={14} stroke={2.4} aria-hidden className={classes.legendPending} />
          {t('待评分')}
        </li>
      )}
      {voided && (
        <li>
          <IconBan size={14} stroke={2.4} aria-hidden />
          {t('已作废')}
        </li>
      )}
      {withheld && (
        <li>
          <IconLock size={14} stroke={2.4} aria-hidden />
          {t('暂不显示')}
        </li>
      )}
    </ul>
  );
}
