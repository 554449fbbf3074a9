import { useId } from 'react';
import classes from './DayBars.module.css';

/** One bar: a day and how much of it is what. */
interface DayBar {
  /** The day as it is read out, and as it stands under the bar. */
  name: string;
  short: string;
  value: number;
  /** What is meant of the whole bar, shown paler on top. */
  more: number;
}

interface Props {
  /** What the chart shows, for whoever hears the page. */
  title: string;
  /** What `value` and `more` are called. */
  valueName: string;
  moreName: string;
  bars: readonly DayBar[];
}

/** A few days as bars; a table says the same to screen readers. */
export function DayBars({ title, valueName, moreName, bars }: Props) {
  const id = useId();
  const most = Math.max(1, ...bars.map(({ value, more }) => value + more));
  const columns = { gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` };
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <div className={classes.counts} style={columns} aria-hidden>
        {bars.map(({ name, value, more }) => (
          <span key={name}>{value + more > 0 ? value + more : ''}</span>
        ))}
      </div>
      {/* One unit wide for each day, one high for the most: it is stretched to its place. */}
      <svg viewBox={`0 0 ${bars.length} ${most}`} preserveAspectRatio="none" aria-hidden>
        {bars.map(({ name, value, more }, at) => (
          <g key={name}>
            <rect x={at + 0.18} width={0.64} y={most - value} height={value} className={classes.value} />
            {more > 0 && (
              <rect x={at + 0.18} width={0.64} y={most - value - more} height={more} className={classes.more} />
            )}
          </g>
        ))}
      </svg>
      <div className={classes.days} style={columns} aria-hidden>
        {bars.map(({ name, short }) => (
          <span key={name}>{short}</span>
        ))}
      </div>
      <table className="unseen">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col" />
            <th scope="col">{valueName}</th>
            <th scope="col">{moreName}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, value, more }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td>{more}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
