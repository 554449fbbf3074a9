import {
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconDice5Filled,
  IconHourglass,
  IconLock,
  IconSlashes,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RichText } from '#ui/RichText.tsx';
import { formatRate } from '#web/lib/format.ts';
import { msg, t } from '#web/lib/t.ts';
import { byLetters, type KeyedQuestion } from '../paper.ts';
import classes from './AnswerBlock.module.css';
import { ScoringPoints } from './ScoringPoints.tsx';
import { type Verdict, verdictWords } from './verdict.ts';

const icons = {
  right: IconCheck,
  wrong: IconX,
  partly: IconSlashes,
  pending: IconHourglass,
  unanswered: IconCircleDashed,
  hidden: IconLock,
  void: IconBan,
} as const;

/** The sign of an verdict: a shape with its word. */
export function VerdictSign({ verdict, bare = false }: { verdict: Verdict; bare?: boolean }) {
  const Icon = icons[verdict];
  return (
    <span className={classes.sign} data-verdict={verdict} title={bare ? t(verdictWords[verdict]) : undefined}>
      <Icon size={18} stroke={2.2} aria-hidden />
      <span className={bare ? 'unseen' : undefined}>{t(verdictWords[verdict])}</span>
    </span>
  );
}

/** What is said of a question that is not graded by its key. */
const gradedWords = {
  all: msg('本题全员得分：无论如何作答，都得满分。'),
  void: msg('本题已作废：不计入得分和总分。'),
} as const;

interface Props {
  question: KeyedQuestion;
  /** The id of what became of the answer and which one is right: for who is led here and has to hear it. */
  factsId?: string;
  answer: string;
  /** Left out while reciting: then nothing was answered here. */
  verdict?: Verdict | undefined;
  /** Points earned, where known. */
  score?: number | null | undefined;
  /** A right answer that its student calls a guess; `listed`: the server knows, so that it stands among the wrong questions. */
  guess?: 'said' | 'listed' | undefined;
  /** What was corrected since, in a review; from there, so that an exam does not load it. */
  correction?: ReactNode;
  /** The form for the own score, which has the scoring points; else they are shown here. */
  children?: ReactNode;
}

/** Own answer against the right one, share of takers who were right, and the analysis. */
export function AnswerBlock({ question, factsId, answer, verdict, score, guess, correction, children }: Props) {
  const letters = byLetters(question.questionTypesId);
  const facts = letters || verdict !== undefined || question.accuracyRate !== null;
  return (
    <section className={classes.block}>
      {correction}
      {facts && (
        <dl id={factsId} className={classes.facts}>
          {verdict !== undefined && (
            <div>
              <dt>{t('结果')}</dt>
              <dd>
                <VerdictSign verdict={verdict} />
                {guess && (
                  <span className={classes.guess}>
                    <IconDice5Filled size={15} aria-hidden />
                    {t('蒙的')}
                  </span>
                )}
              </dd>
            </div>
          )}
          {letters && (
            <div>
              <dt>{t('正确答案')}</dt>
              <dd className={classes.key}>{question.rightAnswer}</dd>
            </div>
          )}
          {letters && verdict !== undefined && (
            <div>
              <dt>{t('我的答案')}</dt>
              <dd className={classes.mine} data-verdict={verdict}>
                {answer === '' ? '—' : answer}
              </dd>
            </div>
          )}
          {score !== undefined && score !== null && (
            <div>
              <dt>{t('得分')}</dt>
              <dd>
                {score}
                <span className={classes.of}> / {question.score}</span>
              </dd>
            </div>
          )}
          {question.accuracyRate !== null && (
            <div>
              <dt>{t('正确率')}</dt>
              <dd>{formatRate(question.accuracyRate)}</dd>
            </div>
          )}
        </dl>
      )}
      {question.gradeMode !== 'key' && <p className={classes.graded}>{t(gradedWords[question.gradeMode])}</p>}
      {guess === 'listed' && <p className={classes.listed}>{t('蒙对的题也收在错题本里。')}</p>}
      {!letters && (
        <>
          <h3>{t('参考答案')}</h3>
          <RichText html={question.rightAnswer} className={classes.text} picture={t('参考答案的图片')} />
          {!children && question.points.length > 0 && <ScoringPoints points={question.points} />}
        </>
      )}
      {children}
      <h3>{t('解析')}</h3>
      {question.answerAnalysis === '' ? (
        <p className={classes.none}>{t('暂无解析')}</p>
      ) : (
        <RichText html={question.answerAnalysis} className={classes.text} picture={t('解析的图片')} />
      )}
    </section>
  );
}
