import { Worker } from 'node:worker_threads';
import { formulasOfHtml } from '#content/rich-text/formulas-in-html.ts';

/** Formulas with their signs → their HTML; '': one that cannot be set and stays as its source. */
type SetFormulas = Record<string, string>;

/**
 * Sets the formulas of texts, those of the first texts first. It waits for a moment at most: what is not set by then is left out, and the
 * browser sets it (docs/decisions/074-formulas-set-on-the-server.md).
 * @returns `formulas`: undefined where there are none; `whole`: nothing was left out for want of time, so that asking again would say the same
 */
export type SetFormulasOf = (html: Iterable<string>) => Promise<{ formulas: SetFormulas | undefined; whole: boolean }>;

interface Options {
  /** Characters of HTML that are remembered; past that the longest unused goes. */
  most?: number;
  /** Milliseconds that an answer waits. A phone on a slow line waits twice as long for the library alone. */
  within?: number;
  /** The thread that sets formulas: some at a time, answered in the order of the questions. */
  thread?: () => Worker;
  /** Milliseconds without a thread after one failed. */
  rests?: number;
  /** Hears why one failed. */
  onTrouble?: (error: unknown) => void;
}

const MOST = 8 * 1024 * 1024;
const WITHIN = 300;
/** Formulas that one message has, so that a short text does not wait for a long one before it. */
const AT_ONCE = 20;
/** Formulas that wait at most: what is more is not asked for now. */
const MOST_WAITING = 4000;
/** Characters of HTML in one answer: some 600 formulas, of which 60 KB go over the wire. */
const MOST_ANSWERED = 1_500_000;
/** Characters of HTML that a formula not yet set is taken for. */
const USUAL = 2500;
/** After a thread that failed nothing is set for so long: where none can start, no answer waits for one (milliseconds). */
const RESTS = 30_000;
/** A thread that has not answered for so long hangs, and is replaced (milliseconds). */
const HANGS = 10_000;

const newThread = () => new Worker(new URL('./formula-worker.ts', import.meta.url));

interface Batch {
  sources: readonly string[];
  done: () => void;
}

/** Makes what sets formulas, once for a server. Each is set once, in a thread beside the loop, which starts with the first. */
export function formulaSetter({
  most = MOST,
  within = WITHIN,
  thread = newThread,
  rests = RESTS,
  onTrouble = () => undefined,
}: Options = {}): SetFormulasOf {
  /** The longest unused first. */
  const known = new Map<string, string>();
  let characters = 0;
  const coming = new Map<string, Promise<void>>();
  const batches: Batch[] = [];
  let worker: Worker | null = null;
  let watch: NodeJS.Timeout | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;

  function remember(source: string, html: string): void {
    if (known.has(source)) return;
    known.set(source, html);
    characters += source.length + html.length;
    for (const [oldest, its] of known) {
      if (characters <= most) break;
      known.delete(oldest);
      characters -= oldest.length + its.length;
    }
  }

  function sent(): void {
    const [batch] = batches;
    clearTimeout(watch);
    if (batch === undefined) return;
    if (worker === null) {
      const begun = thread();
      worker = begun;
      begun.unref();
      begun.on('message', (html: readonly string[]) => {
        if (begun === worker) answered(html);
      });
      begun.on('error', (error) => {
        if (begun === worker) failed(error);
      });
    }
    watch = setTimeout(() => failed(new Error('a formula takes too long')), HANGS).unref();
    worker.postMessage(batch.sources);
  }

  function answered(html: readonly string[]): void {
    const batch = batches.shift();
    for (const [at, source] of (batch?.sources ?? []).entries()) {
      coming.delete(source);
      remember(source, html[at] ?? '');
    }
    batch?.done();
    sent();
  }

  /** The thread has ended, or hangs in one of these: for a while the browser sets them, then who asks has them tried again. */
  function failed(error: unknown): void {
    onTrouble(error);
    void worker?.terminate();
    worker = null;
    restsUntil = performance.now() + rests;
    for (const { sources, done } of batches.splice(0)) {
      for (const source of sources) coming.delete(source);
      done();
    }
  }

  function ask(sources: readonly string[]): void {
    for (let at = 0; at < sources.length && coming.size < MOST_WAITING; at += AT_ONCE) {
      const some = sources.slice(at, at + AT_ONCE);
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const source of some) coming.set(source, promise);
      batches.push({ sources: some, done: resolve });
      if (batches.length === 1) sent();
    }
  }

  /** Of these formulas the first ones, as many as one answer may have: what is more is not asked for, and pushes nothing out. */
  function withinBound(wanted: Iterable<string>): string[] {
    const sent: string[] = [];
    let length = 0;
    for (const source of wanted) {
      length += known.get(source)?.length ?? USUAL;
      if (length > MOST_ANSWERED) break;
      sent.push(source);
    }
    return sent;
  }

  return async (html) => {
    const wanted = new Set<string>();
    for (const text of html) for (const source of formulasOfHtml(text)) wanted.add(source);
    const sent = withinBound(wanted);
    const missing = sent.filter((source) => !known.has(source));
    const resting = performance.now() < restsUntil;
    if (!resting) ask(missing.filter((source) => !coming.has(source)));
    if (missing.length > 0 && !resting) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, within);
      await Promise.race([late.promise, Promise.all(missing.map((source) => coming.get(source)))]);
      clearTimeout(timer);
    }
    const formulas: SetFormulas = {};
    let whole = true;
    let length = 0;
    for (const source of sent) {
      const set = known.get(source);
      if (set === undefined) {
        whole = false;
        continue;
      }
      length += set.length;
      if (length > MOST_ANSWERED) break;
      formulas[source] = set;
      known.delete(source);
      known.set(source, set);
    }
    return { formulas: Object.keys(formulas).length > 0 ? formulas : undefined, whole };
  };
}
