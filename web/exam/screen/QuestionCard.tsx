import { Button } from '@mantine/core';
import {
  IconArrowLeft,
  IconArrowRight,
  IconEraser,
  IconEye,
  IconScribble,
  IconStrikethrough,
} from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { languageOf } from '#rules/rich-text/language.ts';
import { scrollBehavior } from '#ui/motion.ts';
import { RichText } from '#ui/RichText.tsx';
import { t, tIn } from '#web/lib/t.ts';
import { byLetters, manyLetters, type Question } from '../paper.ts';
import { AnswerBlock } from '../question/AnswerBlock.tsx';
import { Options } from '../question/Options.tsx';
import classes from '../question/Question.module.css';
import { QuestionHead } from '../question/QuestionHead.tsx';
import { TextAnswer } from '../question/TextAnswer.tsx';
import { verdictOf } from '../question/verdict.ts';
import { standing } from '../session/answers-state.ts';
import { changeTime } from '../session/change-time.ts';
import { currentQuestion, type ExamState, guessedRight, mayAnswer, showsKeys } from '../session/exam-model.ts';
import { toggleStruck, useJottings } from '../session/jottings.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import { useLetterKeys } from './letter-keys.ts';
import { QuestionFocus } from './QuestionFocus.tsx';
import { QuestionNotes } from './QuestionNotes.tsx';
import { useSwipe } from './useSwipe.ts';

const idOf = (state: ExamState) => currentQuestion(state)?.questionId ?? 0;
const shownOf = (state: ExamState) => state.answers.shown.get(idOf(state)) ?? '';

/** What a review knows of a question beyond its key. */
export interface Graded {
  /** Points earned, or null. */
  score: number | null;
  /** What was corrected since, where anything was. */
  correction: ReactNode;
  /** The form for the own score, where the question has one. */
  ownScore: ReactNode;
  /** What else belongs to the question, below its key. */
  note: ReactNode;
}

/** The question on the screen with everything that belongs to it. `graded` in a review, of the question on the screen. */
export function QuestionCard({ graded }: { graded?: Graded | undefined }) {
  const exam = useShownRecord();
  const question = useExamState(currentQuestion);
  const index = useExamState((state) => state.current);
  const card = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useSwipe(card, (by) => exam.dispatch({ type: 'go', to: exam.getState().current + by }));
  if (!question) return null;
  return (
    <article ref={card} className={classes.card}>
      <SectionTitle questionId={question.questionId} />
      <Head question={question} index={index} heading={heading} />
      <RichText html={question.topic} className={classes.topic} picture={t('题目的图片')} />
      <Answering key={question.questionId} question={question} />
      <Revealed key={`key ${question.questionId}`} question={question} graded={graded} />
      <Actions />
      <QuestionFocus card={card} heading={heading} />
    </article>
  );
}

/** What the paper says of the section of this question: how to answer, how it is scored. */
function SectionTitle({ questionId }: { questionId: number }) {
  const title = useExamState(({ paper: { sections } }) =>
    sections.length < 2 ? '' : (sections.find(({ questionIds }) => questionIds.includes(questionId))?.title ?? ''),
  );
  return title === '' ? null : (
    <p className={classes.section} lang={languageOf(title)}>
      {title}
    </p>
  );
}

interface HeadProps {
  question: Question;
  index: number;
  heading: RefObject<HTMLHeadingElement | null>;
}

function Head({ question, index, heading }: HeadProps) {
  const flagged = useExamState((state) => state.marks.flag.has(question.questionId));
  const guessed = useExamState((state) => state.marks.guess.has(question.questionId));
  const similar = useExamState(({ paper }) => paper.similar?.includes(question.questionId) === true);
  return (
    <QuestionHead
      question={question}
      number={index + 1}
      flagged={flagged}
      guessed={guessed}
      similar={similar}
      headingRef={heading}
    />
  );
}

function Answering({ question }: { question: Question }) {
  const { dispatch } = useShownRecord();
  const id = question.questionId;
  const reciting = useExamState((state) => state.questionMode === 2);
  const may = useExamState((state) => mayAnswer(state, id));
  const shown = useExamState(shownOf);
  const stands = useExamState((state) => standing(state.answers, id));
  const key = useExamState((state) =>
    showsKeys(state) || state.finals.has(id) ? state.keys.get(id)?.rightAnswer : undefined,
  );
  const points = useExamState((state) => (key === undefined ? undefined : state.keys.get(id)?.points));
  const byKey = useExamState((state) => (state.keys.get(id)?.gradeMode ?? 'key') === 'key');
  const choose = useRef((letter: string, stays = false) =>
    dispatch({ type: 'chosen', letter, now: changeTime(), stays }),
  );
  const letterKeys = useLetterKeys();
  const atOnce = useExamState((state) => state.showAtOnce && state.record.mayReveal && state.phase === 'open');
  const striking = useExamState((state) => state.striking);
  const [jottings, jot] = useJottings(useExamState((state) => state.record.recordId));
  const strike = useRef((letter: string) => {
    // Who weighs the options is not done with the question.
    dispatch({ type: 'struck' });
    jot((before) => toggleStruck(before, id, letter));
  });
  const sat = useExamState((state) => state.phase !== 'review');
  if (!byLetters(question.questionTypesId)) {
    if (reciting) return null;
    return (
      <>
        <TextAnswer
          value={shown}
          points={points}
          onType={may ? (text) => dispatch({ type: 'typed', text, now: changeTime() }) : undefined}
        />
        {may && <Emptied shown={shown} stands={stands} />}
      </>
    );
  }
  return (
    <>
      <Options
        type={question.questionTypesId}
        options={question.options}
        chosen={reciting ? '' : shown}
        right={key}
        byKey={byKey}
        onChoose={may ? choose.current : undefined}
        label={t('选项')}
        note={
          may && atOnce && !manyLetters(question.questionTypesId) ? t('用 ↑ ↓ 选好后，按 Space 显示答案') : undefined
        }
        letterKeys={letterKeys}
        // Once the key is seen, a line through the right one would only mislead.
        {...(sat && !reciting && key === undefined && { struck: jottings.struck[id] ?? '' })}
        onStrike={may && striking ? strike.current : undefined}
      />
      {may && <Emptied shown={shown} stands={stands} />}
    </>
  );
}

/** An answer that was emptied by hand is not un-answered (decisions §3): said where it can be misunderstood. */
function Emptied({ shown, stands }: { shown: string; stands: string }) {
  if (shown.trim() !== '' || stands === '') return null;
  const short = stands.length > 12 ? `${stands.slice(0, 12)}…` : stands;
  return (
    <p className={classes.hint} role="status">
      {t('这道题仍保留上次的作答“{answer}”。要改为不作答，请点“清除作答”。', { answer: short })}
    </p>
  );
}

function Revealed({ question, graded }: { question: Question; graded: Graded | undefined }) {
  const id = question.questionId;
  const reciting = useExamState((state) => state.questionMode === 2);
  const key = useExamState((state) => (showsKeys(state) || state.finals.has(id) ? state.keys.get(id) : undefined));
  const hidden = useExamState((state) => (showsKeys(state) || state.finals.has(id)) && state.hidden.has(id));
  const waiting = useExamState((state) =>
    state.questionMode === 2 ? state.recite === 'asking' : state.finals.has(id) && state.showing.has(id),
  );
  const verdict = useExamState((state) =>
    reciting ? undefined : verdictOf(state.finals.get(id) ?? 0, state.answers.saved.get(id) ?? ''),
  );
  const answer = useExamState((state) => state.answers.saved.get(id) ?? '');
  const guess = useExamState((state) => (reciting ? undefined : guessedRight(state, id)));
  const box = useRef<HTMLDivElement>(null);
  const facts = useId();
  const asking = useExamState((state) => state.showing.has(id));
  const pressed = useExamState((state) => state.showing.has(id) && !state.finals.has(id));
  const was = useRef({ asking, pressed });
  useEffect(() => {
    // Asked for just now: bring it into view, the student waits for it.
    if (key && was.current.asking) box.current?.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
    // By 查看答案, which is gone now: keyboard and screen reader go on at what it showed.
    if (key && was.current.pressed) box.current?.focus({ preventScroll: true });
    was.current = { asking, pressed };
  }, [key, asking, pressed]);
  if (hidden) return <p className={classes.hint}>{t('这道题所在的试卷交卷后，才能查看答案')}</p>;
  if (!key) return waiting ? <p className={classes.hint}>{t('正在加载答案…')}</p> : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label={tIn('one', '答案与解析')}
      aria-describedby={facts}
      className={classes.revealed}
    >
      <AnswerBlock
        question={key}
        factsId={facts}
        answer={answer}
        verdict={verdict}
        score={graded?.score}
        guess={guess}
        correction={graded?.correction}
      >
        {graded?.ownScore}
      </AnswerBlock>
      {graded?.note}
    </div>
  );
}

function Actions() {
  return (
    <div className={classes.actions}>
      <Moves />
      <Quiet />
    </div>
  );
}

/** Apart from the other buttons: these change with no answer. */
function Moves() {
  const exam = useShownRecord();
  const go = (by: number) => exam.dispatch({ type: 'go', to: exam.getState().current + by });
  return (
    <div className={classes.moves}>
      <Button variant="default" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={() => go(-1)}>
        {t('上一题')}
      </Button>
      <Button rightSection={<IconArrowRight size={18} aria-hidden />} onClick={() => go(1)}>
        {t('下一题')}
      </Button>
    </div>
  );
}

function Quiet() {
  const { dispatch } = useShownRecord();
  const questionId = useExamState(idOf);
  const index = useExamState((state) => state.current);
  const reviewing = useExamState((state) => state.phase === 'review');
  const canClear = useExamState(
    (state) => mayAnswer(state, idOf(state)) && (shownOf(state) !== '' || standing(state.answers, idOf(state)) !== ''),
  );
  const canShow = useExamState(
    (state) =>
      state.record.mayReveal && state.questionMode === 1 && state.phase === 'open' && !state.finals.has(idOf(state)),
  );
  const asking = useExamState((state) => state.showing.has(idOf(state)));
  const final = useExamState((state) => state.finals.has(idOf(state)));
  return (
    <div className={classes.quiet}>
      {canShow && (
        <button type="button" onClick={() => dispatch({ type: 'show' })} disabled={asking}>
          <IconEye size={18} aria-hidden />
          {asking ? t('正在加载答案…') : t('查看答案')}
        </button>
      )}
      <QuestionNotes questionId={questionId} index={index} />
      {!reviewing && !final && (
        <button type="button" onClick={() => dispatch({ type: 'cleared', now: changeTime() })} disabled={!canClear}>
          <IconEraser size={18} aria-hidden />
          {t('清除作答')}
        </button>
      )}
      {!reviewing && <Jotting />}
    </div>
  );
}

/** 划掉选项 and 草稿纸: for the student alone, no answer. */
function Jotting() {
  const { dispatch } = useShownRecord();
  const striking = useExamState((state) => state.striking);
  const scratch = useExamState((state) => state.scratch);
  const strikes = useExamState(
    (state) => mayAnswer(state, idOf(state)) && byLetters(currentQuestion(state)?.questionTypesId ?? 0),
  );
  return (
    <>
      <button
        type="button"
        aria-pressed={striking}
        data-on={striking || undefined}
        disabled={!strikes}
        onClick={() => dispatch({ type: 'striking', on: !striking })}
      >
        <IconStrikethrough size={18} aria-hidden />
        {t('划掉选项')}
      </button>
      <button
        type="button"
        aria-expanded={scratch}
        data-on={scratch || undefined}
        onClick={() => dispatch({ type: 'scratch', on: !scratch })}
      >
        <IconScribble size={18} aria-hidden />
        {t('草稿纸')}
      </button>
    </>
  );
}
