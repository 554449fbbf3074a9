/** A text in a form that is compared, and where each unit of that form (UTF-16) has its character in the text itself. */
interface Form {
  folded: string;
  /** For every unit of `folded`, where its character begins and ends in the text. */
  from: readonly number[];
  to: readonly number[];
}

/** A text in both forms: letters and digits only, and with its signs. Width, case, accents and blanks count in neither. */
interface FoldedText extends Form {
  text: string;
  withSigns: Form;
}

/** A text made ready for searching; its own form, letters and digits, is the one that is read as pinyin. */
export interface Searchable extends FoldedText {
  /** For every unit of `folded` its pinyin without tone (ü is v); letters and digits stand for themselves. */
  reading: readonly string[];
  /** The first letter of every reading, as one text of the length of `folded`. */
  initials: string;
}

/** What was typed, made ready for comparing. */
export interface TypedText {
  folded: string;
  /** It has a sign, so signs count: it is found only where it stands with its signs, and never as pinyin. */
  exact: boolean;
  /** It may be pinyin. */
  latin: boolean;
}

/** What is searched for by a name: a university, a course pack. */
export interface Candidate {
  name: Searchable;
  /** Other words for it: short names, former names, abbreviations; of a pack its category and teachers. */
  aliases: readonly Searchable[];
}

/** Where and how a typed text was found; lower `rank` is better. */
export interface Match {
  by: 'name' | 'alias' | 'pinyin' | 'initials';
  /** The name or the short name in which it was found, and the characters of it to highlight. */
  text: string;
  from: number;
  to: number;
  /** Pinyin of the highlight, `bei da`; '' when it was found by its characters. */
  reading: string;
  rank: number;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** A character with the marks that follow it: an accent stays with its letter. */
const CHARACTER = /\P{M}\p{M}*|\p{M}+/gu;
/** Blanks, and what cannot be seen at all: controls, zero-width characters. */
const ONLY_BLANK = /^[\s\p{Z}\p{Cc}\p{Cf}]*$/u;
const BLANKS_AND_MARKS = /[\s\p{Z}\p{Cc}\p{Cf}\p{M}]/gu;
/** Input methods write the dot inside a name in several ways. */
const MIDDLE_DOT = /[\u2022\u2027\u2219\u22c5\u30fb]/g;
/** Pinyin parts its syllables with an apostrophe (xi'an); there it is no sign. */
const SYLLABLE_MARK = /(?<=\p{Script=Latin}\p{M}*)['’＇](?=\p{Script=Latin}|$)/gu;

/** A character as it is compared: half-width, lower case, without accents, ü as v (lǜ, lü and lv are one); '' for a blank. */
function foldCharacter(character: string): string {
  const folded = character
    .normalize('NFKD')
    .toLowerCase()
    .replace(/u\u0308/g, 'v')
    .replace(BLANKS_AND_MARKS, '')
    .replace(MIDDLE_DOT, '·');
  // A sign that is nothing but an accent (´) stands for itself.
  return folded === '' && !ONLY_BLANK.test(character) ? character : folded;
}

/** A text in both forms that are compared. */
export function fold(text: string): FoldedText {
  const letters = { folded: '', from: [] as number[], to: [] as number[] };
  const withSigns = { folded: '', from: [] as number[], to: [] as number[] };
  for (const { 0: character, index } of text.matchAll(CHARACTER)) {
    for (const char of foldCharacter(character)) {
      for (const form of LETTER_OR_DIGIT.test(char) ? [letters, withSigns] : [withSigns]) {
        form.folded += char;
        for (let unit = 0; unit < char.length; unit += 1) {
          form.from.push(index);
          form.to.push(index + character.length);
        }
      }
    }
  }
  return { text, ...letters, withSigns: withSigns.folded === letters.folded ? letters : withSigns };
}

/** A text with the pinyin of every unit of its folded form, ready for searching. */
export function searchable(folded: FoldedText, reading: readonly string[]): Searchable {
  return { ...folded, reading, initials: reading.map((syllable) => syllable[0] ?? '\0').join('') };
}

/**
 * What was typed, ready for comparing. A text without signs is found across signs (中国石油大学北京 in 中国石油大学（北京）)
 * and as pinyin; a text with a sign is found only where it stands as it was typed (spec §5: contains).
 * @returns null for an empty text and for blanks, which look for nothing
 */
export function foldTyped(typed: string): TypedText | null {
  const bare = fold(typed.replace(SYLLABLE_MARK, ''));
  const exact = bare.withSigns.folded !== bare.folded;
  const folded = exact ? fold(typed).withSigns.folded : bare.folded;
  return folded === '' ? null : { folded, exact, latin: !exact && /[a-z]/.test(folded) };
}

/** How good a match is, from best to worst. A whole short name typed in pinyin (beida) stands before a mere part of a name. */
const RANK = {
  whole: 0,
  namePrefix: 1,
  aliasPrefix: 2,
  wholeReading: 3,
  nameInside: 4,
  aliasInside: 5,
  nameReadingPrefix: 6,
  aliasReadingPrefix: 7,
  nameReadingInside: 8,
  aliasReadingInside: 9,
};

/** A match before it is worded for the screen: thousands of these are compared at every key press. */
export interface Hit {
  where: Searchable;
  by: Match['by'];
  /** The form of `where` in which it was found; `start` and `end` count its units. */
  form: Form;
  start: number;
  end: number;
  rank: number;
}

/**
 * Finds a query in a candidate: as characters of the name or a short name, else as their pinyin, initials, or a mixture
 * (bjdx, beida, beijingdx, 北京dx). @returns the best match, or null
 */
export function hitIn(candidate: Candidate, query: TypedText): Hit | null {
  let best = hitOf(candidate.name, query, true);
  for (const alias of candidate.aliases) {
    if (best?.rank === RANK.whole) break;
    const found = hitOf(alias, query, false);
    if (found && (best === null || found.rank < best.rank)) best = found;
  }
  return best;
}

/** A match for the screen: the text with the characters to highlight, and how they were found. */
export function matchOf({ where, by, form, start, end, rank }: Hit): Match {
  const read = by === 'pinyin' || by === 'initials';
  const syllables = read ? where.reading.slice(start, end).filter((syllable) => syllable !== '') : [];
  return {
    by,
    text: where.text,
    from: form.from[start] ?? 0,
    to: form.to[end - 1] ?? 0,
    reading: syllables.join(' '),
    rank,
  };
}

function hitOf(where: Searchable, query: TypedText, isName: boolean): Hit | null {
  const { folded } = query;
  const form = query.exact ? where.withSigns : where;
  const at = form.folded.indexOf(folded);
  if (at >= 0) {
    const [prefix, inside] = isName ? [RANK.namePrefix, RANK.nameInside] : [RANK.aliasPrefix, RANK.aliasInside];
    const whole = folded.length === form.folded.length;
    const rank = whole ? RANK.whole : at === 0 ? prefix : inside;
    return { where, by: isName ? 'name' : 'alias', form, start: at, end: at + folded.length, rank };
  }
  if (!query.latin) return null;
  const first = folded[0] ?? '';
  // A query that begins with a Chinese character is read from there.
  const starts = first >= 'a' && first <= 'z' ? where.initials : where.folded;
  for (let start = starts.indexOf(first); start >= 0; start = starts.indexOf(first, start + 1)) {
    const found = readFrom(where, folded, 0, start, false, false);
    if (!found) continue;
    const whole = start === 0 && found.end === where.folded.length && found.complete;
    const [prefix, inside] = isName
      ? [RANK.nameReadingPrefix, RANK.nameReadingInside]
      : [RANK.aliasReadingPrefix, RANK.aliasReadingInside];
    const rank = whole ? RANK.wholeReading : start === 0 ? prefix : inside;
    return { where, by: found.initials ? 'initials' : 'pinyin', form: where, start, end: found.end, rank };
  }
  return null;
}

interface Reading {
  /** The unit after the last one that was read. */
  end: number;
  /** Every syllable by its first letter. */
  initials: boolean;
  /** No syllable is cut short in a mixture: the whole was typed one way. */
  complete: boolean;
}

/**
 * Reads a query from one character on: each character by itself, by its syllable or by the syllable's initial (zh, ch, sh
 * count as one), the last one as far as it is typed.
 * @param typed how many letters of the query have been read
 * @param unit the unit of `where` to read next
 * @param full whether any character was read by its whole syllable
 * @param short whether any was read by its initial
 */
function readFrom(
  where: Searchable,
  query: string,
  typed: number,
  unit: number,
  full: boolean,
  short: boolean,
): Reading | null {
  if (typed === query.length) return { end: unit, initials: short && !full, complete: full !== short };
  const syllable = where.reading[unit];
  if (syllable === undefined) return null;
  // The second half of a character outside the basic plane.
  if (syllable === '') return typed === 0 ? null : readFrom(where, query, typed, unit + 1, full, short);
  const letter = query.charCodeAt(typed);
  const itself = where.folded.charCodeAt(unit);
  if (letter === itself && syllable.charCodeAt(0) !== itself) {
    return readFrom(where, query, typed + 1, unit + 1, true, short);
  }
  if (letter !== syllable.charCodeAt(0)) return null;
  if (query.startsWith(syllable, typed)) {
    // A syllable of one letter (e, or a Latin letter) is as much an initial as it is whole.
    const single = syllable.length === 1;
    const found = readFrom(where, query, typed + syllable.length, unit + 1, full || !single, short || single);
    if (found) return found;
  }
  const rest = query.length - typed;
  if (rest > 1 && rest < syllable.length && syllable.startsWith(query.slice(typed))) {
    return { end: unit + 1, initials: false, complete: false };
  }
  if (query[typed + 1] === 'h' && /^[zcs]h/.test(syllable)) {
    const found = readFrom(where, query, typed + 2, unit + 1, full, true);
    if (found) return found;
  }
  return readFrom(where, query, typed + 1, unit + 1, full, true);
}
