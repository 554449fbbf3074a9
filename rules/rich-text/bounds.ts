/** The longest formula, in characters. The longest of a real paper (a system of equations with words) has some 600. */
export const LONGEST_FORMULA = 2000;
/** How deep the parts of a formula may stand inside each other: groups, environments, fences, and switches of font or size. */
export const DEEPEST_FORMULA = 24;
/** Formulas that one text may have. */
export const MOST_FORMULAS = 400;
/** Elements of HTML that one text may have, and how deep they may stand inside each other. */
export const MOST_ELEMENTS = 3000;
export const DEEPEST_ELEMENT = 40;

/** Why a formula is not set: it stays as its source. */
export type FormulaFault = 'long' | 'deep' | 'defines';
/** Why a text is not read as HTML. */
export type MarkupFault = 'manyElements' | 'deepElements';

/** Commands that name new ones. Their expansion has no bound worth the name: a line of them doubles itself until memory ends. */
const DEFINING = new Set(
  'def gdef edef xdef let global long futurelet newcommand renewcommand providecommand csname expandafter noexpand'.split(
    ' ',
  ),
);
/** Commands after which all the rest of their group stands one step deeper. */
const SWITCH =
  /^(?:color|displaystyle|textstyle|scriptstyle|scriptscriptstyle|tiny|sixptsize|scriptsize|footnotesize|small|normalsize|[lL]arge|LARGE|huge|Huge|rm|sf|tt|bf|it|cal|over|choose|atop|brace|brack|above)$/;
/** A command, a sign that is taken by its letter, or one of the signs that group. */
const TOKEN = /\\([a-zA-Z@]+)\*?|\\[\s\S]|[{}[\]]|[^\\{}[\]\s]/g;

/**
 * What keeps a formula from being set, or null. It is decided by reading the source once, before anything expands or nests:
 * length, depth, and no definitions, so that one formula can neither take the page with it nor change another one.
 */
export function formulaFault(tex: string): FormulaFault | null {
  if (tex.length > LONGEST_FORMULA) return 'long';
  /** Of each open group: its sign, and how deep its switches have taken what follows. */
  const open: { close: string; switches: number }[] = [{ close: '', switches: 0 }];
  let depth = 0;
  /** Commands that directly follow each other: each may be the argument of the one before. */
  let run = 0;
  let afterCommand = false;
  const enter = (close: string) => {
    open.push({ close, switches: 0 });
    depth += 1;
  };
  const leave = (close: string) => {
    const top = open.at(-1);
    if (open.length === 1 || top?.close !== close) return;
    open.pop();
    depth -= 1 + top.switches;
  };
  for (const { 0: token, 1: command } of tex.matchAll(TOKEN)) {
    if (command !== undefined) {
      if (DEFINING.has(command)) return 'defines';
      run += 1;
      if (command === 'begin' || command === 'left') enter(command);
      else if (command === 'end') leave('begin');
      else if (command === 'right') leave('left');
      else if (SWITCH.test(command)) {
        depth += 1;
        const group = open.at(-1);
        if (group) group.switches += 1;
      }
    } else {
      if (token === '{') enter('}');
      else if (token === '}') leave('}');
      // A bracket groups only as the option of a command: [0, 1) is a sign of its own.
      else if (token === '[' && afterCommand) enter(']');
      else if (token === ']') leave(']');
      if (token !== '{') run = 0;
    }
    // A cell of a matrix ends what was switched in it.
    const group = open.at(-1);
    if (group?.close === 'begin' && (token === '&' || token === '\\\\')) {
      depth -= group.switches;
      group.switches = 0;
    }
    afterCommand = token.startsWith('\\');
    if (depth > DEEPEST_FORMULA || run > LONGEST_RUN) return 'deep';
  }
  return null;
}

/** Commands without anything between them: forty letters of Greek are no formula. */
const LONGEST_RUN = 60;

/** Elements that have no end, and those that a next one of the same kind ends. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const ENDS_ITSELF = new Set('p li dt dd tr td th thead tbody tfoot option rt rp'.split(' '));
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)/g;

/**
 * What keeps a text from being read as HTML, or null. It counts what looks like a tag, which is never less than what a browser
 * would make of it; so it holds before anything has parsed or cleaned the text.
 */
export function markupFault(html: string): MarkupFault | null {
  const open: string[] = [];
  let elements = 0;
  for (const [, slash, written = ''] of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (slash) {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
      continue;
    }
    elements += 1;
    if (elements > MOST_ELEMENTS) return 'manyElements';
    if (VOID.has(name)) continue;
    if (!(ENDS_ITSELF.has(name) && open.at(-1) === name)) open.push(name);
    if (open.length > DEEPEST_ELEMENT) return 'deepElements';
  }
  return null;
}
