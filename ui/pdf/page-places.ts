import type { PageSize } from './pdf-document.ts';

/** Between two pages, and above the first, in pixels of the screen. */
export const GAP = 12;
/** Pages that are drawn at once: more would take the memory of a telephone. */
const DRAWN = 5;

/** Where every page stands: its top, and how tall all are together. Sizes that are not known yet are taken for the first page's. */
export function placesOf(
  pages: number,
  sizeOf: (page: number) => PageSize,
  zoom: number,
): { tops: readonly number[]; height: number } {
  const tops: number[] = [];
  let at = GAP;
  for (let page = 1; page <= pages; page += 1) {
    tops.push(at);
    at += Math.floor(sizeOf(page).height * zoom) + GAP;
  }
  return { tops, height: at };
}

/** The page in the middle of what is looked at, from 1. */
export function pageAt(tops: readonly number[], middle: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if ((tops[half] ?? 0) <= middle) low = half;
    else high = half - 1;
  }
  return low + 1;
}

/** The pages that are drawn around the one that is looked at. */
export function drawnAround(current: number, pages: number): { first: number; last: number } {
  const first = Math.max(1, Math.min(current - (DRAWN - 1) / 2, pages - DRAWN + 1));
  return { first, last: Math.min(pages, first + DRAWN - 1) };
}

const ZOOMS = [1, 1.25, 1.5, 2, 3, 4] as const;

/** The next step of the zoom, over the one in which a page is as wide as its place. */
export function nextZoom(now: number, direction: 1 | -1): number {
  const found = direction === 1 ? ZOOMS.find((step) => step > now) : ZOOMS.findLast((step) => step < now);
  return found ?? now;
}

type Meaning = { what: 'turn'; by: 1 | -1 } | { what: 'zoom'; by: 1 | -1 | 0 } | { what: 'go'; to: 'first' | 'last' };
const KEYS: Readonly<Record<string, Meaning>> = {
  ...{ ArrowLeft: { what: 'turn', by: -1 }, PageUp: { what: 'turn', by: -1 }, Home: { what: 'go', to: 'first' } },
  ...{ ArrowRight: { what: 'turn', by: 1 }, PageDown: { what: 'turn', by: 1 }, End: { what: 'go', to: 'last' } },
  ...{ '+': { what: 'zoom', by: 1 }, '=': { what: 'zoom', by: 1 }, '-': { what: 'zoom', by: -1 } },
  0: { what: 'zoom', by: 0 },
};

/** What a key means to whoever reads; null: nothing, so the browser has it. */
export const keyMeaning = (key: string): Meaning | null => (Object.hasOwn(KEYS, key) ? (KEYS[key] ?? null) : null);
