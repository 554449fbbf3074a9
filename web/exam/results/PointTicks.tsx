import { keyWordsIn } from '#rules/exam/key-words.ts';
import { RichText } from '#ui/RichText.tsx';
import { t } from '#web/lib/t.ts';
import type { ReviewedQuestion } from '../paper.ts';
import { Weight } from '../question/ScoringPoints.tsx';
import classes from './PointTicks.module.css';

interface Props {
  question: ReviewedQuestion;
  ticks: readonly number[];
  onTicks: (ticks: number[]) => void;
}

/** The scoring points beside the own answer, to be ticked; which of their key words the answer has is said, and no more. */
export function PointTicks({ question: { points, answer }, ticks, onTicks }: Props) {
  return (
    <fieldset className={classes.points}>
      <legend>{t('采点：对照自己的答案，勾选答到的')}</legend>
      {points.map(({ text, weight, words }, at) => {
        const found = keyWordsIn(answer, words);
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
    </fieldset>
  );
}
