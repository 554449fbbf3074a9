import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Cards that are drawn with the page, and on each side of one that is jumped to: they fill a window. */
const FIRST = 4;
const BESIDE = 1;

/** How far from the window a card is drawn; above it less, since what grows there moves the page. */
const NEAR = '600px 0px 1800px';

/** Whether the browser holds a reader's place while something above it grows. */
const holdsPlace = () => CSS.supports('overflow-anchor', 'auto');

interface DrawnNear {
  /** The keys of the cards that are drawn. One that is drawn stays so. */
  drawn: ReadonlySet<number>;
  /** The ref of a card, an element that says its key as `data-key`. */
  watch: (card: HTMLElement) => () => void;
}

/**
 * Which cards of a long list are drawn whole: those that came near the window, one in each frame, so that a wheel which turns through
 * them meets no long one; all of them on paper, and once somebody searches the page by keys, which finds nothing but what is drawn. The others are a
 * head and a place to fill.
 * @param keys of all cards, in their order
 * @param place the position of a card that is jumped to, drawn at once with those beside it, and with all before it where the browser would
 * lose the place when they grow; -1: none
 */
export function useDrawnNear(keys: readonly number[], place: number): DrawnNear {
  const [drawn, setDrawn] = useState<ReadonlySet<number>>(() => new Set(keys.slice(0, FIRST)));
  const [placed, setPlaced] = useState(-1);
  if (place !== placed) {
    setPlaced(place);
    if (place >= 0) {
      const from = holdsPlace() ? Math.max(0, place - BESIDE) : 0;
      setDrawn(new Set([...drawn, ...keys.slice(from, place + BESIDE + 1)]));
    }
  }
  const near = useRef(new Set<number>());
  /** Somebody searches the page: what is far away is drawn too. */
  const searched = useRef(false);
  const frame = useRef(0);
  const observer = useRef<IntersectionObserver | null>(null);
  const done = useRef(drawn);
  useEffect(() => {
    done.current = drawn;
    for (const key of drawn) near.current.delete(key);
  }, [drawn]);

  const drawNext = useCallback(() => {
    const [next] = near.current;
    frame.current = next === undefined ? 0 : requestAnimationFrame(drawNext);
    if (next === undefined) return;
    near.current.delete(next);
    setDrawn((before) => new Set(before).add(next));
  }, []);
  const watch = useCallback(
    (card: HTMLElement) => {
      observer.current ??= new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) {
            const key = Number((target as HTMLElement).dataset.key);
            if (isIntersecting && !done.current.has(key)) near.current.add(key);
            else if (!searched.current) near.current.delete(key);
          }
          if (frame.current === 0 && near.current.size > 0) frame.current = requestAnimationFrame(drawNext);
        },
        { rootMargin: NEAR },
      );
      const watching = observer.current;
      watching.observe(card);
      return () => watching.unobserve(card);
    },
    [drawNext],
  );
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    },
    [],
  );
  useEffect(() => {
    // A field that the browser fills in by itself tells of a key without a name.
    const search = ({ key = '', ctrlKey, metaKey }: KeyboardEvent) => {
      if (key !== 'F3' && !(key.toLowerCase() === 'f' && (ctrlKey || metaKey))) return;
      searched.current = true;
      for (const one of keys) if (!done.current.has(one)) near.current.add(one);
      if (frame.current === 0) frame.current = requestAnimationFrame(drawNext);
    };
    window.addEventListener('keydown', search);
    return () => window.removeEventListener('keydown', search);
  }, [keys, drawNext]);
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(new Set(keys)));
    window.addEventListener('beforeprint', drawAll);
    return () => window.removeEventListener('beforeprint', drawAll);
  }, [keys]);
  return { drawn, watch };
}
