import type { Site } from './site.ts';

/**
 * What the server and the program that draws pages (web/app/draw.tsx, built apart) say to each other, and what the server
 * says inside a drawn page to the browser that goes on with it. No call is needed for any of it.
 */

/** How this browser wants its pages: it says so in cookies, which hold nothing else. */
export interface Look {
  language: 'zh-CN' | 'en';
  theme: 'auto' | 'light' | 'dark';
}

/** A call that a page shows at once, as the browser would send it. */
export interface Asked {
  name: `GET /${string}`;
  input: Readonly<Record<string, string | number>>;
}

/** An answer, as the call answered a visitor. */
export interface Answered extends Asked {
  data: unknown;
}

/** One page to draw. */
export interface ToDraw extends Look {
  /** Its address, without query. */
  path: string;
  site: Site;
  /** The server's clock (epoch milliseconds). */
  now: number;
  /** null: only the frame, the page itself is still to come. */
  answers: readonly Answered[] | null;
}

/** What the browser reads in a drawn page, to begin with what stands there. */
export interface Drawn extends Look {
  now: number;
  answers: readonly Answered[] | null;
}

/** The frame of the site, which is the same around many pages, or a screen of its own. */
export type Frame = 'site' | 'screen';

/** The program that draws. */
export interface Drawing {
  /** What stands around the page at this address; null: nothing that is drawn. */
  frameOf(path: string): Frame | null;
  /** Scripts that pages have inside, which their policy has to name. */
  readonly scripts: readonly string[];
  /** What a visitor's page shows at once; null: no page at this address is drawn with what it shows. */
  asks(path: string): readonly Asked[] | null;
  /** The markup of a page, and the title of its tab, null where the page has not said one. @throws where a page cannot be drawn */
  draw(page: ToDraw): { html: string; title: string | null };
  /** The script behind what is drawn of the page at this address: it asks for what the page shows before its code has come. null: none. */
  askAhead(path: string): string | null;
}
