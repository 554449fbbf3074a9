import { isPassing, pageSpeed } from '#ui/page-motion.ts';
import { FrameRoom, TWO_PICTURES } from '#web/lib/frame-room.ts';
import { whenIdle } from '#web/lib/when-idle.ts';

/** Parts that a card is drawn in, one after the other: they are its children behind its head. */
export const PARTS = 3;

/** How many cards that are far away stay drawn, for who turns back; of more the one that went first is taken down. */
const KEPT = 12;

/** So many at most, also while others wait to be drawn. */
const MOST_AWAY = 16;

/** Milliseconds of one step in which a card is made ready before it is drawn, while somebody scrolls and reads, and else. */
const READY = 3;
const READY_AT_ONCE = 10;

/** Steps after which a card is drawn as it is: one with more formulas than are kept would never be ready. */
const TRIES = 60;

/** Milliseconds for which a step waits for a frame with time left; where more cards than `AT_EASE` wait, for none. */
const WAITS = 80;
const AT_EASE = 2;

/** Milliseconds before a card comes into the window from which its parts are left to the browser: there is no time for steps. */
const SOON = 250;

/** Milliseconds of a frame that steps may fill where nobody scrolls so fast: the next one comes in time on a quick machine. */
const SMOOTH = 16;

/** More pixels than any card that is near is away from the window. */
const BEHIND = 100_000;

/** What the steps do to the page. */
interface DrawnPage {
  /** Draws so many parts of a card, at once. */
  draw: (key: number, parts: number) => void;
  /** Takes the parts of a card down. */
  takeDown: (key: number) => void;
  /** Makes a card ready to be drawn until that time (`performance.now()`); @returns whether it is. */
  prepare: (key: number, until: number) => boolean;
}

/** One step: what kind of work it is, for what such work costs, and the work. */
interface Step {
  kind: string;
  run: () => void;
}

/** A part that is drawn and not shown yet, by its place in the card from 1, and what comes next for it. */
interface AheadPart {
  key: number;
  part: number;
  next: 'style' | 'lay out' | 'show';
}

/**
 * Styles a part that is far from the window, and lays it out: the browser would do both in the frame in which it comes near, beside painting it. Each takes
 * half of that time. It does so where something is asked that depends on it.
 */
function style(part: HTMLElement): void {
  if (part.firstElementChild) void getComputedStyle(part.firstElementChild).color;
}

function layOut(part: HTMLElement): void {
  // Chromium has forgotten since it styled the part that it is to be laid out, unless the part itself changes.
  part.style.minHeight = '1px';
  part.firstElementChild?.getBoundingClientRect();
}

/** Pixels from the window to a card below it, negative above it; 0: some of it is in the window. */
function distanceTo(card: HTMLElement): number {
  const { top, bottom } = card.getBoundingClientRect();
  return top >= window.innerHeight ? top - window.innerHeight + 1 : Math.min(0, bottom - 1);
}

/**
 * Draws the cards near the window in small steps behind the frames, so that a wheel which turns through them meets no long one: a card is made ready, a part
 * of it is drawn, styled, laid out and shown. While somebody scrolls and reads a step waits for a frame with time left; who scrolls fast has the next
 * cards ahead of the window first, and a step that would make a frame late is put off for some of them.
 */
export class NearDrawing {
  readonly #page: DrawnPage;
  readonly #room = new FrameRoom();
  readonly #cards = new Map<number, HTMLElement>();
  readonly #near = new Set<number>();
  /** Drawn and far from the window, the one that went first in front. */
  readonly #away = new Set<number>();
  /** Cards in which somebody did something: it would be lost with what is drawn. */
  readonly #touched = new Set<number>();
  /** How many parts of each card are drawn. */
  #drawn: ReadonlyMap<number, number> = new Map();
  #ahead: AheadPart[] = [];
  /** The card that is being drawn, and how often it was not ready. */
  #current: number | null = null;
  #tries = 0;
  /** Somebody searches the page: what is far away is drawn too, and stays. */
  #searched = false;
  /** What was shown in the step before: the browser paints it in the frame behind it. */
  #shown: string | null = null;
  #frame: number | null = null;
  #callOff: (() => void) | null = null;

  constructor(page: DrawnPage) {
    this.#page = page;
  }

  isSearched(): boolean {
    return this.#searched;
  }

  /** How many parts of a card are drawn. */
  partsOf(key: number): number {
    return this.#drawn.get(key) ?? 0;
  }

  /** The page has these parts of its cards. @param ahead cards that were drawn with others, of which some are not in the window */
  show(drawn: ReadonlyMap<number, number>, ahead: readonly number[]): void {
    this.#drawn = drawn;
    for (const [key, parts] of drawn) if (parts === PARTS) this.#near.delete(key);
    for (const key of ahead)
      for (let part = 1; part <= PARTS; part += 1) this.#ahead.push({ key, part, next: 'style' });
    if (ahead.length > 0) this.goOn();
  }

  /** A card is on the page. @returns what says that it has left */
  watch(key: number, card: HTMLElement): () => void {
    this.#cards.set(key, card);
    return () => {
      if (this.#cards.get(key) === card) this.#cards.delete(key);
    };
  }

  cameNear(key: number): void {
    this.#away.delete(key);
    if (this.partsOf(key) < PARTS) this.#near.add(key);
  }

  wentAway(key: number): void {
    if (this.#searched) return;
    this.#near.delete(key);
    if (this.partsOf(key) > 0) this.#away.add(key);
  }

  /** Somebody did something in a card: it stays as it is. */
  touch(key: number): void {
    this.#touched.add(key);
  }

  /** Somebody searches the page: all cards are drawn. */
  search(keys: readonly number[]): void {
    this.#searched = true;
    for (const key of keys) if (this.partsOf(key) < PARTS) this.#near.add(key);
    this.goOn();
  }

  /** Takes the steps that there are, a few behind each frame. */
  goOn(): void {
    this.#frame ??= requestAnimationFrame((at) => {
      this.#frame = null;
      this.#room.begins(at);
      const hurries = this.#near.size > AT_EASE || isPassing();
      this.#callOff ??= whenIdle(
        () => {
          this.#callOff = null;
          this.#steps();
        },
        hurries ? 1 : WAITS,
      );
      // Each frame is looked at while there is work, also one in which none was done.
      this.goOn();
    });
  }

  /** Nothing is done from now on. */
  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#callOff?.();
    this.#callOff = null;
  }

  #steps(): void {
    const speed = pageSpeed();
    if (this.#shown !== null) this.#room.took(this.#shown, this.#room.passed(performance.now()));
    this.#shown = null;
    let step = this.#next(speed);
    for (let first = true; step !== null; first = false) {
      const now = performance.now();
      // Who does not scroll fast waits for a card: it comes a step in each frame even on a machine that has no time for it.
      const fits = isPassing()
        ? this.#room.fits(step.kind, now, TWO_PICTURES)
        : first || this.#room.fits(step.kind, now, SMOOTH);
      if (!fits) return;
      step.run();
      // What was drawn or shown is for the browser to lay out and paint first.
      if (this.#shown !== null) return;
      this.#room.took(step.kind, performance.now() - now);
      if (speed !== 0 && step.kind.startsWith('draw')) return;
      step = this.#next(speed);
    }
    this.stop();
  }

  /** What is to be done next; null: nothing. */
  #next(speed: number): Step | null {
    const isFast = isPassing();
    const [ahead] = this.#ahead;
    if (ahead !== undefined) return this.#layOut(ahead);
    const isWaitedFor = this.#near.size > 0;
    // While somebody scrolls on there is always a next one: those that went are not left for later then, or the page grows heavy.
    const tooMany = this.#away.size > (isWaitedFor ? MOST_AWAY : KEPT);
    const [first] = this.#away;
    if (tooMany && first !== undefined && !this.#searched && getSelection()?.isCollapsed !== false)
      return { kind: 'leave', run: () => this.#takeDown(first) };
    if (!isWaitedFor) return null;
    const key = this.#pick(isFast ? Math.sign(speed) : 0);
    if (key === null) return null;
    if (key !== this.#current) {
      this.#current = key;
      this.#tries = 0;
    }
    const parts = this.partsOf(key);
    if (parts === 0 && this.#tries < TRIES)
      return { kind: 'ready', run: () => this.#makeReady(key, speed === 0 || isFast) };
    return { kind: `draw ${parts + 1}`, run: () => this.#draw(key) };
  }

  #makeReady(key: number, atOnce: boolean): void {
    const until = performance.now() + (atOnce ? READY_AT_ONCE : READY);
    this.#tries = this.#page.prepare(key, until) ? TRIES : this.#tries + 1;
  }

  #draw(key: number): void {
    const parts = this.#searched ? PARTS : this.partsOf(key) + 1;
    const card = this.#cards.get(key);
    const isSoon = card === undefined || Math.abs(distanceTo(card)) <= Math.abs(pageSpeed()) * SOON;
    this.#drawn = new Map(this.#drawn).set(key, parts);
    if (parts === PARTS) {
      this.#near.delete(key);
      this.#current = null;
    }
    this.#page.draw(key, parts);
    if (this.#searched || isSoon) return;
    this.#ahead.push({ key, part: parts, next: 'style' });
    this.#partOf({ key, part: parts })?.toggleAttribute('data-ahead', true);
  }

  #partOf({ key, part }: Pick<AheadPart, 'key' | 'part'>): HTMLElement | null {
    const element = this.#cards.get(key)?.children[part];
    return element instanceof HTMLElement ? element : null;
  }

  /** The next step for a part that is drawn: in the window it is shown at once. */
  #layOut(ahead: AheadPart): Step {
    const element = this.#partOf(ahead);
    const card = this.#cards.get(ahead.key);
    if (element === null || card === undefined || distanceTo(card) === 0) ahead.next = 'show';
    const kind = `${ahead.next} ${ahead.part}`;
    const show = () => {
      this.#ahead.shift();
      this.#shown = kind;
      element?.removeAttribute('data-ahead');
    };
    const run = () => {
      if (ahead.next === 'show' || element === null) return show();
      (ahead.next === 'style' ? style : layOut)(element);
      ahead.next = ahead.next === 'style' ? 'lay out' : 'show';
    };
    return { kind, run };
  }

  #takeDown(key: number): void {
    this.#away.delete(key);
    if (this.#touched.has(key)) return;
    const drawn = new Map(this.#drawn);
    drawn.delete(key);
    // At once: it may come near again before the page has heard of it.
    this.#drawn = drawn;
    this.#page.takeDown(key);
  }

  /**
   * The card to draw next: the one that is begun, or nearest to the window; while somebody scrolls fast the next one ahead of it, where there is one.
   * @param ahead 1: below the window, -1: above it, 0: anywhere
   */
  #pick(ahead: number): number | null {
    if (this.#current !== null && this.#near.has(this.#current) && this.partsOf(this.#current) > 0)
      return this.#current;
    // Of all cards of a page nobody asks where they are.
    if (this.#searched) return this.#near.values().next().value ?? null;
    let [found, nearest]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
    for (const key of this.#near) {
      const card = this.#cards.get(key);
      const distance = card === undefined ? 0 : distanceTo(card);
      const isAhead = ahead === 0 || distance * ahead > 0;
      // Behind all that are ahead.
      const away = isAhead ? Math.abs(distance) : BEHIND + Math.abs(distance);
      if (away >= nearest) continue;
      [found, nearest] = [key, away];
    }
    return found;
  }
}
