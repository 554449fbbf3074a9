/** What a school does not want to be said without a teacher having looked at it. */
export interface WordList {
  words: readonly string[];
  /** Longer expressions that are no such word though they have one in them. */
  allowed: readonly string[];
}

/** The largest list. */
const MOST_WORDS = 20_000;
const LONGEST_WORD = 50;

/** What somebody puts between the signs of a word to get past: spaces and marks, but no mark that ends a clause. */
const BETWEEN = /[\s\u200b-\u200f\u2060\ufeff*_.·~\-+|\\/]/u;

/** A text as words are looked for in it, and where each sign stood. */
function bare(text: string): string {
  let kept = '';
  for (const point of text.normalize('NFKC').toLowerCase()) if (!BETWEEN.test(point)) kept += point;
  return kept;
}

/**
 * Reads a school's list: a word a line; `!` before an expression in which no word counts (`!路口交通`); `#` before a remark.
 * @returns the list, or the lines at fault (from 1)
 */
export function readWordList(typed: string): { ok: true; list: WordList } | { ok: false; lines: number[] } {
  const words = new Set<string>();
  const allowed = new Set<string>();
  const lines: number[] = [];
  for (const [at, line] of typed
    .replace(/^\ufeff/u, '')
    .split(/\r?\n/)
    .entries()) {
    const said = line.trim();
    if (said === '' || said.startsWith('#')) continue;
    const expression = bare(said.startsWith('!') ? said.slice(1) : said);
    // One sign would stop every text that has it in another word.
    if ([...expression].length < 2 || expression.length > LONGEST_WORD) lines.push(at + 1);
    else (said.startsWith('!') ? allowed : words).add(expression);
  }
  if (words.size + allowed.size > MOST_WORDS) lines.push(MOST_WORDS + 1);
  return lines.length > 0 ? { ok: false, lines } : { ok: true, list: { words: [...words], allowed: [...allowed] } };
}

/**
 * The words of the list that a text has, each once; spaces and the like inside of them change nothing. A word inside an allowed
 * expression does not count. What has one is held for a teacher, not refused: word lists are often wrong.
 */
export function wordsIn(text: string, { words, allowed }: WordList): string[] {
  let looked = bare(text);
  // What stands there instead is no sign of any word.
  for (const expression of allowed) looked = looked.replaceAll(expression, '\u0000'.repeat(expression.length));
  return words.filter((word) => looked.includes(word));
}
