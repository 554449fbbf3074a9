import { useId } from 'react';
import classes from './DayCalendar.module.css';

/** One day of a calendar. */
interface CalendarDay {
  /** YYYY-MM-DD. */
  date: string;
  /** The day, and what was done on it, as they are read out. */
  name: string;
  said: string;
  value: number;
}

interface Props {
  /** What the calendar shows, for whoever hears the page. */
  title: string;
  dayName: string;
  valueName: string;
  /** Weeks from left to right, each with its days from Monday on. */
  weeks: readonly (readonly CalendarDay[])[];
  /** The name of a month above the week in which it begins, by week; '' where none does. */
  months: readonly string[];
  /** The words beside the legend, and what stands in the table where no day has anything. */
  less: string;
  more: string;
  nothing: string;
}

const CELL = 14;
const SIZE = 11;
const HEAD = 16;
/** The darkest of the shades. */
const DARKEST = 4;

/** Days in weeks, the darker the more was done; a table of the days with something says the same to screen readers. */
export function DayCalendar({ title, dayName, valueName, weeks, months, less, more, nothing }: Props) {
  const id = useId();
  const days = weeks.flat().filter(({ value }) => value > 0);
  const most = Math.max(1, ...days.map(({ value }) => value));
  // By quarters of the busiest day: one day of fifty answers does not pale all others to nothing.
  const shade = (value: number) => (value === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(value / most) * DARKEST)));
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id} className="unseen">
        {title}
      </figcaption>
      <svg viewBox={`0 0 ${weeks.length * CELL} ${HEAD + 7 * CELL}`} aria-hidden>
        {months.map(
          (month, week) =>
            month !== '' && (
              <text key={month} x={week * CELL} y={10} className={classes.month}>
                {month}
              </text>
            ),
        )}
        {weeks.map((week, at) =>
          week.map(({ date, name, said, value }, day) => (
            <rect
              key={date}
              x={at * CELL + 1}
              y={HEAD + day * CELL + 1}
              width={SIZE}
              height={SIZE}
              rx={2.5}
              className={classes.day}
              data-shade={shade(value)}
            >
              <title>{`${name} ${said}`}</title>
            </rect>
          )),
        )}
      </svg>
      <p className={classes.legend} aria-hidden>
        {less}
        <svg viewBox={`0 0 ${(DARKEST + 1) * CELL} ${CELL}`} className={classes.shades} aria-hidden>
          {Array.from({ length: DARKEST + 1 }, (_, at) => at).map((level) => (
            <rect
              key={level}
              x={level * CELL + 1}
              y={1}
              width={SIZE}
              height={SIZE}
              rx={2.5}
              className={classes.day}
              data-shade={level}
            />
          ))}
        </svg>
        {more}
      </p>
      {/* A table takes its whole height however small it is told to be. */}
      <div className="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{dayName}</th>
              <th scope="col">{valueName}</th>
            </tr>
          </thead>
          <tbody>
            {days.length === 0 && (
              <tr>
                <td colSpan={2}>{nothing}</td>
              </tr>
            )}
            {days.map(({ date, name, said }) => (
              <tr key={date}>
                <th scope="row">{name}</th>
                <td>{said}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
