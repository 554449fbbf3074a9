import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterFrame } from '#web/lib/when-idle.ts';

/** Cards that are drawn with the page, and on each side of one that is jumped to: they fill a window. */
const FIRST = 4;
const BESIDE = 1;

/** How far from the window a card is drawn; above it less, since what grows there moves the page. */
const NEAR = '600px 0px 1800px';

/** How many cards that are far away stay drawn, for who turns back; of more the one that went first is taken down. */
const KEPT = 12;

/** So many at most, also while others wait to be drawn. */
const MOST_AWAY = 16;

/** Parts that a card is drawn in, one after the other: they are its children behind its head, and are there before they are drawn. */
export const PARTS = 3;

/** Milliseconds of one step in which a card is made ready before it is drawn. */
const READY = 3;

/** Steps after which a card is drawn as it is: one with more formulas than are kept would never be ready. */
const TRIES = 60;

/** Milliseconds for which a step waits for a frame with time left. */
const WAITS = 80;

/** When more cards than this wait, somebody scrolls fast: steps no longer wait for idle time, and nothing is laid out ahead. */
const AT_EASE = 2;

/** Whether the browser holds a reader's place while something above it grows. */
const holdsPlace = () => CSS.supports('overflow-anchor', 'auto');

/**
 * Styles a part that is far from the window, and lays it out: the browser would do both in the frame in which it comes near, beside painting it. Each takes
 * half of that time. It does so where something is asked that depends on it.
 */
function style(part: HTMLElement): void {
  if (part.firstElementChild) void getComputedStyle(part.firstElementChild).color;
}

function layOut(part: HTMLElement): void {
  // Chromium has forgotten since it styled the part that it is to be laid out, unless the part itself changes; it may have its least height from another time.
  part.style.minHeight = part.style.minHeight === '' ? '1px' : '';
  part.firstElementChild?.getBoundingClientRect();
}

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
  const near = useRef(new Set<number>());
  /** Drawn and far from the window, the one that went first in front. */
  const away = useRef(new Set<number>());
  /** Cards in which somebody did something: it would be lost with what is drawn. */
  const touched = useRef(new Set<number>());
  /** Somebody searches the page: what is far away is drawn too, and stays. */
  const searched = useRef(false);
  /** Calls off the next step, where there is one to come. */
  const callOff = useRef<(() => void) | null>(null);
  const observer = useRef<IntersectionObserver | null>(null);
  const cards = useRef(new Map<number, HTMLElement>());
  /** Parts that are drawn and not laid out yet, by their card and their place in it from 1; the first may be styled already. */
  const ahead = useRef<{ key: number; part: number; styled: boolean }[]>([]);
  const atEase = useRef(true);
  /** How often the card that is next was not ready. */
  const tries = useRef({ key: -1, count: 0 });
  const done = useRef<ReadonlyMap<number, number>>(new Map());
  useEffect(() => {
    const isFirst = done.current.size === 0;
    for (const [key, parts] of drawn) {
      const before = done.current.get(key) ?? 0;
      // What is jumped to is in the window.
      if (!isFirst && parts - before > 1) continue;
      for (let part = before + 1; part <= parts; part += 1) ahead.current.push({ key, part, styled: false });
    }
    // Not in a hurry, nor all of a page on its way to paper.
    if (!atEase.current || ahead.current.length > 2 * FIRST * PARTS) ahead.current = [];
    done.current = drawn;
    for (const [key, parts] of drawn) if (parts === PARTS) near.current.delete(key);
  }, [drawn]);

  /** Does a little of what there is to do. @returns whether there may be more */
  const step = useCallback(() => {
    if (near.current.size > AT_EASE) ahead.current = [];
    const [drawnPart] = ahead.current;
    if (drawnPart !== undefined) {
      const { key, part, styled } = drawnPart;
      const element = cards.current.get(key)?.children[part];
      if (styled) ahead.current.shift();
      drawnPart.styled = true;
      if (element instanceof HTMLElement) (styled ? layOut : style)(element);
      return true;
    }
    const [next] = near.current;
    // While somebody scrolls on there is always a next one: those that went are not left for later then, or the page grows heavy.
    const tooMany = away.current.size > (next === undefined ? KEPT : MOST_AWAY);
    const leaves = tooMany && !searched.current && getSelection()?.isCollapsed !== false;
    if (next !== undefined && !leaves) {
      if (tries.current.key !== next) tries.current = { key: next, count: 0 };
      if (!prepare(next, performance.now() + READY) && ++tries.current.count < TRIES) return true;
      const parts = searched.current ? PARTS : (done.current.get(next) ?? 0) + 1;
      atEase.current = near.current.size <= AT_EASE;
      if (parts >= PARTS) near.current.delete(next);
      setDrawn((before) => new Map(before).set(next, Math.max(parts, before.get(next) ?? 0)));
      return true;
    }
    const [first] = away.current;
    if (!leaves || first === undefined) return false;
    away.current.delete(first);
    if (touched.current.has(first)) return true;
    const without = (before: ReadonlyMap<number, number>) => {
      const after = new Map(before);
      after.delete(first);
      return after;
    };
    // At once: it may come near again before the page has heard of it.
    done.current = without(done.current);
    setDrawn(without);
    return true;
  }, [prepare]);
  const goOn = useCallback(
    function again() {
      const done = () => {
        callOff.current = null;
        if (step()) again();
      };
      callOff.current ??= afterFrame(done, near.current.size > AT_EASE ? 1 : WAITS);
    },
    [step],
  );
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
            const parts = done.current.get(key) ?? 0;
            away.current.delete(key);
            if (isIntersecting && parts < PARTS) near.current.add(key);
            else if (!isIntersecting && !searched.current) {
              near.current.delete(key);
              if (parts > 0) away.current.add(key);
              if (parts === PARTS && boundingClientRect.height > 0) heights.set(key, boundingClientRect.height);
            }
          }
          goOn();
        },
        { rootMargin: NEAR },
      );
      const watching = observer.current;
      watching.observe(element);
      return () => watching.unobserve(element);
    },
    [goOn, heights],
  );
  const watch = useCallback(
    (card: HTMLElement) => {
      const key = Number(card.dataset.key);
      const leave = observe(card);
      cards.current.set(key, card);
      return () => {
        leave();
        if (cards.current.get(key) === card) cards.current.delete(key);
      };
    },
    [observe],
  );
  useEffect(
    () => () => {
      callOff.current?.();
      callOff.current = null;
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
      goOn();
    };
    window.addEventListener('keydown', search);
    return () => window.removeEventListener('keydown', search);
  }, [keys, goOn]);
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(new Map(whole(keys))));
    window.addEventListener('beforeprint', drawAll);
    return () => window.removeEventListener('beforeprint', drawAll);
  }, [keys]);
  return { drawn, heights, watch, watchGroup: observe };
}
