import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Answered, Asked, Drawing, Look } from '#contract/drawing.ts';
import { NO_SITE, type Site } from '#contract/site.ts';
import { LANGUAGE_COOKIE, THEME_COOKIE } from '#contract/values/look.ts';
import { readCookie } from './cookie.ts';
import type { FirstPictures } from './first-pictures.ts';
import { mainPictures, Packed, type PageDocument } from './page-document.ts';

/** Answers are this old at most when they are drawn, however many ask (milliseconds). */
const FRESH = 1000;
/** A drawing is made anew after this long even with the same answers: days until an exam pass (milliseconds). */
const LASTS = 60_000;
/** A page waits so long for what it shows; then it goes out without, and asks for itself (milliseconds). */
const WITHIN = 100;
/** Drawings in a second: what is more goes out undrawn. Each takes some milliseconds in which nobody is answered. */
const MOST = 20;

/** Loads the program that draws, and has it draw once, which takes longest the first time; null: it was not built. */
export async function loadDrawing(folder: string): Promise<Drawing | null> {
  const file = join(folder, 'draw.js');
  if (!existsSync(file)) return null;
  const { drawing } = (await import(pathToFileURL(file).href)) as { drawing: Drawing };
  drawing.draw({ path: '/', language: 'zh-CN', theme: 'auto', site: NO_SITE, now: 0, answers: null });
  return drawing;
}

interface Surroundings {
  drawing: Drawing;
  document: PageDocument;
  site: Site;
  clock: () => number;
  /** Left out: no picture comes inside a page. */
  pictures?: FirstPictures;
  /** The answer that a visitor gets. @throws for a refusal */
  ask(asked: Asked): Promise<unknown>;
  /** A drawing failed, which is a fault of the page. */
  onFailure(error: unknown): void;
  within?: number;
}

interface Request {
  /** Without query. */
  path: string;
  /** As `pageAt`. */
  page: string;
  cookie: string | undefined;
  /** Whether it is for nobody in particular: no session, no query. */
  isPlain: boolean;
}

interface Gathered {
  at: number;
  answers: Promise<readonly Answered[]>;
}

interface Kept {
  /** What it was drawn of. */
  of: string;
  at: number;
  packed: Packed;
}

/**
 * Pages drawn on the server. A visitor's page is drawn with what it shows, where the web app says which calls that takes; any other page
 * in the site's frame is drawn as that frame alone, which says nothing of anybody. Whatever is missing (answers in time, a session's
 * page, a drawing that works) is left to the script of the page.
 */
export class DrawnPages {
  readonly #with: Surroundings;
  readonly #gathered = new Map<string, Gathered>();
  /** By address or page, and look: as many as the web app has, whoever asks. */
  readonly #kept = new Map<string, Kept>();
  #second = 0;
  #drawnInSecond = 0;

  constructor(surroundings: Surroundings) {
    this.#with = surroundings;
  }

  /** A page to send; null: undrawn. */
  async of({ path, page, cookie, isPlain }: Request): Promise<Packed | null> {
    const { drawing } = this.#with;
    const look = lookOf(cookie);
    const asks = isPlain ? drawing.asks(path) : null;
    const answers = asks && (await this.#inTime(path, asks));
    if (answers !== null) return this.#draw(`first ${path}`, { path, page, look, answers });
    return drawing.frameOf(path) === null ? null : this.#draw(`frame ${page}`, { path, page, look, answers: null });
  }

  async #inTime(path: string, asks: readonly Asked[]): Promise<readonly Answered[] | null> {
    const late = new AbortController();
    try {
      const tooLate = after(this.#with.within ?? WITHIN, null, { signal: late.signal });
      tooLate.catch(() => undefined);
      return await Promise.race([this.#gather(path, asks), tooLate]);
    } catch {
      // The page asks itself, and says what is wrong.
      return null;
    } finally {
      late.abort();
    }
  }

  /** Asks once for all who come within a second. */
  #gather(path: string, asks: readonly Asked[]): Promise<readonly Answered[]> {
    const known = this.#gathered.get(path);
    const now = performance.now();
    if (known && now - known.at < FRESH) return known.answers;
    const answers = Promise.all(asks.map(async (asked) => ({ ...asked, data: await this.#with.ask(asked) })));
    // As old as its last answer; until then everybody waits for the same.
    const gathered: Gathered = { at: Number.POSITIVE_INFINITY, answers };
    const settle = () => {
      gathered.at = performance.now();
    };
    answers.then(settle, settle);
    this.#gathered.set(path, gathered);
    return answers;
  }

  #draw(
    key: string,
    { path, page, look, answers }: { path: string; page: string; look: Look; answers: readonly Answered[] | null },
  ): Packed | null {
    const place = `${key} ${look.language} ${look.theme}`;
    const of = JSON.stringify(answers, (name, value) => (name === 'now' ? undefined : value));
    const known = this.#kept.get(place);
    const now = performance.now();
    if (known && known.of === of && (answers === null || now - known.at < LASTS)) return known.packed;
    if (!this.#mayDraw(now)) return null;
    const { drawing, document, site, clock, pictures: all, onFailure } = this.#with;
    const time = clock();
    try {
      const said = drawing.draw({ path, ...look, site, now: time, answers });
      const whole = answers !== null || drawing.frameOf(path) === 'screen';
      const askAhead = drawing.askAhead(path);
      // With another picture of it made, whoever comes next gets it drawn anew.
      const pictures = whole ? all?.of(mainPictures(said.html), () => this.#kept.delete(place)) : undefined;
      const packed = new Packed(
        document.drawn(
          page,
          { ...look, ...said, answers, now: time },
          { whole, askAhead, ...(pictures && { pictures }) },
        ),
      );
      this.#kept.set(place, { of, at: now, packed });
      return packed;
    } catch (error) {
      onFailure(error);
      return null;
    }
  }

  #mayDraw(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) this.#drawnInSecond = 0;
    this.#second = second;
    this.#drawnInSecond += 1;
    return this.#drawnInSecond <= MOST;
  }
}

/** How a browser wants its pages, as it says itself. */
function lookOf(cookie: string | undefined): Look {
  const theme = readCookie(cookie, THEME_COOKIE);
  return {
    language: readCookie(cookie, LANGUAGE_COOKIE) === 'en' ? 'en' : 'zh-CN',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}
