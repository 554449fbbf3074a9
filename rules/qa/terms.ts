/**
 * How texts are found (docs/decisions/038-questions-and-answers.md): each Chinese sign, each two that stand beside each other, each word of
 * letters and digits, and each other sign is a number. A text has the same numbers on every machine and database, which a
 * dictionary of words would not give: it changes with the version of its program.
 */

/** A place in a text as it is compared, beside where that stands in the text as it was typed. */
interface Folded {
  text: string;
  /** For each UTF-16 unit of `text` where its character begins, and ends, in the typed text. */
  from: number[];
  to: number[];
}

/** Marks between sentences: nobody looks for them. */
const PUNCTUATION = /^[,.?!;:'"()[\]{}<>\-–—…·~、。〈〉《》「」『』【】〔〕“”‘’`|\\/]$/u;
/** Writing without spaces between its words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}々〇]$/u;
const IN_WORD = /^[\p{L}\p{N}\p{M}]$/u;
const SPACE = /^\s$/u;

/** A text without what makes no difference to who looks for it: width, case, and how its spaces are made. */
function fold(typed: string): Folded {
  const folded: Folded = { text: '', from: [], to: [] };
  let at = 0;
  for (const point of typed) {
    const next = at + point.length;
    let shown = point.normalize('NFKC').toLowerCase();
    if (SPACE.test(shown)) shown = folded.text.endsWith(' ') ? '' : ' ';
    for (let unit = 0; unit < shown.length; unit += 1) {
      folded.from.push(at);
      folded.to.push(next);
    }
    folded.text += shown;
    at = next;
  }
  return folded;
}

/** A part of a text that is looked for as one: a run of unspaced writing, a word, or one other sign. */
interface Piece {
  kind: 'unspaced' | 'word' | 'sign';
  text: string;
}

function* piecesOf(folded: string): Generator<Piece> {
  let open: Piece | null = null;
  for (const point of folded) {
    const kind = UNSPACED.test(point) ? 'unspaced' : IN_WORD.test(point) ? 'word' : 'sign';
    if (open && (open.kind !== kind || kind === 'sign')) {
      yield open;
      open = null;
    }
    if (SPACE.test(point) || PUNCTUATION.test(point)) continue;
    if (open) open = { kind, text: open.text + point };
    else open = { kind, text: point };
  }
  if (open) yield open;
}

const PAIR = 0x20_00_00;
const numberOf = (point: string) => point.codePointAt(0) ?? 0;

/** A word as a number below 0, so that it is no sign and no pair: 52 bits, of two sums by FNV-1a. */
function wordNumber(word: string): number {
  let [one, two] = [0x81_1c_9d_c5, 0x01_00_01_93];
  for (let at = 0; at < word.length; at += 1) {
    one = Math.imul(one ^ word.charCodeAt(at), 0x01_00_01_93) >>> 0;
    two = Math.imul(two ^ (word.charCodeAt(at) + 0x9d), 0x01_00_01_93) >>> 0;
  }
  return -(one * 0x10_00_00 + (two & 0x0f_ff_ff)) - 1;
}

function numbersOf({ kind, text }: Piece, whole: boolean): number[] {
  if (kind === 'word') return [wordNumber(text)];
  const points = [...text].map(numberOf);
  const pairs = points.slice(1).map((point, at) => (points[at] ?? 0) * PAIR + point);
  return whole || points.length === 1 ? [...points, ...pairs] : pairs;
}

/** Every number by which a text is found, each once. */
export function termsOf(typed: string): number[] {
  return [...new Set([...piecesOf(fold(typed).text)].flatMap((piece) => numbersOf(piece, true)))];
}

/** What was typed to look for something. */
export interface Search {
  /** Numbers that a text has to have: a text without one of them is none that is looked for. */
  terms: number[];
  /** The pieces that have to stand in it. */
  pieces: string[];
  /** All of it as it was typed, to be preferred. */
  phrase: string;
}

/** Makes ready what was typed; no terms: it names nothing that can be looked for. */
export function searchOf(typed: string): Search {
  const phrase = fold(typed).text.trim();
  const pieces = [...piecesOf(phrase)];
  return {
    terms: [...new Set(pieces.flatMap((piece) => numbersOf(piece, false)))],
    pieces: [...new Set(pieces.map(({ text }) => text))],
    phrase,
  };
}

/** Whether a text has all that is looked for; `phrase`: as it was typed. */
export function matches(text: string, { pieces, phrase }: Search): { found: boolean; phrase: boolean } {
  const folded = fold(text).text;
  const found = pieces.length > 0 && pieces.every((piece) => folded.includes(piece));
  return { found, phrase: found && folded.includes(phrase) };
}

/** Where in a text that is which was looked for, as UTF-16 offsets, in order and apart from each other. */
export function highlightsOf(text: string, { pieces, phrase }: Search): { from: number; to: number }[] {
  const folded = fold(text);
  const whole = phrase !== '' && folded.text.includes(phrase);
  const found: { from: number; to: number }[] = [];
  for (const part of whole ? [phrase] : pieces) {
    if (part === '') continue;
    for (let at = folded.text.indexOf(part); at >= 0; at = folded.text.indexOf(part, at + part.length))
      found.push({ from: folded.from[at] ?? 0, to: folded.to[at + part.length - 1] ?? 0 });
  }
  const joined: typeof found = [];
  for (const span of found.sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** Pairs and words of a text, by which its likeness to another is told: single signs say too little. */
export function likenessTerms(typed: string): number[] {
  return termsOf(typed).filter((term) => term < 0 || term >= PAIR);
}

/** How alike two texts are, 0 to 1: the share that both have of what either has. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const known = new Set(one);
  const both = other.filter((term) => known.has(term)).length;
  return both / (known.size + other.length - both);
}
