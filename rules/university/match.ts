/** A text made ready for searching: letters and digits only, half-width, lower case, each with its place and its pinyin. */
export interface Searchable {
  text: string;
  /** What is compared. */
  folded: string;
  /** For every unit of `folded`, where its character begins and ends in `text`. */
  from: readonly number[];
  to: readonly number[];
  /** For every unit of `folded` its pinyin without tone (ü is v); letters and digits stand for themselves. */
  reading: readonly string[];
  /** The first letter of every reading, as one text of the length of `folded`. */
  initials: string;
}

/** A university as the search sees it. */
export interface Candidate {
  name: Searchable;
  /** Short names, former names, abbreviations. */
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

const KEPT = /[\p{L}\p{N}]/u;

/** Letters and digits of a text in the form that is compared: case, width, blanks and brackets make no difference. */
export function fold(text: string): Omit<Searchable, 'reading' | 'initials'> {
  let folded = '';
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const char of text) {
    for (const one of char.normalize('NFKC').toLowerCase()) {
      if (!KEPT.test(one)) continue;
      folded += one;
      for (let unit = 0; unit < one.length; unit += 1) {
        from.push(at);
        to.push(at + char.length);
      }
    }
    at += char.length;
  }
  return { text, folded, from, to };
}

/** A text with the pinyin of every unit of its folded form, ready for searching. */
export function searchable(folded: ReturnType<typeof fold>, reading: readonly string[]): Searchable {
  return { ...folded, reading, initials: reading.map((syllable) => syllable[0] ?? '\0').join('') };
}

/** What was typed, folded; tones and ü of typed pinyin become what pinyin is compared by (lǜ, lü and lv are one). */
export function foldQuery(typed: string): string {
  const plain = typed
    .normalize('NFD')
    .replace(/u\u0308/gi, 'v')
    .replace(/[\u0300-\u036f]/g, '');
  return fold(plain.normalize('NFC')).folded;
}

/** How good a place is, from best to worst. A whole short name typed in pinyin (beida) stands before a mere part of a name. */
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

/** Where a query was found, before it is told to anybody: thousands of these are compared for every key. */
export interface Place {
  where: Searchable;
  by: Match['by'];
  /** Units of the folded text. */
  start: number;
  end: number;
  rank: number;
}

/**
 * Finds a folded query in a university: as characters of the name or a short name, else as their pinyin, initials, or a
 * mixture (bjdx, beida, beijingdx, 北京dx). @returns the best place, or null.
 */
export function placeIn(candidate: Candidate, query: string): Place | null {
  if (query === '') return null;
  const latin = /[a-z]/.test(query);
  let best = placeOf(candidate.name, query, true, latin);
  for (const alias of candidate.aliases) {
    if (best?.rank === RANK.whole) break;
    const found = placeOf(alias, query, false, latin);
    if (found && (best === null || found.rank < best.rank)) best = found;
  }
  return best;
}

/** A place as it is told: the text with the characters to highlight and how they were found. */
export function matchOf({ where, by, start, end, rank }: Place): Match {
  const read = by === 'pinyin' || by === 'initials';
  const syllables = read ? where.reading.slice(start, end).filter((one) => one !== '') : [];
  return {
    by,
    text: where.text,
    from: where.from[start] ?? 0,
    to: where.to[end - 1] ?? 0,
    reading: syllables.join(' '),
    rank,
  };
}

function placeOf(where: Searchable, query: string, isName: boolean, latin: boolean): Place | null {
  const { folded, initials } = where;
  const at = folded.indexOf(query);
  if (at >= 0) {
    const end = at + query.length;
    const whole = query.length === folded.length;
    const [prefix, inside] = isName ? [RANK.namePrefix, RANK.nameInside] : [RANK.aliasPrefix, RANK.aliasInside];
    return {
      where,
      by: isName ? 'name' : 'alias',
      start: at,
      end,
      rank: whole ? RANK.whole : at === 0 ? prefix : inside,
    };
  }
  if (!latin) return null;
  const first = query[0] ?? '';
  // A query that begins with a Chinese character is read from there.
  const starts = first >= 'a' && first <= 'z' ? initials : folded;
  for (let start = starts.indexOf(first); start >= 0; start = starts.indexOf(first, start + 1)) {
    const found = readFrom(where, query, 0, start, false, false);
    if (!found) continue;
    const whole = start === 0 && found.end === folded.length && found.complete;
    const [prefix, inside] = isName
      ? [RANK.nameReadingPrefix, RANK.nameReadingInside]
      : [RANK.aliasReadingPrefix, RANK.aliasReadingInside];
    const rank = whole ? RANK.wholeReading : start === 0 ? prefix : inside;
    return { where, by: found.initials ? 'initials' : 'pinyin', start, end: found.end, rank };
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
 * @param typed how much of the query has been read, @param unit where; @param full, @param short: whether any character
 * was read whole, or by its initial
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
