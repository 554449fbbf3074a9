import { keyWordsIn } from '#rules/exam/key-words.ts';
import { RichText } from '#ui/RichText.tsx';
import { t } from '#web/lib/t.ts';
import type { ReviewedQuestion } from '../paper.ts';
import { MarkedText } from '../question/MarkedText.tsx';
import { Weight } from '../question/ScoringPoints.tsx';
import classes from './PointTicks.module.css';

interface Props {
  question: ReviewedQuestion;
  ticks: readonly number[];
  onTicks: (ticks: number[]) => void;
}

/**
 * The scoring points beside the own answer, which stays in sight while they are ticked; which of their key words it has is said, and
 * no more.
 */
export function PointTicks({ question: { points, answer }, ticks, onTicks }: Props) {
  const words = points.flatMap((point) => point.words);
  return (
    <fieldset className={classes.points} data-beside={answer !== '' || undefined}>
      <legend>{t('采点：对照自己的答案，勾选答到的')}</legend>
      {answer !== '' && (
        // The keyboard scrolls a long one.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached
        <section className={classes.mine} aria-label={t('我的答案')} tabIndex={0}>
          <MarkedText text={answer} words={words} hint={false} />
        </section>
      )}
      <div>
        {points.map(({ text, weight, words: of }, at) => {
          const found = keyWordsIn(answer, of);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have no other name than their place
            <label key={at} className={classes.point}>
              <input
                type="checkbox"
                checked={ticks.includes(at)}
                onChange={(event) =>
                  onTicks(event.currentTarget.checked ? [...ticks, at] : ticks.filter((tick) => tick !== at))
                }
              />
              <span className={classes.said}>
                <RichText html={text} className={classes.text} zoom={false} />
                {found.length > 0 && (
                  <span className={classes.found}>{t('答案中找到：{words}', { words: found.join(t('、')) })}</span>
                )}
              </span>
              <Weight weight={weight} />
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
