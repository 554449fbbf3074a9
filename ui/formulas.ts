import 'katex/dist/katex.min.css';
import { MOST_FORMULAS } from '#rules/rich-text/bounds.ts';
import { formulasIn, type WrittenFormula } from '#rules/rich-text/formula-source.ts';
import { type FormulaNode, spokenFormula } from '#rules/rich-text/spoken-formula.ts';
import type { setFormula as SetFormula } from './katex.ts';
import { knownFormula } from './known-formulas.ts';
import { safeFormula } from './safe-formula.ts';
import { safeHtml } from './safe-html.ts';
import { t } from './words.ts';

let library: typeof SetFormula | null = null;
let coming: Promise<boolean> | null = null;

/** The library that sets what the server did not: it weighs half as much as all else of an exam. @returns whether it has come */
function fetchLibrary(): Promise<boolean> {
  coming ??= import('./katex.ts').then(
    (found) => {
      library = found.setFormula;
      return true;
    },
    () => {
      coming = null;
      return false;
    },
  );
  return coming;
}

/** Elements whose text is shown letter by letter. */
const LITERAL = 'pre, code, .katex';

/**
 * Sets the formulas inside an element, those that came set with their text and, once the library is there, all others. Each is set for
 * itself: one with a mistake, or one beyond the bounds of rules/rich-text/bounds.ts, stays readable as its source, and nothing that it says
 * reaches another.
 * @returns null: there is nothing to wait for; else whether the library has come since, so that asking again sets the rest
 */
export function typeset(node: HTMLElement): Promise<boolean> | null {
  // A parser cuts a long text into several nodes, wherever it likes.
  node.normalize();
  let left = MOST_FORMULAS - node.querySelectorAll('.katex').length;
  let waits = false;
  for (const text of textsOf(node)) {
    const parts: (string | Node)[] = [];
    let from = 0;
    for (const formula of formulasIn(text.data)) {
      if (left <= 0) break;
      const set = make(formula);
      if (set === 'waits') waits = true;
      if (!(set instanceof HTMLElement)) continue;
      left -= 1;
      parts.push(text.data.slice(from, formula.index), set.cloneNode(true));
      from = formula.index + formula.source.length;
    }
    if (parts.length > 0) text.replaceWith(...parts, text.data.slice(from));
  }
  // Nobody knows yet how wide they are (`markWide`): one that may be too wide for its place can be reached until then.
  for (const display of node.querySelectorAll<HTMLElement>('.katex-display:not([tabindex])'))
    if (lengthOf(display) > LONG && !display.closest('button, a')) reach(display, true);
  return waits ? fetchLibrary() : null;
}

const lengthOf = (formula: HTMLElement) => (formula.querySelector('annotation')?.textContent ?? '').length;

/**
 * Fetches the library where one of these texts has a formula that did not come set. It looks through a whole paper before its first question, so it
 * reads no HTML but the entities of a formula; texts with code, where formulas are none, do not count.
 */
export async function fetchLibraryFor(texts: readonly string[]): Promise<void> {
  const place = document.createElement('textarea');
  const isKnown = (source: string) => {
    // What goes over an element is none.
    if (source.includes('<')) return true;
    place.innerHTML = source;
    return knownFormula(place.value) !== undefined;
  };
  const lacks = (html: string) =>
    !/<(?:pre|code)\b/i.test(html) && [...formulasIn(html)].some(({ source }) => !isKnown(source));
  if (texts.some(lacks)) await fetchLibrary();
}

/**
 * Makes the formulas of a text ready, so that `typeset` has only to copy them: to clean one and to name it in words takes a slow phone 15 ms, to set one that
 * did not come set more. Where the library for those is not there it is fetched, and they do not count.
 * @param until begins none after this time (`performance.now()`) @returns whether all are ready
 */
export function prepareFormulas(html: string, until: number): boolean {
  for (const formula of writtenIn(html)) {
    if (madeNow().has(madeOf(formula))) continue;
    if (performance.now() > until) return false;
    if (make(formula) === 'waits') void fetchLibrary();
  }
  return true;
}

/** The formulas of the last texts that were asked for: a text is made ready in several frames. */
const written = new Map<string, readonly WrittenFormula[]>();
const MOST_WRITTEN = 20;

function writtenIn(html: string): readonly WrittenFormula[] {
  const before = written.get(html);
  if (before) return before;
  const { content } = Object.assign(document.createElement('template'), { innerHTML: safeHtml(html) });
  content.normalize();
  const found = textsOf(content)
    .flatMap((text) => [...formulasIn(text.data)])
    .slice(0, MOST_FORMULAS);
  if (written.size >= MOST_WRITTEN) written.delete(written.keys().next().value ?? '');
  written.set(html, found);
  return found;
}

/**
 * Formulas that are set, cleaned and named, by what they were made of; null: one that stays as its source. Each is used as a copy. The oldest go first.
 * They are asked for again and again: a key put together for that, of some thousand letters, was a third of the memory that the scripts of a long review asked for.
 */
const made = new Map<string, HTMLElement | null>();
const MOST_MADE = 300;
let madeIn = '';

/** The formulas above, emptied when the page has another language. */
function madeNow(): typeof made {
  const { lang } = document.documentElement;
  if (lang !== madeIn) made.clear();
  madeIn = lang;
  return made;
}

const madeOf = ({ source }: WrittenFormula) => knownFormula(source) ?? source;

/** A formula in a place of its own; null: it cannot be set; `waits`: not without the library. */
function make(formula: WrittenFormula): HTMLElement | 'waits' | null {
  const key = madeOf(formula);
  const before = madeNow().get(key);
  if (before !== undefined) return before;
  const known = knownFormula(formula.source);
  if (known === undefined && library === null) return 'waits';
  const place = document.createElement('span');
  if (known) place.append(safeFormula(known));
  const set = known ?? library?.(place, formula.tex, formula.display);
  if (set) speak(place);
  if (made.size >= MOST_MADE) made.delete(made.keys().next().value ?? '');
  made.set(key, set ? place : null);
  return set ? place : null;
}

/** The narrowest column that a text stands in on a phone of 320 px, and the characters from which a formula may be as wide. */
const NARROW = 230;
const LONG = 20;

/**
 * Marks formulas in the line with a part that cannot break and is wider than a phone, or than its place already; such a part, and a display
 * that is wider than its place, is reachable by key unless the text stands in a button (`inButton`). It measures, so it is called once the text has been laid out.
 */
export function markWide(node: HTMLElement, inButton: boolean): void {
  const displays = [...node.querySelectorAll<HTMLElement>('.katex-display')];
  const long = [...node.querySelectorAll<HTMLElement>('.katex')].filter(
    (formula) => !formula.closest('.katex-display') && lengthOf(formula) > LONG,
  );
  const room = node.clientWidth;
  // All are measured before one is changed, so that the page is laid out once.
  const beyond = displays.map((display) => display.scrollWidth > display.clientWidth);
  const widths = long.map((formula) =>
    Math.max(0, ...[...formula.querySelectorAll<HTMLElement>('.katex-base')].map(({ offsetWidth }) => offsetWidth)),
  );
  const reachable = (element: HTMLElement, scrolls: boolean) => {
    if (!inButton) reach(element, scrolls);
  };
  for (const [at, display] of displays.entries()) reachable(display, beyond[at] ?? false);
  for (const [at, formula] of long.entries()) {
    const width = widths[at] ?? 0;
    if (width > NARROW) formula.dataset.wide = width > room ? 'always' : 'phone';
    reachable(formula, width > Math.max(NARROW, room));
  }
}

/** What scrolls is a stop of the keyboard, with a name: the words of what it holds come after it. */
function reach(element: HTMLElement, scrolls: boolean): void {
  if (scrolls) {
    element.tabIndex = 0;
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', t('公式'));
  } else for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
}

function textsOf(node: Node): Text[] {
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let next = walk.nextNode(); next; next = walk.nextNode()) {
    if (next instanceof Text && !next.parentElement?.closest(LITERAL)) texts.push(next);
  }
  return texts;
}

/**
 * Names a formula in words. Inside of a button or an option a browser takes a name from text alone, and leaves a formula
 * out; and few screen readers that read Chinese know MathML. Who has one that does still walks through it.
 */
function speak(place: HTMLElement): void {
  const math = place.querySelector('math');
  if (!math) return;
  const { lang } = document.documentElement;
  math.setAttribute('aria-label', spokenFormula(nodeOf(math), lang.startsWith('en') ? 'en' : 'zh'));
  // The text around it may be in another language than the page.
  math.setAttribute('lang', lang);
}

/** The narrow spaces of the library: as text they stand in an element, as nodes they are none, and they never count as what a sign stands behind. */
const isSpace = ({ localName, textContent }: Element) =>
  localName === 'mtext' && /^[\u2005\u2009\u200a\u2063]{1,2}$/.test(textContent);

function nodeOf(element: Element): FormulaNode {
  return {
    name: element.localName,
    text: element.textContent ?? '',
    children: [...element.children].filter((child) => !isSpace(child)).map(nodeOf),
    variant: element.getAttribute('mathvariant') ?? '',
    lineless: element.getAttribute('linethickness') === '0px',
  };
}
