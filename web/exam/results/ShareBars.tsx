import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { PASS_PERCENT } from '#contract/values/exam.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { formatRate } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import { formatScore } from '../score.ts';
import classes from './ShareBars.module.css';

interface Share {
  key: number;
  name: string;
  earned: number;
  total: number;
  /** What of `total` still waits for a score. */
  pending: number;
  /** What all takers earned of it, 0 to 1, or null. */
  average: number | null;
  /** Small words under the bar. */
  note?: string | undefined;
  /** Where the name leads. */
  to?: string;
}

/** Bars shown at first. */
const FIRST = 8;

/** Points earned as bars, with a tick where all takers stand. */
export function ShareBars({ title, shares }: { title: string; shares: readonly Share[] }) {
  const [all, setAll] = useState(false);
  const box = useRef<HTMLElement>(null);
  useSwapFocus(box, all);
  if (shares.length === 0) return null;
  return (
    <section ref={box} tabIndex={-1} className={classes.box}>
      <h2>{title}</h2>
      <ul tabIndex={-1} data-takes-focus>
        {(all ? shares : shares.slice(0, FIRST)).map((share) => (
          <Bar key={share.key} share={share} />
        ))}
      </ul>
      {!all && shares.length > FIRST && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {t('显示全部 {count} 项', { count: shares.length })}
        </button>
      )}
      {shares.some(({ average }) => average !== null) && (
        <p className={classes.legend}>
          <i aria-hidden />
          {t('全部考生的平均得分率')}
        </p>
      )}
    </section>
  );
}

/** The share is of what has its score: what waits is said, and counts neither for nor against. */
function Bar({ share: { name, earned, total, pending, average, note, to } }: { share: Share }) {
  const scored = total - pending;
  const rate = scored === 0 ? null : earned / scored;
  return (
    <li>
      <div className={classes.line}>
        <span className={classes.name}>{to === undefined ? name : <Link to={to}>{name}</Link>}</span>
        {(scored > 0 || pending === 0) && (
          <span className={classes.points}>
            {formatScore(earned)} / {formatScore(total)}
          </span>
        )}
        {pending > 0 && (
          <span className={classes.points}>{t('待评分 {score} 分', { score: formatScore(pending) })}</span>
        )}
        {rate !== null && <span className={classes.rate}>{formatRate(rate)}</span>}
      </div>
      <div className={classes.bar}>
        {rate !== null && (
          <div style={{ width: `${Math.min(1, rate) * 100}%` }} data-low={rate * 100 < PASS_PERCENT || undefined} />
        )}
        {average !== null && (
          <i style={{ left: `${average * 100}%` }} title={t('平均 {rate}', { rate: formatRate(average) })} />
        )}
      </div>
      {note !== undefined && <p className={classes.note}>{note}</p>}
    </li>
  );
}
