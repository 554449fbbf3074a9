import katex from 'katex';
import { formulaFault } from '#rules/rich-text/bounds.ts';
import { formulaOptions, formulasIn } from '#rules/rich-text/formula-source.ts';

/**
 * The HTML of a formula with the MathML behind it, as the browser itself would make it (ui/katex.ts); '': it cannot be set and stays as
 * its source: one with a mistake, or beyond the bounds of rules/rich-text/bounds.ts. Takes up to some milliseconds.
 * @param source with its signs
 */
export function setFormula(source: string): string {
  const [formula] = formulasIn(source);
  if (formula === undefined || formula.source !== source || formulaFault(formula.tex) !== null) return '';
  try {
    return katex.renderToString(formula.tex, formulaOptions(formula.display));
  } catch {
    // A mistake of its author, or more than the library can hold.
    return '';
  }
}
