import { useState } from 'react';
import { formatRate } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import classes from './ShareBars.module.css';
import { formatScore } from './score.ts';

export interface Share {
  key: number;
  name: string;
  earned: number;
  total: number;
  /** What all takers earned of it, 0 to 1, or null. */
  average: number | null;
}

/** Bars shown at first. */
const FIRST = 8;

/** Points earned as bars, with a tick where all takers stand. */
export function ShareBars({ title, shares }: { title: string; shares: readonly Share[] }) {
  const [all, setAll] = useState(false);
  if (shares.length === 0) return null;
  return (
    <section className={classes.box}>
      <h2>{title}</h2>
      <ul>
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

function Bar({ share: { name, earned, total, average } }: { share: Share }) {
  const rate = total === 0 ? 0 : earned / total;
  return (
    <li>
      <div className={classes.line}>
        <span className={classes.name}>{name}</span>
        <span className={classes.points}>
          {formatScore(earned)} / {formatScore(total)}
        </span>
        <span className={classes.rate}>{formatRate(rate)}</span>
      </div>
      <div className={classes.bar}>
        <div style={{ width: `${Math.min(1, rate) * 100}%` }} data-low={rate < 0.6 || undefined} />
        {average !== null && (
          <i style={{ left: `${average * 100}%` }} title={t('平均 {rate}', { rate: formatRate(average) })} />
        )}
      </div>
    </li>
  );
}
