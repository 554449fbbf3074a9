import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { formulaLine } from '#ui/formula-line.ts';
import { RichText } from '#ui/RichText.tsx';
import { plainText } from '#ui/safe-html.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { type Review, typeNames } from '../paper.ts';
import { VerdictSign } from '../question/AnswerBlock.tsx';
import classes from './ResultList.module.css';
import { reviewLines, wrongFirst } from './review-order.ts';

const FIRST = 12;

/** The questions of a handed-in paper, wrong ones first; each leads to its place in the review. */
export function ResultList({ review }: { review: Review }) {
  const [all, setAll] = useState(false);
  const box = useRef<HTMLElement>(null);
  useSwapFocus(box, all);
  const corrected = review.questions.filter(({ correction }) => correction !== null).length;
  const lines = wrongFirst(reviewLines(review));
  return (
    <section ref={box} tabIndex={-1} className={classes.box}>
      <h2>{t('逐题回顾')}</h2>
      {corrected > 0 && <p>{t('有 {count} 题在您开考后更正过，成绩不变，详见解析。', { count: corrected })}</p>}
      <ol tabIndex={-1} data-takes-focus>
        {(all ? lines : lines.slice(0, FIRST)).map(({ index, question, verdict }) => (
          <li key={question.questionId}>
            <Link to={paths.examReview(review.recordId, { q: index + 1 })} className={classes.line}>
              <VerdictSign verdict={verdict} bare />
              <span className={classes.number}>{index + 1}</span>
              <span className={classes.type}>{t(typeNames[question.questionTypesId] ?? '')}</span>
              <RichText html={formulaLine(plainText(question.topic), 80)} className={classes.topic} zoom={false} />
            </Link>
          </li>
        ))}
      </ol>
      {!all && lines.length > FIRST && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {t('显示全部 {count} 题', { count: lines.length })}
        </button>
      )}
    </section>
  );
}
