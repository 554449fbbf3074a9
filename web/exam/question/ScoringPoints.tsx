import { RichText } from '#ui/RichText.tsx';
import { t } from '#web/lib/t.ts';
import type { KeyedQuestion } from '../paper.ts';
import { formatScore } from '../score.ts';
import classes from './ScoringPoints.module.css';

/** What the reference answer gives marks for (采点), to be read. */
export function ScoringPoints({ points, headless = false }: { points: KeyedQuestion['points']; headless?: boolean }) {
  return (
    <>
      {!headless && <h3>{t('采点')}</h3>}
      <ul className={classes.points}>
        {points.map(({ text, weight }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no other name than their place
          <li key={at} className={classes.point}>
            <RichText html={text} className={classes.text} />
            <Weight weight={weight} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many marks a point brings. */
export function Weight({ weight }: { weight: number }) {
  return <span className={classes.weight}>{t('{score} 分', { score: formatScore(weight) })}</span>;
}
