/** Characters of HTML that are kept; past that the oldest go, and the library sets them. */
const MOST = 8 * 1024 * 1024;
const known = new Map<string, string>();
let characters = 0;

/** Takes formulas that came set beside their texts, by how they stand there. Any number of answers may bring the same one. */
export function knowFormulas(formulas: Readonly<Record<string, string>>): void {
  for (const [source, html] of Object.entries(formulas)) {
    characters += html.length - (known.get(source)?.length ?? 0);
    known.set(source, html);
  }
  for (const [source, html] of known) {
    if (characters <= MOST) break;
    known.delete(source);
    characters -= html.length;
  }
}

/** The HTML of a formula; empty: it stays as its source; undefined: none came. It is not cleaned yet (`safeFormula`). */
export const knownFormula = (source: string): string | undefined => known.get(source);
