import { type RefObject, useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { useExamState } from './ExamContext.ts';

interface Props {
  /** All that belongs to the question. */
  card: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLElement | null>;
  /** `false` in a list: there the current question follows the scrolling, and the focus stays where the reader put it. */
  follows?: boolean;
}

/**
 * Keeps the focus where a keyboard or a screen reader goes on. Another question, or another mode, begins at its heading,
 * whichever way it came. A dialog that closes gives the focus back to what had it inside the question, else to the heading;
 * and so does a control that had the focus and is gone or can no longer be pressed.
 */
export function QuestionFocus({ card, heading, follows = true }: Props) {
  const state = useExamState((whole) => whole);
  const arrival = useNavigationType();
  const seen = useRef<typeof state | null>(null);
  /** What had the focus inside the question when a dialog opened. */
  const behind = useRef<Element | null>(null);
  const latest = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      latest.current = target instanceof Element ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    const before = seen.current;
    seen.current = state;
    // A page that was loaded, or come back to, keeps the place: as in Shell.tsx.
    if (before === null && arrival === 'POP') return;
    const active = document.activeElement;
    if (state.dialog !== null) {
      if (!before?.dialog) behind.current = card.current?.contains(active) ? active : null;
      return;
    }
    const closed = before !== null && before.dialog !== null;
    // The dialog of another feature stands over the exam (signing in again): it keeps the focus.
    if (!closed && active?.closest('[aria-modal="true"]')) return;
    const moved =
      before === null || (follows && state.current !== before.current) || state.questionMode !== before.questionMode;
    const gone = latest.current !== null && (!latest.current.isConnected || latest.current.matches(':disabled'));
    const lost = gone && (active === document.body || active === latest.current);
    if (!moved && closed && behind.current instanceof HTMLElement && behind.current.isConnected) {
      behind.current.focus({ preventScroll: true });
    } else if (moved || closed || lost) heading.current?.focus({ preventScroll: true });
  }, [state, arrival, card, heading, follows]);
  return null;
}
