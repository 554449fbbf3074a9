import { matchPath } from 'react-router';
import type { Asked } from '#contract/drawing.ts';
import { DRAWN_PAGES, PAGES } from '#contract/values/pages.ts';
import { ASK_AHEAD } from '#web/exam/session/ask-ahead.ts';
import type { CallKey, Input } from '#web/lib/send.ts';
import { ASK_LESSON_AHEAD } from '#web/play/ask-ahead.ts';

/** One call of a first view, named and filled in as the page itself does it. */
function asks<N extends CallKey & `GET /${string}`>(name: N, input: Input<N>): Asked {
  return { name, input: input as Asked['input'] };
}

const who = asks('GET /api/user/info', {});

/**
 * What a visitor's page shows at once: the calls that have to be answered before the server can draw it. A page that is here draws
 * without a browser: while it renders it asks for no window, document or store. Each of `DRAWN_PAGES`, and no other, has an entry.
 */
const firstViews: Readonly<Record<(typeof DRAWN_PAGES)[number], readonly Asked[]>> = {
  home: [
    who,
    asks('GET /api/test/banner', {}),
    asks('GET /app/test/list_category', {}),
    asks('GET /api/common/newest', {}),
    asks('GET /api/common/live', {}),
    asks('GET /app/common/test', {}),
  ],
};

/** Addresses that are drawn with what they show. */
export const pathsDrawn: readonly string[] = DRAWN_PAGES.map((page) => PAGES[page]);

/** As of `Drawing.asks`. */
export function asksOf(path: string): readonly Asked[] | null {
  const page = DRAWN_PAGES.find((one) => PAGES[one] === path);
  return page === undefined ? null : firstViews[page];
}

const askingAhead = [
  [PAGES.exam, ASK_AHEAD],
  [PAGES.play, ASK_LESSON_AHEAD],
] as const;

/** As of `Drawing.scripts`. */
export const scripts: readonly string[] = askingAhead.map(([, script]) => script);

/** As of `Drawing.askAhead`. */
export function askAheadOf(path: string): string | null {
  return askingAhead.find(([page]) => matchPath(page, path) !== null)?.[1] ?? null;
}
