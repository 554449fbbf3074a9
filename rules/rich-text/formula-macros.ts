/** Commands of LaTeX for signs in text that the library of formulas does not know, or not outside of `\text`. */
const SIGNS: Readonly<Record<string, string>> = {
  textless: '<',
  textgreater: '>',
  textbar: '|',
  textbardbl: '‖',
  textasciitilde: '~',
  textasciicircum: '^',
  textasciigrave: 'ˋ',
  textbackslash: '\\',
  textunderscore: '_',
  textdollar: '$',
  textbraceleft: '{',
  textbraceright: '}',
  textquotesingle: "'",
  textquotedbl: '"',
  textquoteleft: '‘',
  textquoteright: '’',
  textquotedblleft: '“',
  textquotedblright: '”',
  textendash: '–',
  textemdash: '—',
  textellipsis: '…',
  textbullet: '•',
  textperiodcentered: '·',
  textasteriskcentered: '*',
  textdegree: '°',
  textcelsius: '℃',
  textohm: 'Ω',
  textmu: 'μ',
  texttimes: '×',
  textdiv: '÷',
  textpm: '±',
  textminus: '−',
  textsterling: '£',
  textyen: '¥',
  texteuro: '€',
  texttrademark: '™',
  textsection: '§',
  textparagraph: '¶',
  textperthousand: '‰',
  textonehalf: '½',
  textvisiblespace: '␣',
};

/**
 * The macros with which every formula is set and checked, as KaTeX takes them. Each is text by its code, so that it means the same
 * in a formula and in its text, and a sign that means something to LaTeX (`~`, `{`) means itself.
 */
export const FORMULA_MACROS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SIGNS).map(([name, sign]) => [`\\${name}`, `\\text{\\@char{${sign.codePointAt(0)}}}`]),
);
