const FORMULA = /\\\[[\s\S]*?\\\]|\\\([\s\S]*?\\\)/g;
/** How much of the line a formula takes at most, in characters: its source says little about its width. */
const WIDEST = 16;

/**
 * Plain text with formulas as HTML for one line of a list: at most about `most` characters, never cut inside a formula.
 * Formulas become low ones between the words; one of several rows (`cases`, a matrix) becomes an ellipsis.
 */
export function formulaLine(text: string, most: number): string {
  let line = '';
  let left = most;
  let at = 0;
  const addWords = (words: string) => {
    const letters = [...words];
    line += escaped(letters.slice(0, left).join(''));
    left -= letters.length;
  };
  for (const { 0: formula, index } of text.matchAll(FORMULA)) {
    addWords(text.slice(at, index));
    if (left <= 0) break;
    line += lowFormula(formula);
    left -= Math.min(WIDEST, formula.length - 4);
    at = index + formula.length;
    if (left <= 0) break;
  }
  if (left > 0) addWords(text.slice(at));
  else if (at < text.length) left = -1;
  return left < 0 ? `${line}…` : line;
}

function lowFormula(formula: string): string {
  const source = formula.slice(2, -2);
  if (source.includes('\\begin')) return '…';
  const low = source.replaceAll('\\dfrac', '\\frac').replace(/\\(?:displaystyle|limits)(?![a-zA-Z])/g, '');
  return `\\(${escaped(low)}\\)`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
