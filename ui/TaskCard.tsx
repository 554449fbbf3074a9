import { type ReactNode, useId } from 'react';
import classes from './TaskCard.module.css';

/** What waits for somebody, under a title: `TaskCount`, lines about it, `TaskAction`. */
export function TaskCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** How many wait, before the words for it; `count` 0: `none` says that nothing does. */
export function TaskCount({ count, words, none }: { count: number | string; words: string; none: string }) {
  if (count === 0) return <p className={classes.quiet}>{none}</p>;
  return (
    <p className={classes.count}>
      <b>{count}</b>
      {words}
    </p>
  );
}

/** A line about what waits; `urgent`: it has waited for long. */
export function TaskLine({ urgent = false, children }: { urgent?: boolean; children: ReactNode }) {
  return (
    <p className={classes.line} data-urgent={urgent || undefined}>
      {children}
    </p>
  );
}

/** The way to it. */
export function TaskAction({ children }: { children: ReactNode }) {
  return <div className={classes.action}>{children}</div>;
}
