import { LONGEST_FORMULA } from './bounds.ts';
import { FORMULA_MACROS } from './formula-macros.ts';

/** What is longer than any formula may be is none, and does not have to be read to its end from each place that might begin it. */
const FORMULA = new RegExp(
  `\\\\\\[([\\s\\S]{1,${LONGEST_FORMULA}}?)\\\\\\]|\\\\\\(([\\s\\S]{1,${LONGEST_FORMULA}}?)\\\\\\)`,
  'g',
);

/** A formula where it stands in a text. */
export interface WrittenFormula {
  /** With its signs: what names it where formulas come set from the server. */
  source: string;
  tex: string;
  display: boolean;
  index: number;
}

/** The formulas of a text between two elements, as `\(…\)` and `\[…\]`. @param text without markup, entities read */
export function* formulasIn(text: string): Generator<WrittenFormula> {
  for (const { 0: source, 1: display, 2: inline, index } of text.matchAll(FORMULA))
    yield { source, tex: display ?? inline ?? '', display: display !== undefined, index };
}

/**
 * How KaTeX sets a formula, on the server, in the browser and where an import looks whether it can be set: nothing that it says may name a
 * command, an address or a size beyond the page. The macros are its own, so that no name that it might still define is known to the next.
 */
export const formulaOptions = (display: boolean) =>
  ({
    displayMode: display,
    throwOnError: true,
    strict: 'ignore',
    trust: false,
    maxExpand: 500,
    maxSize: 20,
    macros: { ...FORMULA_MACROS },
  }) as const;
