import { IconFlag3Filled } from '@tabler/icons-react';
import { t } from '#web/lib/t.ts';
import { manyLetters, type Question, typeNames } from '../paper.ts';
import classes from './Question.module.css';

/** Number, type chip and score of a question. */
export function QuestionHead({ question, number, flagged }: { question: Question; number: number; flagged: boolean }) {
  const type = question.questionTypesId;
  return (
    <div className={classes.head}>
      <h2 className={classes.number}>
        <span className="unseen">{t('第 {number} 题', { number })}</span>
        <span aria-hidden>{number}</span>
      </h2>
      <span className={classes.chip}>{t(typeNames[type] ?? '')}</span>
      <span className={classes.points}>{t('{score} 分', { score: question.score })}</span>
      {manyLetters(type) && (
        <span className={classes.points}>{type === 3 ? t('有两个或更多正确答案') : t('有一个或更多正确答案')}</span>
      )}
      {flagged && (
        <span className={classes.flagged}>
          <IconFlag3Filled size={14} aria-hidden />
          {t('已标记')}
        </span>
      )}
    </div>
  );
}
