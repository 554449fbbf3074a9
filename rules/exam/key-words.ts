/** A part of a text, from one UTF-16 unit to the one behind it. */
type Span = readonly [from: number, to: number];

/** A text as it is compared, and where each of its units came from. */
interface Folded {
  text: string;
  from: number[];
  to: number[];
}

const DIGIT = /^[0-9]$/;
const LETTER = /^[a-z]/i;
/** Blanks, controls and punctuation: nobody's answer is another one for them. */
const IGNORED = /[\p{Z}\p{C}\p{P}]/u;

/**
 * Full and half width, capitals, blanks and punctuation make no difference. The point between two digits stays: 3.14 is
 * not 314; so does a sign such as + or =.
 */
function fold(text: string): Folded {
  const folded: Folded = { text: '', from: [], to: [] };
  let at = 0;
  const signs: { sign: string; from: number; to: number }[] = [];
  for (const point of text) {
    for (const sign of point.normalize('NFKC').toLowerCase()) signs.push({ sign, from: at, to: at + point.length });
    at += point.length;
  }
  for (const [index, { sign, from, to }] of signs.entries()) {
    const decimal =
      sign === '.' && DIGIT.test(signs[index - 1]?.sign ?? '') && DIGIT.test(signs[index + 1]?.sign ?? '');
    if (!decimal && IGNORED.test(sign)) continue;
    folded.text += sign;
    for (let unit = 0; unit < sign.length; unit += 1) {
      folded.from.push(from);
      folded.to.push(to);
    }
  }
  return folded;
}

/** Whether a number, or a word of the Latin script, goes on across this place of the text: 100 does not stand in 1100. */
function goesOn(text: string, at: number): boolean {
  const two = [text[at - 1] ?? '', text[at] ?? ''].map((sign) => sign.normalize('NFKC'));
  return two.every((sign) => DIGIT.test(sign)) || two.every((sign) => LETTER.test(sign));
}

function spansOf(text: string, folded: Folded, word: string): Span[] {
  const wanted = fold(word).text;
  if (wanted === '') return [];
  const spans: Span[] = [];
  for (let at = folded.text.indexOf(wanted); at !== -1; at = folded.text.indexOf(wanted, at + 1)) {
    const from = folded.from[at] ?? 0;
    const to = folded.to[at + wanted.length - 1] ?? 0;
    if (!goesOn(text, from) && !goesOn(text, to)) spans.push([from, to]);
  }
  return spans;
}

/**
 * Where key words stand in an answer, ascending and apart from each other. They are a hint for the student who scores it and
 * decide nothing: an answer may have them all and be wrong.
 */
export function findKeyWords(answer: string, words: Iterable<string>): Span[] {
  const folded = fold(answer);
  const found = [...new Set(words)].flatMap((word) => spansOf(answer, folded, word)).sort((a, b) => a[0] - b[0]);
  const apart: [number, number][] = [];
  for (const [from, to] of found) {
    const last = apart.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
}

/** Those of the key words that an answer has. */
export function keyWordsIn(answer: string, words: readonly string[]): string[] {
  const folded = fold(answer);
  return words.filter((word) => spansOf(answer, folded, word).length > 0);
}
