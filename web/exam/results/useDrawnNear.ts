import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Cards that are drawn with the page, and on each side of one that is jumped to: they fill a window. */
const FIRST = 4;
const BESIDE = 1;

/** How far from the window a card is drawn; above it less, since what grows there moves the page. */
const NEAR = '600px 0px 1800px';

/** How many cards that are far away stay drawn, for who turns back; of more the one that went first is taken down. */
const KEPT = 12;

/** Parts that a card is drawn in, each in a frame, and laid out in the one after: a part is the last child of its card when it is drawn. */
export const PARTS = 3;

/** Milliseconds of a frame in which a card is made ready before it is drawn. */
const READY = 3;

/** Whether the browser holds a reader's place while something above it grows. */
const holdsPlace = () => CSS.supports('overflow-anchor', 'auto');

interface DrawnNear {
  /** How many parts of a card are drawn, by its key; none: it is a head and a place to fill. */
  drawn: ReadonlyMap<number, number>;
  /** Pixels that a card had when it was taken down, by its key: it keeps that place. */
  heights: ReadonlyMap<number, number>;
  /** The ref of a card, an element that says its key as `data-key`. */
  watch: (card: HTMLElement) => () => void;
}

const whole = (keys: readonly number[]) => keys.map((key) => [key, PARTS] as const);

/**
 * Which cards of a long list are drawn: those that came near the window, a part in every second frame, so that a wheel which turns through
 * them meets no long one; all of them on paper, and once somebody searches the page by keys, which finds nothing but what is drawn. What is far away again is
 * taken down, so that a long list does not become heavy: never a card in which somebody did something, nor while a text is selected.
 * @param keys of all cards, in their order
 * @param place the position of a card that is jumped to, drawn at once with those beside it, and with all before it where the browser would
 * lose the place when they grow; -1: none
 * @param prepare makes a card ready to be drawn until that time (`performance.now()`); @returns whether it is. The same function each time.
 */
export function useDrawnNear(
  keys: readonly number[],
  place: number,
  prepare: (key: number, until: number) => boolean,
): DrawnNear {
  const [drawn, setDrawn] = useState<ReadonlyMap<number, number>>(() => new Map(whole(keys.slice(0, FIRST))));
  const [placed, setPlaced] = useState(-1);
  if (place !== placed) {
    setPlaced(place);
    if (place >= 0) {
      const from = holdsPlace() ? Math.max(0, place - BESIDE) : 0;
      setDrawn(new Map([...drawn, ...whole(keys.slice(from, place + BESIDE + 1))]));
    }
  }
  const [heights] = useState(() => new Map<number, number>());
  const near = useRef(new Set<number>());
  /** Drawn and far from the window, the one that went first in front. */
  const away = useRef(new Set<number>());
  /** Cards in which somebody did something: it would be lost with what is drawn. */
  const touched = useRef(new Set<number>());
  /** Somebody searches the page: what is far away is drawn too, and stays. */
  const searched = useRef(false);
  const frame = useRef(0);
  const observer = useRef<IntersectionObserver | null>(null);
  const cards = useRef(new Map<number, HTMLElement>());
  /** The card that the last frame drew a part of. */
  const grown = useRef<number | null>(null);
  const done = useRef(drawn);
  useEffect(() => {
    done.current = drawn;
    for (const [key, parts] of drawn) if (parts === PARTS) near.current.delete(key);
  }, [drawn]);

  const work = useCallback(() => {
    frame.current = 0;
    if (grown.current !== null) {
      const card = cards.current.get(grown.current);
      grown.current = null;
      frame.current = requestAnimationFrame(work);
      // The browser would style and lay it out in the frame in which it comes near, beside painting it. It does so now, asked where something in it stands.
      card?.lastElementChild?.firstElementChild?.getBoundingClientRect();
      return;
    }
    const [next] = near.current;
    if (next !== undefined) {
      frame.current = requestAnimationFrame(work);
      if (!prepare(next, performance.now() + READY)) return;
      const parts = searched.current ? PARTS : (done.current.get(next) ?? 0) + 1;
      if (parts >= PARTS) near.current.delete(next);
      if (!searched.current) grown.current = next;
      setDrawn((before) => new Map(before).set(next, parts));
      return;
    }
    if (searched.current || away.current.size <= KEPT || getSelection()?.isCollapsed === false) return;
    frame.current = requestAnimationFrame(work);
    const [first] = away.current;
    if (first === undefined) return;
    away.current.delete(first);
    if (touched.current.has(first)) return;
    setDrawn((before) => {
      const after = new Map(before);
      after.delete(first);
      return after;
    });
  }, [prepare]);
  const watch = useCallback(
    (card: HTMLElement) => {
      observer.current ??= new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const key = Number((target as HTMLElement).dataset.key);
            const parts = done.current.get(key) ?? 0;
            away.current.delete(key);
            if (isIntersecting && parts < PARTS) near.current.add(key);
            else if (!isIntersecting && !searched.current) {
              near.current.delete(key);
              if (parts > 0) away.current.add(key);
              if (parts === PARTS) heights.set(key, boundingClientRect.height);
            }
          }
          if (frame.current === 0) frame.current = requestAnimationFrame(work);
        },
        { rootMargin: NEAR },
      );
      const watching = observer.current;
      const key = Number(card.dataset.key);
      watching.observe(card);
      cards.current.set(key, card);
      return () => {
        watching.unobserve(card);
        if (cards.current.get(key) === card) cards.current.delete(key);
      };
    },
    [work, heights],
  );
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    },
    [],
  );
  useEffect(() => {
    const touch = ({ target }: Event) => {
      const card = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
      if (card) touched.current.add(Number(card.dataset.key));
    };
    const acts = ['click', 'input', 'toggle', 'focusin'] as const;
    for (const act of acts) document.addEventListener(act, touch, true);
    return () => {
      for (const act of acts) document.removeEventListener(act, touch, true);
    };
  }, []);
  // In the frame that shows the list: who sees it may search it at once.
  useLayoutEffect(() => {
    // A field that the browser fills in by itself tells of a key without a name.
    const search = ({ key = '', ctrlKey, metaKey }: KeyboardEvent) => {
      if (key !== 'F3' && !(key.toLowerCase() === 'f' && (ctrlKey || metaKey))) return;
      searched.current = true;
      for (const one of keys) if (done.current.get(one) !== PARTS) near.current.add(one);
      if (frame.current === 0) frame.current = requestAnimationFrame(work);
    };
    window.addEventListener('keydown', search);
    return () => window.removeEventListener('keydown', search);
  }, [keys, work]);
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(new Map(whole(keys))));
    window.addEventListener('beforeprint', drawAll);
    return () => window.removeEventListener('beforeprint', drawAll);
  }, [keys]);
  return { drawn, heights, watch };
}
