import { IconDice5Filled, IconFlag3Filled } from '@tabler/icons-react';
import { type Ref, useId } from 'react';
import { t } from '#web/lib/t.ts';
import { manyLetters, type Question, typeNames } from '../paper.ts';
import classes from './Question.module.css';

interface Props {
  question: Question;
  /** Its place in the paper, from 1. */
  number: number;
  flagged: boolean;
  guessed: boolean;
  /** It stands for another question of the same knowledge point, which is due for review. */
  similar?: boolean;
  /** The heading, where a screen puts the focus on it; a screen reader then says number and type. */
  headingRef?: Ref<HTMLHeadingElement>;
}

/** Number, type chip and score of a question. */
export function QuestionHead({ question, number, flagged, guessed, similar = false, headingRef }: Props) {
  const id = useId();
  const type = question.questionTypesId;
  return (
    <div className={classes.head}>
      <h2
        className={classes.number}
        {...(headingRef && { ref: headingRef, tabIndex: -1, 'aria-describedby': `${id}-type` })}
      >
        <span className="unseen">{t('第 {number} 题', { number })}</span>
        <span aria-hidden>{number}</span>
      </h2>
      <span id={`${id}-type`} className={classes.chip}>
        {t(typeNames[type] ?? '')}
      </span>
      {similar && (
        <span className={classes.chip} title={t('与您要复习的一道题考点相同，换一道题来练')}>
          {t('同考点')}
          <span className="unseen">{t('与您要复习的一道题考点相同，换一道题来练')}</span>
        </span>
      )}
      {/* Only a void question (作废) gives no points. */}
      {question.score === 0 && <span className={classes.chip}>{t('已作废')}</span>}
      <span className={classes.points}>
        {question.score === 0 ? t('不计分') : t('{score} 分', { score: question.score })}
      </span>
      {manyLetters(type) && (
        <span className={classes.points}>{type === 3 ? t('有两个或更多正确答案') : t('有一个或更多正确答案')}</span>
      )}
      {(flagged || guessed) && (
        <span className={classes.marks}>
          {guessed && (
            <span>
              <IconDice5Filled size={14} aria-hidden />
              {t('蒙的')}
            </span>
          )}
          {flagged && (
            <span>
              <IconFlag3Filled size={14} aria-hidden />
              {t('已标记')}
            </span>
          )}
        </span>
      )}
    </div>
  );
}
