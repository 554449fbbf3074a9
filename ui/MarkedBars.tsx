import { useId } from 'react';
import classes from './MarkedBars.module.css';

/** One bar with what it is compared with. */
interface MarkedBar {
  /** As it is read out. */
  name: string;
  value: number;
  /** A tick beside the bar; null: there is nothing to compare with. */
  mark: number | null;
  /** What makes it stand out, as it is read out: it is striped, never told by colour alone. Null: nothing. */
  loud: string | null;
}

/** Few bars stand at the left, none of them a wall: the picture is as wide as so many. */
const LEAST_WIDE = 16;

interface Props {
  /** What the chart shows, for whoever hears the page. */
  title: string;
  /** What the bars stand for, what `value` and `mark` are called, and what the striped bars are. */
  itemName: string;
  valueName: string;
  markName: string;
  loudName: string;
  bars: readonly MarkedBar[];
  /** A value as text. */
  say: (value: number) => string;
}

/** Many values beside each other, each with a tick for what is usual; a table says the same to screen readers. */
export function MarkedBars({ title, itemName, valueName, markName, loudName, bars, say }: Props) {
  const id = useId();
  const stripes = useId();
  const most = Math.max(1, ...bars.map(({ value, mark }) => Math.max(value, mark ?? 0)));
  const high = 100;
  const compared = bars.some(({ mark }) => mark !== null);
  const at = (value: number) => (value / most) * high;
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id} className="unseen">
        {title}
      </figcaption>
      <div className={classes.most} aria-hidden>
        {say(most)}
      </div>
      {/* Ten units wide for each bar: it is stretched to its place. */}
      <svg viewBox={`0 0 ${Math.max(bars.length, LEAST_WIDE) * 10} ${high}`} preserveAspectRatio="none" aria-hidden>
        <defs>
          <pattern id={stripes} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width={4} height={4} className={classes.loud} />
            <rect width={1.4} height={4} className={classes.stripe} />
          </pattern>
        </defs>
        {bars.map(({ name, value, loud }, index) => (
          <rect
            key={name}
            x={index * 10 + 1.5}
            width={7}
            y={high - at(value)}
            height={at(value)}
            className={loud === null ? classes.value : undefined}
            fill={loud === null ? undefined : `url(#${stripes})`}
          />
        ))}
        {bars.map(
          ({ name, mark }, index) =>
            mark !== null && (
              <line
                key={name}
                x1={index * 10}
                x2={index * 10 + 10}
                y1={high - at(mark)}
                y2={high - at(mark)}
                className={classes.mark}
              />
            ),
        )}
      </svg>
      <p className={classes.legend} aria-hidden>
        <span data-of="value">{valueName}</span>
        {bars.some(({ loud }) => loud !== null) && <span data-of="loud">{loudName}</span>}
        {compared && <span data-of="mark">{markName}</span>}
      </p>
      {/* A table takes its whole height however small it is told to be. */}
      <div className="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{itemName}</th>
              <th scope="col">{valueName}</th>
              {compared && <th scope="col">{markName}</th>}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, value, mark, loud }) => (
              <tr key={name}>
                <th scope="row">{loud === null ? name : `${name} (${loud})`}</th>
                <td>{say(value)}</td>
                {compared && <td>{mark === null ? '—' : say(mark)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
