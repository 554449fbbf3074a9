import katex from 'katex';
import { formulaFault } from '#rules/rich-text/bounds.ts';
import { formulaOptions } from '#rules/rich-text/formula-source.ts';

/** Sets a formula in an empty place, as the server does (content/rich-text/set-formula.ts). @returns whether it can be set */
export function setFormula(place: HTMLElement, tex: string, display: boolean): boolean {
  if (formulaFault(tex) !== null) return false;
  try {
    katex.render(tex, place, formulaOptions(display));
    return true;
  } catch {
    // A mistake of its author, or more than the library can hold.
    return false;
  }
}
