import { useEffect, useRef, useState } from 'react';
import { toast } from './toast.ts';

/** Milliseconds between two looks at the clock (spec §9). */
const TICK = 100;
/** Milliseconds that a sentence stands for those who do not see the clock. */
const STANDS = 8000;

interface Props {
  /** Milliseconds left now; asked at each tick, so that whoever owns the time can correct it. */
  left: () => number;
  format: (left: number) => string;
  /** Named on the element as `data-level`, for colour. */
  level: (left: number) => string;
  /** A sentence when the time left falls from `before` to `left`, or null: heard, and shown where the clock is out of sight. */
  announce: (before: number, left: number) => string | null;
  /** Called at every tick with what is left. */
  onTick: (left: number) => void;
  label: string;
  className?: string | undefined;
}

/** Whether its middle is in the window and nothing lies over it. */
function inSight(node: HTMLElement): boolean {
  const { x, y, width, height } = node.getBoundingClientRect();
  return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

/**
 * A countdown. It writes its text past React ten times a second, so that nothing around it is drawn again, and speaks
 * only at the marks that `announce` names.
 */
export function Countdown({ left, format, level, announce, onTick, label, className }: Props) {
  const text = useRef<HTMLSpanElement>(null);
  const [said, say] = useState('');
  const now = useRef({ left, format, level, announce, onTick });
  useEffect(() => {
    now.current = { left, format, level, announce, onTick };
  });
  useEffect(() => {
    let before = Number.POSITIVE_INFINITY;
    const look = () => {
      const does = now.current;
      const rest = does.left();
      const node = text.current;
      if (node) {
        const words = does.format(rest);
        if (node.textContent !== words) node.textContent = words;
        const urgency = does.level(rest);
        if (node.dataset.level !== urgency) node.dataset.level = urgency;
      }
      if (before !== Number.POSITIVE_INFINITY) {
        const sentence = does.announce(before, rest);
        if (sentence !== null) {
          // A toast is heard, too.
          if (node && !inSight(node)) toast(sentence, 'plain', STANDS);
          else say(sentence);
        }
        // More time: what was said of the old end is said again of the new one.
        else if (rest > before + TICK * 10) say('');
      }
      before = rest;
      does.onTick(rest);
    };
    look();
    const timer = setInterval(look, TICK);
    // A tab that wakes shows the right time at once, not at its next throttled tick.
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return (
    <>
      <span ref={text} role="timer" aria-label={label} aria-live="off" className={className} />
      <span className="unseen" role="alert">
        {said}
      </span>
    </>
  );
}
