import { useId } from 'react';
import classes from './TrendLine.module.css';

/** One point of a trend. */
interface TrendPoint {
  key: number;
  /** As it is read out: what it is, and when it was. */
  name: string;
  when: string;
  /** 0 to 1. */
  value: number;
  /** Drawn as a square, else as a ring: not by colour alone. */
  strong: boolean;
}

interface Props {
  /** What the chart shows, for whoever hears the page. */
  title: string;
  /** What the columns are called, and what rings and squares are. */
  itemName: string;
  whenName: string;
  valueName: string;
  strongName: string;
  otherName: string;
  points: readonly TrendPoint[];
  say: (value: number) => string;
}

const WIDE = 640;
const HIGH = 160;
const SIDE = 10;
const TOP = 10;

/** A share over time; a table says the same to screen readers. */
export function TrendLine({ title, itemName, whenName, valueName, strongName, otherName, points, say }: Props) {
  const id = useId();
  const step = points.length > 1 ? (WIDE - 2 * SIDE) / (points.length - 1) : 0;
  const x = (index: number) => (points.length > 1 ? SIDE + index * step : WIDE / 2);
  const y = (value: number) => TOP + (1 - value) * (HIGH - 2 * TOP);
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id} className="unseen">
        {title}
      </figcaption>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          {[1, 0.5, 0].map((value) => (
            <span key={value} style={{ top: `${(y(value) / HIGH) * 100}%` }}>
              {say(value)}
            </span>
          ))}
        </div>
        <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden>
          {[1, 0.5, 0].map((value) => (
            <line key={value} x1={0} x2={WIDE} y1={y(value)} y2={y(value)} className={classes.grid} />
          ))}
          <polyline
            points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
            className={classes.line}
          />
        </svg>
        {/* Points keep their shape however the drawing is stretched. */}
        {points.map(({ key, value, strong }, index) => (
          <i
            key={key}
            className={classes.point}
            data-strong={strong || undefined}
            style={{ '--at': x(index) / WIDE, top: `${(y(value) / HIGH) * 100}%` } as React.CSSProperties}
            aria-hidden
          />
        ))}
      </div>
      <p className={classes.legend} aria-hidden>
        {points.some(({ strong }) => strong) && <span data-of="strong">{strongName}</span>}
        {points.some(({ strong }) => !strong) && <span data-of="other">{otherName}</span>}
        <span className={classes.span}>
          {points[0]?.when}
          {points.at(-1)?.when !== points[0]?.when && ` – ${points.at(-1)?.when}`}
        </span>
      </p>
      {/* A table takes its whole height however small it is told to be. */}
      <div className="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{itemName}</th>
              <th scope="col">{whenName}</th>
              <th scope="col">{valueName}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ key, name, when, value }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{when}</td>
                <td>{say(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
