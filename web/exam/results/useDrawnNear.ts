import { useCallback, useEffect, useRef, useState } from 'react';

/** Cards that are drawn with the page, and on each side of one that is jumped to: they fill a window. */
const FIRST = 4;
const BESIDE = 1;

/**
 * How far from the window a card is drawn. Above it little: what grows there moves the page in browsers that do not hold a
 * reader's place (`overflow-anchor`).
 */
const NEAR = '600px 0px 1800px';

interface DrawnNear {
  /** Positions of the cards that are drawn. One that is drawn stays so. */
  drawn: ReadonlySet<number>;
  /** The ref of a card, an element that says its position as `data-position`. */
  watch: (card: HTMLElement) => () => void;
}

/**
 * Which cards of a long list are drawn whole: those that came near the window, one in each frame, so that a wheel which turns through
 * them meets no long one. The others are a head and a place to fill.
 * @param count of all cards
 * @param place the position of a card that is jumped to, drawn at once with those beside it; -1: none
 */
export function useDrawnNear(count: number, place: number): DrawnNear {
  const [drawn, setDrawn] = useState<ReadonlySet<number>>(() => new Set(range(0, FIRST, count)));
  const [placed, setPlaced] = useState(-1);
  if (place !== placed) {
    setPlaced(place);
    if (place >= 0) setDrawn(new Set([...drawn, ...range(place - BESIDE, place + BESIDE + 1, count)]));
  }
  const near = useRef(new Set<number>());
  const frame = useRef(0);
  const observer = useRef<IntersectionObserver | null>(null);
  const done = useRef(drawn);
  useEffect(() => {
    done.current = drawn;
    for (const position of drawn) near.current.delete(position);
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
            const position = Number((target as HTMLElement).dataset.position);
            if (isIntersecting && !done.current.has(position)) near.current.add(position);
            else near.current.delete(position);
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
  return { drawn, watch };
}

/** The positions from one to another, as far as there are cards. */
const range = (from: number, to: number, count: number) =>
  Array.from({ length: count }, (_, position) => position).slice(Math.max(0, from), to);
