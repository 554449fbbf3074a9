import katex from 'katex';
import 'katex/dist/katex.min.css';
import { formulaFault, LONGEST_FORMULA, MOST_FORMULAS } from '#rules/rich-text/bounds.ts';
import { FORMULA_MACROS } from '#rules/rich-text/formula-macros.ts';
import { type FormulaNode, spokenFormula } from '#rules/rich-text/spoken-formula.ts';

/** What is longer than any formula may be is none, and does not have to be read to its end from each place that might begin it. */
const FORMULA = new RegExp(
  `\\\\\\[([\\s\\S]{1,${LONGEST_FORMULA}}?)\\\\\\]|\\\\\\(([\\s\\S]{1,${LONGEST_FORMULA}}?)\\\\\\)`,
  'g',
);
/** Elements whose text is shown letter by letter. */
const LITERAL = 'pre, code, .katex';

/**
 * Sets the formulas inside an element. Each is set for itself: one with a mistake, or one beyond the bounds of
 * rules/rich-text/bounds.ts, stays readable as its source, and nothing that it says reaches another.
 */
export function typeset(node: HTMLElement): void {
  // A parser cuts a long text into several nodes, wherever it likes.
  node.normalize();
  let left = MOST_FORMULAS;
  for (const text of textsOf(node)) {
    const parts = partsOf(text.data, left);
    if (parts === null) continue;
    left -= parts.filter((part) => part instanceof HTMLElement).length;
    text.replaceWith(...parts);
  }
  // A formula wider than its place scrolls, so it has to be reachable by key.
  for (const display of node.querySelectorAll<HTMLElement>('.katex-display')) {
    if (display.scrollWidth > display.clientWidth) display.tabIndex = 0;
  }
  markWide(node);
}

/** The narrowest column that a text stands in on a phone of 320 px, and the characters from which a formula may be as wide. */
const NARROW = 230;
const LONG = 20;

/** Marks formulas in the line with a part that cannot break and is wider than a phone, or than its place already. */
function markWide(node: HTMLElement): void {
  const long = [...node.querySelectorAll<HTMLElement>('.katex')].filter(
    (formula) =>
      !formula.closest('.katex-display') && (formula.querySelector('annotation')?.textContent ?? '').length > LONG,
  );
  if (long.length === 0) return;
  const room = node.clientWidth;
  // All are measured before one is changed, so that the page is laid out once.
  const widths = long.map((formula) =>
    Math.max(0, ...[...formula.querySelectorAll<HTMLElement>('.katex-base')].map(({ offsetWidth }) => offsetWidth)),
  );
  for (const [at, formula] of long.entries()) {
    const width = widths[at] ?? 0;
    if (width <= NARROW) continue;
    formula.dataset.wide = width > room ? 'always' : 'phone';
    // It scrolls, so it has to be reachable by key.
    if (width > room) formula.tabIndex = 0;
  }
}

function textsOf(node: HTMLElement): Text[] {
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let next = walk.nextNode(); next; next = walk.nextNode()) {
    if (next instanceof Text && !next.parentElement?.closest(LITERAL)) texts.push(next);
  }
  return texts;
}

/** A text with its first `most` formulas set; null: there is none to set. */
function partsOf(text: string, most: number): (string | HTMLElement)[] | null {
  const parts: (string | HTMLElement)[] = [];
  let from = 0;
  for (const { 0: source, 1: display, 2: inline, index } of text.matchAll(FORMULA)) {
    if (parts.length >= 2 * most) break;
    const set = setFormula(display ?? inline ?? '', display !== undefined);
    if (set === null) continue;
    parts.push(text.slice(from, index), set);
    from = index + source.length;
  }
  if (parts.length === 0) return null;
  parts.push(text.slice(from));
  return parts;
}

/** One formula in a place of its own, or null where it cannot be set. */
function setFormula(tex: string, displayMode: boolean): HTMLElement | null {
  if (formulaFault(tex) !== null) return null;
  const place = document.createElement('span');
  try {
    katex.render(tex, place, {
      displayMode,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 500,
      maxSize: 20,
      // Its own, so that no name that it might still define is known to the next.
      macros: { ...FORMULA_MACROS },
    });
    speak(place);
    return place;
  } catch {
    // A mistake of its author, or more than the library can hold.
    return null;
  }
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

function nodeOf(element: Element): FormulaNode {
  return {
    name: element.localName,
    text: element.textContent ?? '',
    children: Array.from(element.children, nodeOf),
    variant: element.getAttribute('mathvariant') ?? '',
    lineless: element.getAttribute('linethickness') === '0px',
  };
}
