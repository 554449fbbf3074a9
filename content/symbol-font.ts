/** A font by its name, and whether the file says that it draws signs of its own (character set 2) in the place of letters. */
export interface Font {
  name: string;
  ofSigns: boolean;
}

/** Letters in the place of which most fonts of signs draw others. */
const ALL_LETTERS = /[\u0021-\u007e\u00a1-\u00ff\uf020-\uf0ff]/;
/** Fonts that draw signs in the place of letters, and the letters for which they do. */
const OF_SYMBOLS: readonly [font: RegExp, letters: RegExp][] = [
  // °, ± and · (of lists of Word) are seen as themselves.
  [/^symbol$/i, /[A-Za-z"$'*@^`\u00a1-\u00af\u00b2-\u00b6\u00b8-\u00fe\uf020-\uf0ff]/],
  [/^(?:wingdings(?: [23])?|webdings|marlett|mt extra|(?:itc )?zapf ?dingbats|monotype sorts)$/i, ALL_LETTERS],
  // Of phonetic signs, as before Unicode: E is seen as ɛ, N as ŋ, 5 as ˈ. Most small letters, slashes and square brackets are themselves.
  [/phonetic|^ipa ?pan|^(?:sil ?\w+ ?ipa|ipa ?kiel)/i, /[!-.0-Z\\^`{-~\u00a1-\u00ff\uf020-\uf0ff]/],
];
/** Fonts of letters, of which no character set makes signs: programs leave that of a former font in the file. */
const OF_LETTERS =
  /\p{Script=Han}|^(?:aptos|arial|bookman|book antiqua|calibri|cambria|candara|century|comic sans|consolas|constantia|corbel|courier|dejavu|dengxian|fangsong|garamond|georgia|helvetica|kaiti|liberation|lucida|microsoft|ms p?(?:gothic|mincho)|n?simsun|noto|palatino|pingfang|roboto|segoe ui(?! symbol)|simhei|source|st(?:fangsong|heiti|kaiti|song)|tahoma|times|trebuchet|verdana|youyuan)/iu;

/** A font that shows a text as other signs than those that it is written with; null: it shows them. */
export const symbolFont = ({ name, ofSigns }: Font, text: string): string | null =>
  (ofSigns && !OF_LETTERS.test(name) && !OF_SYMBOLS.some(([known]) => known.test(name)) && ALL_LETTERS.test(text)) ||
  OF_SYMBOLS.some(([known, letters]) => known.test(name) && letters.test(text))
    ? name
    : null;

/** The character set of fonts of signs (Windows). */
export const CHARSET_OF_SIGNS = '2';
