import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { NearDrawing, PARTS } from './near-drawing.ts';

/** Cards that are drawn with the page, and on each side of one that is jumped to: they fill a window. */
const FIRST = 4;
const BESIDE = 1;

/** How far from the window a card is drawn; above it less, since what grows there moves the page. */
const NEAR = '600px 0px 2700px';

/** Whether the browser holds a reader's place while something above it grows. */
const holdsPlace = () => CSS.supports('overflow-anchor', 'auto');

export interface DrawnNear {
  /** How many parts of a card are drawn, by its key; none: it is a head and a place to fill. */
  drawn: ReadonlyMap<number, number>;
  /** Pixels that a card had when it was taken down, by its key: it keeps that place. */
  heights: ReadonlyMap<number, number>;
  /** The ref of a card, an element that says its key as `data-key`. */
  watch: (card: HTMLElement) => () => void;
  /** The ref of what holds some cards: each of them is looked at by itself only while it is near. */
  watchGroup: (group: HTMLDivElement) => () => void;
}

const whole = (keys: readonly number[]) => keys.map((key) => [key, PARTS] as const);

/**
 * Which cards of a long list are drawn: those that came near the window, step by step between the frames, so that a wheel which turns through
 * them meets no long one: what is in a part is made ready, the part is drawn, styled, laid out. All of them on paper, and once somebody searches the page by
 * keys, which finds nothing but what is drawn. What is far away again is taken down, so that a long list does not become heavy: never a card in which somebody did something, nor while a text is selected.
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
  const [drawing] = useState(
    () =>
      new NearDrawing({
        draw: (key, parts) =>
          flushSync(() => setDrawn((before) => new Map(before).set(key, Math.max(parts, before.get(key) ?? 0)))),
        takeDown: (key) =>
          flushSync(() =>
            setDrawn((before) => {
              const after = new Map(before);
              after.delete(key);
              return after;
            }),
          ),
        prepare,
      }),
  );
  const observer = useRef<IntersectionObserver | null>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    drawing.show(drawn, isFirst.current ? [...drawn.keys()] : []);
    isFirst.current = false;
  }, [drawing, drawn]);
  const observe = useCallback(
    (element: HTMLElement) => {
      observer.current ??= new IntersectionObserver(
        (entries, watching) => {
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const own = (target as HTMLElement).dataset.key;
            if (own === undefined) {
              // In one that the browser skips it knows of no card, and it skips them until they are much nearer (`ReviewList.module.css`).
              target.toggleAttribute('data-near', isIntersecting);
              // A card that goes with its group says so itself, at the same time.
              for (const card of target.querySelectorAll('[data-key]'))
                watching[isIntersecting ? 'observe' : 'unobserve'](card);
              continue;
            }
            const key = Number(own);
            if (isIntersecting) drawing.cameNear(key);
            else {
              const { height } = boundingClientRect;
              if (!drawing.isSearched() && drawing.partsOf(key) === PARTS && height > 0) heights.set(key, height);
              drawing.wentAway(key);
            }
          }
          drawing.goOn();
        },
        { rootMargin: NEAR },
      );
      const watching = observer.current;
      watching.observe(element);
      return () => watching.unobserve(element);
    },
    [drawing, heights],
  );
  const watch = useCallback(
    (card: HTMLElement) => {
      const leave = observe(card);
      const left = drawing.watch(Number(card.dataset.key), card);
      return () => {
        leave();
        left();
      };
    },
    [drawing, observe],
  );
  useEffect(() => () => drawing.stop(), [drawing]);
  useEffect(() => {
    const touch = ({ target }: Event) => {
      const card = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
      if (card) drawing.touch(Number(card.dataset.key));
    };
    const acts = ['click', 'input', 'toggle', 'focusin'] as const;
    for (const act of acts) document.addEventListener(act, touch, true);
    return () => {
      for (const act of acts) document.removeEventListener(act, touch, true);
    };
  }, [drawing]);
  // In the frame that shows the list: who sees it may search it at once.
  useLayoutEffect(() => {
    // A field that the browser fills in by itself tells of a key without a name.
    const search = ({ key = '', ctrlKey, metaKey }: KeyboardEvent) => {
      if (key === 'F3' || (key.toLowerCase() === 'f' && (ctrlKey || metaKey))) drawing.search(keys);
    };
    window.addEventListener('keydown', search);
    return () => window.removeEventListener('keydown', search);
  }, [drawing, keys]);
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(new Map(whole(keys))));
    window.addEventListener('beforeprint', drawAll);
    return () => window.removeEventListener('beforeprint', drawAll);
  }, [keys]);
  return { drawn, heights, watch, watchGroup: observe };
}
