import type { ReactNode } from 'react';
import classes from './state.module.css';

interface Props {
  /** One sentence: what is not there. */
  text: string;
  /** What to do next, where there is something to do. */
  action?: ReactNode;
}

/** There is nothing to show: a drawing, a sentence, and the way on. */
export function EmptyState({ text, action }: Props) {
  return (
    <div className={classes.state}>
      <EmptyDrawing />
      <p>{text}</p>
      {action}
    </div>
  );
}

/** An empty sheet on a stone. */
function EmptyDrawing() {
  return (
    <svg width="72" height="56" viewBox="0 0 72 56" fill="none" aria-hidden className={classes.drawing}>
      <path d="M20 8h26l8 8v28H20z" fill="var(--card)" />
      <path d="M46 8v8h8" />
      <path d="M28 22h12M28 29h18M28 36h9" strokeDasharray="3 4" />
      <path d="M8 50c0-3 3-6 7-6h42c4 0 7 3 7 6z" fill="var(--sunken)" />
    </svg>
  );
}
