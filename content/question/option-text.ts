/** What may stand in front of an option's own letter: blanks and opening tags of a cell that holds HTML, those of its formatting too (`ownTag`). */
const LEAD = '^((?:\\s|&nbsp;|<(?!/)[a-zA-Z\\uFDD2][^>]*>)*)';

const fullWidth = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);

/** The letter between brackets, or followed by a mark. A blank alone is no mark: "A 型血" is a text. */
function ownLetter(letter: string): RegExp {
  const anyWidth = `(?:${letter}|${letter.toLowerCase()}|${fullWidth(letter)})`;
  return new RegExp(
    `${LEAD}(?:[(（\\[【〔]\\s*${anyWidth}\\s*[)）\\]】〕]\\s*[.．、,，:：]?|${anyWidth}\\s*[.．、,，:：)）])\\s*`,
  );
}

/** A text like "A、B都对" or a rest like "B、C": the letters name other options, the first one is no label. */
const LISTS_OPTIONS = /^(?:<[^>]*>|\s)*[A-HＡ-Ｈ]\s*[、,，]\s*[A-HＡ-Ｈ](?![a-zA-Z])/;
const NAMES_OPTIONS = /^(?:<[^>]*>|\s)*[A-HＡ-Ｈ](?:$|[\s、,，和与及<])/;

const plain = (text: string) => text.replace(/<[^>]*>|&nbsp;|[\s\u3000]/g, '');

/**
 * Takes the letter off options that repeat it (`A. 甲`, `A、甲`, `（A）甲`), or leaves all as they are. It does so only
 * when every option begins with its own letter and a mark, something remains of each, the remains differ, and none of
 * them is a list of letters (A "A、B", B "B、C" are combinations, not labels).
 * @param options letter to text, as written
 */
export function stripLetters(options: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(options);
  const stripped = entries.map(([letter, text]) => [letter, text.replace(ownLetter(letter), '$1')] as const);
  const safe =
    entries.length > 1 &&
    stripped.every(([, rest], at) => rest !== entries[at]?.[1] && plain(rest) !== '' && !NAMES_OPTIONS.test(rest)) &&
    !entries.some(([, text]) => LISTS_OPTIONS.test(text)) &&
    new Set(stripped.map(([, rest]) => plain(rest))).size === entries.length;
  return Object.fromEntries(safe ? stripped : entries);
}

/** A letter of an option at its beginning, with a mark: what `ownLetter` looks for, of any letter. */
const ANY_LETTER = new RegExp(`${LEAD}[(（]?\\s*([A-HＡ-Ｈ])\\s*[.．、:：)）]\\s*`);
/** Behind a letter that is no label: of initials (`D.H. Lawrence`), a ratio (`A:B=1:2`), a drive (`C:\\`). */
const NO_LABEL = /^(?:[A-Z]\s*[.．:：=]|[\\/])/;

/** Whether the letters are labels that got into other columns: turned round, moved by a column, or one of several mistaken. `E. coli` beside `B. subtilis` is a name. */
const areMoved = (columns: string, written: string) => {
  const first = written.charCodeAt(0);
  const others = [...written].filter((letter, at) => letter !== columns[at]).length;
  return (
    [...written].sort().join('') === columns ||
    [...written].every((letter, at) => letter.charCodeAt(0) === first + at) ||
    (others === 1 && written.length > 2)
  );
};

/**
 * Options of a row that all begin with a letter, one of which is that of another column (its key may then mean the letters that are written), or has
 * nothing behind it: each with a sentence in Chinese. @param pictured whether an option has a picture as well
 */
export function otherLetters(
  options: Readonly<Record<string, string>>,
  pictured: (letter: string) => boolean,
): [letter: string, why: string][] {
  const entries = Object.entries(options).map(([letter, text]) => {
    const [found = '', , written = ''] = ANY_LETTER.exec(text) ?? [];
    return { letter, text, written: written.normalize('NFKC'), rest: plain(text.slice(found.length)) };
  });
  if (
    entries.length < 2 ||
    entries.some(({ written, text, rest }) => written === '' || LISTS_OPTIONS.test(text) || NO_LABEL.test(rest)) ||
    !areMoved(entries.map(({ letter }) => letter).join(''), entries.map(({ written }) => written).join(''))
  )
    return [];
  return entries.flatMap(({ letter, written, rest }): [string, string][] => {
    if (written !== letter)
      return [[letter, `选项${letter}里写的字母是 ${written}，和所在的列不一样；请核对选项的顺序和答案`]];
    return rest === '' && !pictured(letter) ? [[letter, `选项${letter}只写了字母，没有内容`]] : [];
  });
}

/** Blanks of a formula that it does not show: all but those of its texts. */
const withoutBlanks = (formula: string) =>
  /\\(?:text|mbox|hbox|verb)/.test(formula)
    ? formula
    : formula
        .replace(/(\\[a-zA-Z]+)\s+(?=[a-zA-Z])/g, '$1\u0000')
        .replace(/\\\s|\s+/g, (hit) => (hit.startsWith('\\') ? hit : ''));

/** An option as it shows: elements that change nothing, and how many blanks stand in one place, do not. */
const asShown = (html: string) =>
  html
    .replace(/<\/?span>/g, '')
    // No formula holds another one's first sign; without that, a text of nothing but such signs took seconds.
    .replace(/\\\((?:(?!\\[()])[\s\S])*\\\)|\\\[(?:(?!\\[[\]])[\s\S])*\\\]/g, withoutBlanks)
    .replace(/(?:<br \/>|&nbsp;|[\s\u3000])+/g, ' ')
    .trim();

/**
 * Two options that a student could not tell apart: equal but for how many blanks stand where one does, and at the edges. Whether a blank stands somewhere, width,
 * case and formatting do tell them apart (`1 2` and `12` as what a program prints, `Na` and `NA`, x² and x2).
 * @param options letter to sanitized HTML
 * @returns their letters; null: all differ
 */
export function sameOptions(options: Readonly<Record<string, string>>): [string, string] | null {
  const earlier = new Map<string, string>();
  for (const [letter, html] of Object.entries(options)) {
    const shown = asShown(html);
    const first = earlier.get(shown);
    if (first !== undefined) return [first, letter];
    earlier.set(shown, letter);
  }
  return null;
}
