import { IconArrowsDiagonal } from '@tabler/icons-react';
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { isSelfScored } from '#rules/exam/answer.ts';
import icon from '#ui/icon-button.module.css';
import { formulaCode, RichText } from '#ui/RichText.tsx';
import { hasFormula } from '#ui/safe-html.ts';
import { t } from '#web/lib/t.ts';
import { whenIdle } from '#web/lib/when-idle.ts';
import { byLetters, type CaseMaterial, type Review } from '../paper.ts';
import { AnswerBlock, VerdictSign } from '../question/AnswerBlock.tsx';
import { CaseDetails } from '../question/CaseDetails.tsx';
import { CorrectionNote } from '../question/CorrectionNote.tsx';
import { Options } from '../question/Options.tsx';
import screen from '../question/Question.module.css';
import { QuestionHead } from '../question/QuestionHead.tsx';
import { TextAnswer } from '../question/TextAnswer.tsx';
import { useExamState } from '../screen/ExamContext.ts';
import { QuestionNotes } from '../screen/QuestionNotes.tsx';
import { guessedRight } from '../session/exam-model.ts';
import classes from './ReviewList.module.css';
import type { ReviewLine } from './review-order.ts';
import { SelfScore } from './SelfScore.tsx';
import { type DrawnNear, PARTS, useDrawnNear } from './useDrawnNear.ts';

/** Milliseconds after which the library of formulas is fetched by a busy browser too, where it is needed. */
const FETCHES = 3000;

/** Pixels that a card takes that was never drawn. */
const UNKNOWN = 560;
/** Pixels between two cards. */
const GAP = 20;

/** Questions of the paper that are looked at together while they are far away: in each frame a browser asks of all that may come near where it is. */
const GROUP = 5;

const cardId = (index: number) => `q${index + 1}`;

/** The heading of the question at a position from 0, where it is drawn: a keyboard or a screen reader goes on there. */
export function headingOf(index: number): HTMLElement | null {
  return document.querySelector(`#${cardId(index)} h2`);
}

interface Props {
  review: Review;
  lines: readonly ReviewLine[];
  /** The question to show, by its position from 0; another value of `nonce` asks again for the same one. */
  at: { index: number; nonce: number } | null;
  /** Shows this question by itself. The same function each time. */
  onOpen: (index: number) => void;
  /** Told which question is in view when a person scrolls to another; false: not now, ask again. The same function each time. */
  onSeen: (index: number) => boolean;
  /** What else belongs to a question, below its key. The same function each time. */
  note: (questionId: number) => ReactNode;
}

/** Answered questions with keys under each other. What a card holds is drawn as one comes near it. */
export const ReviewList = memo(function ReviewList({ review, lines, at, onOpen, onSeen, note }: Props) {
  const similar = useMemo(() => new Set(review.similar), [review.similar]);
  const cases = useMemo(() => new Map(review.cases.map((material) => [material.id, material])), [review.cases]);
  const place = at === null ? -1 : lines.findIndex(({ index }) => index === at.index);
  const keys = useMemo(() => lines.map(({ index }) => index), [lines]);
  const groups = useMemo(() => groupsOf(lines), [lines]);
  const texts = useRef(new Map<number, readonly string[]>());
  useEffect(() => {
    texts.current = new Map(lines.map((line) => [line.index, textsOf(line)]));
    // Of a long review not all formulas came set. What sets the others is a second's work on a slow phone: rather before somebody scrolls.
    return whenIdle(() => void formulaCode()?.fetchLibraryFor([...texts.current.values()].flat()), FETCHES);
  }, [lines]);
  const prepare = useCallback(
    (key: number, until: number) =>
      texts.current.get(key)?.every((text) => formulaCode()?.prepareFormulas(text, until) ?? true) ?? true,
    [],
  );
  const { drawn, ...watched } = useDrawnNear(keys, place, prepare);
  const drawnGroups = new Set([...drawn.keys()].map(groupOf));
  useEffect(() => {
    if (at === null) return;
    document.getElementById(cardId(at.index))?.scrollIntoView({ block: 'start' });
    headingOf(at.index)?.focus({ preventScroll: true });
  }, [at]);
  const list = useRef<HTMLDivElement>(null);
  useQuestionInView(list, onSeen);
  return (
    <div ref={list} className={classes.list}>
      {[...groups].map(([group, members]) => (
        <ReviewGroup
          key={group}
          lines={members}
          parts={drawnGroups.has(group) ? members.map(({ index }) => drawn.get(index) ?? 0).join('') : ''}
          {...watched}
          recordId={review.recordId}
          onOpen={onOpen}
          note={note}
          similar={similar}
          cases={cases}
        />
      ))}
    </div>
  );
});

/** The group of the paper that a position is in. */
const groupOf = (index: number) => Math.floor(index / GROUP);

/** Lines by the group of the paper that they are in: a filter leaves each where it is. */
function groupsOf(lines: readonly ReviewLine[]): ReadonlyMap<number, readonly ReviewLine[]> {
  const groups = new Map<number, ReviewLine[]>();
  for (const line of lines) {
    const group = groupOf(line.index);
    groups.set(group, [...(groups.get(group) ?? []), line]);
  }
  return groups;
}

interface GroupProps extends Pick<Props, 'onOpen' | 'note'>, Omit<DrawnNear, 'drawn'> {
  recordId: number;
  lines: readonly ReviewLine[];
  /** How many parts of each are drawn, a digit for each; empty: of none. */
  parts: string;
  similar: ReadonlySet<number>;
  cases: ReadonlyMap<number, CaseMaterial>;
}

/** Some questions of the list, drawn anew only with a part of one of them. */
const ReviewGroup = memo(function ReviewGroup({
  lines,
  parts,
  heights,
  watchGroup,
  similar,
  cases,
  ...card
}: GroupProps) {
  const size = `auto ${lines.length * (UNKNOWN + GAP) - GAP}px`;
  return (
    <div ref={watchGroup} className={classes.group} style={{ containIntrinsicSize: size }}>
      {lines.map((line, at) => {
        const { questionId, parentCaseStudyId } = line.question;
        const drawn = Number(parts[at] ?? 0);
        return (
          <ReviewCard
            key={questionId}
            {...card}
            line={line}
            parts={drawn}
            height={drawn === PARTS ? undefined : heights.get(line.index)}
            similar={similar.has(questionId)}
            material={parentCaseStudyId === null ? undefined : (cases.get(parentCaseStudyId) ?? null)}
          />
        );
      })}
    </div>
  );
});

/** The texts of a question in which formulas may stand. */
function textsOf({ question }: ReviewLine): readonly string[] {
  const key = question.hidden ? [] : [question.rightAnswer, question.answerAnalysis];
  return [question.topic, ...Object.values(question.options), ...key].filter(hasFormula);
}

/** Pixels below the top of the window at which one reads: under the bar, and a little into the text. */
const READING_LINE = 160;
/** Milliseconds of rest after which one looks at it, and after which one does although the page still moves: the page says each time where one is. */
const REST = 120;
const LOOKS = 1500;

/** The position of the last of some elements under each other that begins above a line of the window; -1: none. */
function lastAbove(elements: ArrayLike<Element>, line: number): number {
  let [from, to] = [-1, elements.length - 1];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((elements[middle]?.getBoundingClientRect().top ?? 0) <= line) from = middle;
    else to = middle - 1;
  }
  return from;
}

/**
 * Tells which question is at the reading line when a person scrolls, and at the end of the page the last one. What the page
 * scrolls to by itself is known to whoever asked for it.
 */
function useQuestionInView(list: RefObject<HTMLElement | null>, onSeen: (index: number) => boolean): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let byPerson = false;
    let latest = -1;
    let moving: number | undefined;
    let gone = false;
    const look = () => {
      moving = undefined;
      if (gone || !byPerson) return;
      const { scrollHeight, clientHeight } = document.documentElement;
      const ended = window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2;
      const at = ({ children }: { children: HTMLCollection }) =>
        ended ? children.length - 1 : lastAbove(children, READING_LINE);
      // Group by group: where a card stands in one that is far away, a browser finds out only by laying that out.
      const group = list.current?.children[at(list.current)];
      // The edge of a group is a little above its first card.
      const card = group?.children[Math.max(0, at(group))];
      const index = Number(/^q(\d+)$/.exec(card?.id ?? '')?.[1] ?? 0) - 1;
      if (index < 0 || index === latest) return;
      if (onSeen(index)) latest = index;
    };
    const scrolled = () => {
      if (!byPerson) return;
      const now = performance.now();
      moving ??= now;
      clearTimeout(timer);
      // While the page moves a frame has no room for it beside drawing the next questions.
      timer = setTimeout(() => whenIdle(look, REST), Math.max(0, Math.min(REST, moving + LOOKS - now)));
    };
    const acted = ({ type, target }: Event) => {
      // A press inside the card or on a button scrolls by what it asks for; one on the scroll bar is on the page itself.
      byPerson = type !== 'pointerdown' || target === document.documentElement;
      if (!byPerson) latest = -1;
    };
    const acts = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
    for (const act of acts) window.addEventListener(act, acted, { passive: true });
    window.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      gone = true;
      clearTimeout(timer);
      for (const act of acts) window.removeEventListener(act, acted);
      window.removeEventListener('scroll', scrolled);
    };
  }, [list, onSeen]);
}

interface CardProps extends Pick<Props, 'onOpen' | 'note'> {
  recordId: number;
  line: ReviewLine;
  similar: boolean;
  material: CaseMaterial | null | undefined;
}

interface WatchedProps extends CardProps {
  /** How many parts of it are drawn. */
  parts: number;
  /** Pixels that it had when it was drawn before. */
  height: number | undefined;
  watch: (card: HTMLElement) => () => void;
}

/** Parts of a card, in the order in which they are drawn. */
const [TOPIC, CHOICE, KEY] = [1, 2, PARTS];

const ReviewCard = memo(function ReviewCard({ parts, height, watch, ...card }: WatchedProps) {
  const { line, similar, onOpen } = card;
  const { index, question, verdict } = line;
  const flagged = useExamState((state) => state.marks.flag.has(question.questionId));
  const guessed = useExamState((state) => state.marks.guess.has(question.questionId));
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <article
      ref={watch}
      data-key={index}
      aria-busy={parts < PARTS}
      style={parts < PARTS ? { minHeight: height ?? UNKNOWN } : undefined}
      className={classes.card}
      id={cardId(index)}
      data-verdict={verdict}
      aria-label={t('第 {number} 题', { number: index + 1 })}
    >
      <div className={classes.head}>
        <QuestionHead
          question={question}
          number={index + 1}
          flagged={flagged}
          guessed={guessed}
          similar={similar}
          headingRef={heading}
        />
        <span className={classes.right}>
          <VerdictSign verdict={verdict} />
          <button
            type="button"
            className={`${icon.button} ${classes.open}`}
            onClick={() => onOpen(index)}
            aria-label={t('单独查看第 {number} 题', { number: index + 1 })}
            title={t('单独查看第 {number} 题', { number: index + 1 })}
          >
            <IconArrowsDiagonal size={18} aria-hidden />
          </button>
        </span>
      </div>
      {/* They stand from the beginning and stay: Chromium walks through the whole page for each that goes. */}
      <div className={classes.part}>{parts >= TOPIC && <CardTopic {...card} />}</div>
      <div className={classes.part}>{parts >= CHOICE && <CardChoice question={question} />}</div>
      <div className={classes.part}>{parts >= KEY && <CardKey {...card} />}</div>
    </article>
  );
});

function CardTopic({ line: { question }, material }: CardProps) {
  return (
    <>
      {material !== undefined && <CaseDetails material={material} />}
      <RichText html={question.topic} className={classes.topic} picture={t('题目的图片')} />
    </>
  );
}

function CardChoice({ question }: Pick<ReviewLine, 'question'>) {
  return byLetters(question.questionTypesId) ? (
    <Options
      type={question.questionTypesId}
      options={question.options}
      chosen={question.answer}
      right={question.hidden ? undefined : question.rightAnswer}
      byKey={question.gradeMode === 'key'}
      label={t('选项')}
    />
  ) : (
    <TextAnswer value={question.answer} points={question.points} />
  );
}

function CardKey({ recordId, line: { index, question, verdict }, note }: CardProps) {
  const guess = useExamState((state) => guessedRight(state, question.questionId));
  return (
    <>
      {question.hidden ? (
        <p className={classes.hidden}>{t('这道题所在的试卷交卷后，才能查看答案')}</p>
      ) : (
        <AnswerBlock
          question={question}
          answer={question.answer}
          verdict={verdict}
          score={question.myScore}
          guess={guess}
          correction={question.correction && <CorrectionNote correction={question.correction} shown={question} />}
        >
          {isSelfScored(question.questionTypesId) && question.answer !== '' && question.gradeMode === 'key' && (
            <SelfScore recordId={recordId} question={question} />
          )}
        </AnswerBlock>
      )}
      {!question.hidden && note(question.questionId)}
      <div className={`${screen.quiet} ${classes.notes}`}>
        <QuestionNotes questionId={question.questionId} index={index} />
      </div>
    </>
  );
}
