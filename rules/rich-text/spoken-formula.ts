import { fill } from '#rules/wording/fill.ts';
import { type FormulaForm, type FormulaWords, formulaWords, greekPlace } from './formula-words.ts';

/** An element of MathML. */
export interface FormulaNode {
  name: string;
  /** The text inside, of its descendants too. */
  text: string;
  children: readonly FormulaNode[];
  /** Its `mathvariant`, or "". */
  variant: string;
  /** Whether it draws no line although it is a fraction: a binomial. */
  lineless: boolean;
}

/** Signs that are said with bounds below and above, as `∫` from 0 to 1. */
const BOUNDED = new Set([...'∫∬∭∮∯∑∏⋃⋂', 'lim', 'max', 'min', 'sup', 'inf']);
const SILENT = new Set(['mspace', 'mphantom', 'annotation', 'annotation-xml', 'none']);
/** Signs that draw nothing: applied to, times, and, plus between two letters. */
const UNDRAWN = /[\u2061-\u2064\u200b]/g;

/**
 * A formula in words, for who hears it: nothing of it is told by place alone, and every part that could be taken for more
 * or less has its end said. From the MathML that sets it, whose elements it knows as KaTeX uses them; what it does not know
 * it reads from left to right. @param language of the listener's screen
 */
export function spokenFormula(formula: FormulaNode, language: 'zh' | 'en'): string {
  const said = say(formula, formulaWords[language]);
  // A pause is one, whatever follows it.
  return said
    .replace(/\s+/g, ' ')
    .replace(/\s+([，,；;])/g, '$1')
    .replace(/，\s+/g, '，')
    .replace(/([，,；;])(?:\s*[，,；;])+/g, '$1')
    .replace(/^[，,；;\s]+|[，,；;\s]+$/g, '');
}

function say(node: FormulaNode, words: FormulaWords): string {
  const [a, b, c] = node.children;
  switch (node.name) {
    case 'mi':
    case 'mn':
      return sayLetter(node, words);
    case 'mo':
      return saySign(node.text, words);
    case 'mtext':
      return node.text.replace(/[\s\u00a0]+/g, ' ');
    case 'mfrac':
      return a && b ? sayFraction(node, a, b, words) : '';
    case 'msqrt':
      return isOne(node)
        ? form(words, 'root', sayRow(node.children, words))
        : form(words, 'longRoot', sayRow(node.children, words));
    case 'mroot':
      return a && b ? sayRoot(a, b, words) : '';
    case 'msup':
      return a && b ? sayRaised(say(a, words), b, words) : '';
    case 'msub':
    case 'munder':
      return a && b ? sayLowered(a, b, node.name === 'munder', words) : '';
    case 'mover':
      return a && b ? sayOver(a, b, words) : '';
    case 'msubsup':
    case 'munderover':
      return a && b && c ? sayBoth(a, b, c, words) : '';
    case 'mtable':
      return sayTable(node, words, 'row');
    default:
      return SILENT.has(node.name) ? '' : sayRow(node.children, words);
  }
}

/** Elements in a row: a sign before which nothing stands is one of its own, and what fences hold is said by what they mean. */
function sayRow(nodes: readonly FormulaNode[], words: FormulaWords): string {
  const row = nodes.filter((node) => !SILENT.has(node.name));
  const fenced = sayFenced(row, words);
  if (fenced !== null) return fenced;
  return row
    .map((node, at) => {
      const before = row[at - 1];
      const bare = node.name === 'mo' && (!before || (before.name === 'mo' && !/^[)\]}⟩∣|!′…⋯]$/.test(clear(before))));
      return (bare ? words.leading[clear(node)] : undefined) ?? say(node, words);
    })
    .join(' ');
}

function sayFenced(row: readonly FormulaNode[], words: FormulaWords): string | null {
  const first = row[0];
  const last = row.at(-1);
  if (!first || !last || row.length < 2 || (first.name !== 'mo' && !isBar(first))) return null;
  const open = clear(first);
  const close = last.name === 'mo' || isBar(last) ? clear(last) : '';
  const inside = row.slice(1, close === '' ? undefined : -1).filter(({ name }) => name !== 'mspace');
  const table = inside.length === 1 && inside[0] ? bared(inside[0]) : null;
  if (table?.name === 'mtable') {
    if (open === '{') return sayTable(table, words, 'case');
    if (open === '∣' && close === '∣') return sayTable(table, words, 'determinant');
    if ('([‖'.includes(open)) return sayTable(table, words, 'matrix');
  }
  if (table?.name === 'mfrac' && table.lineless) return say(table, words);
  if (open === '∣' && close === '∣' && row.filter(isBar).length === 2)
    return form(words, 'absolute', sayRow(inside, words));
  return null;
}

/** The one element inside of elements that only change how it looks. */
function bared(node: FormulaNode): FormulaNode {
  const only = node.children.length === 1 ? node.children[0] : undefined;
  return only && /^(mrow|mstyle|mpadded|semantics|math)$/.test(node.name) ? bared(only) : node;
}

const clear = (node: FormulaNode): string => node.text.replace(UNDRAWN, '').normalize('NFC').trim();

/** A bar is written as a letter where nothing is said of its height. */
const isBar = (node: FormulaNode): boolean => /^m[io]$/.test(node.name) && clear(node) === '∣';

/** Whether it is one letter, number or word: then it needs no end. */
function isOne(node: FormulaNode): boolean {
  const drawn = node.children.filter(
    (child) => !SILENT.has(child.name) && (child.name !== 'mo' || clear(child) !== ''),
  );
  if (node.name === 'mi' || node.name === 'mn') return true;
  if (/^(msub|msup|mfrac|msubsup|mover|munder|munderover|mtable|mroot)$/.test(node.name)) return false;
  return drawn.length === 1 && drawn[0] !== undefined && isOne(drawn[0]);
}

function sayLetter(node: FormulaNode, words: FormulaWords): string {
  const text = clear(node);
  if (node.name === 'mn') return text;
  if (node.variant === 'double-struck' && words.sets[text]) return words.sets[text];
  const known = words.signs[text];
  if (known !== undefined) return known;
  if ([...text].length !== 1) return text;
  const small = text.toLowerCase();
  const letter = words.greek[greekPlace(small)] ?? small;
  return small === text ? letter : form(words, 'capital', letter === small ? text : letter);
}

function saySign(text: string, words: FormulaWords): string {
  const sign = text.replace(UNDRAWN, '').normalize('NFC').trim();
  return words.signs[sign] ?? sign;
}

function sayFraction(node: FormulaNode, a: FormulaNode, b: FormulaNode, words: FormulaWords): string {
  if (node.lineless) return form(words, 'binomial', say(a, words), say(b, words));
  return form(words, isOne(a) && isOne(b) ? 'fraction' : 'longFraction', say(a, words), say(b, words));
}

function sayRoot(a: FormulaNode, b: FormulaNode, words: FormulaWords): string {
  if (b.text.trim() === '3') return form(words, 'cubeRoot', say(a, words));
  return form(words, 'nthRoot', say(a, words), say(b, words));
}

const primes: readonly FormulaForm[] = ['prime', 'doublePrime', 'triplePrime'];

function sayRaised(base: string, power: FormulaNode, words: FormulaWords): string {
  const text = clear(power);
  const prime = /^[′'’]{1,3}$/.test(text) ? primes[text.length - 1] : undefined;
  if (prime) return form(words, prime, base);
  const named = words.powers[text];
  if (named) return fill(named, { a: base });
  if (text === '∘') return form(words, 'degrees', base);
  if (text === 'T' && bared(power).variant === 'normal') return form(words, 'transpose', base);
  // A sign alone, a star, or an order in brackets is no power.
  if (!/[\p{L}\p{N}]/u.test(text) || text.startsWith('(')) return form(words, 'superscript', base, say(power, words));
  return form(words, isOne(power) ? 'power' : 'longPower', base, say(power, words));
}

function isBounded(base: FormulaNode): boolean {
  return BOUNDED.has(clear(base));
}

function sayLowered(base: FormulaNode, below: FormulaNode, under: boolean, words: FormulaWords): string {
  if (isBounded(base)) {
    return form(words, /[a-z]/.test(clear(base)) ? 'limit' : 'range', say(base, words), say(below, words));
  }
  const value = takenAt(base, words);
  if (value !== null) return form(words, 'at', value, say(below, words));
  const accent = words.accents[clear(below)];
  if (under && accent) return fill(accent, { a: say(base, words) });
  if (under) return form(words, 'under', say(base, words), say(below, words));
  return form(words, isOne(below) ? 'subscript' : 'longSubscript', say(base, words), say(below, words));
}

/** What stands before a bar that ends it: the value at what is below the bar. Null where there is no such bar. */
function takenAt(base: FormulaNode, words: FormulaWords): string | null {
  const row = isBar(base) ? [base] : base.children;
  const last = row.at(-1);
  if (!last || !isBar(last) || (row.length > 1 && row[0] && isBar(row[0]))) return null;
  return sayRow(row.slice(0, -1), words);
}

function sayOver(base: FormulaNode, above: FormulaNode, words: FormulaWords): string {
  const accent = words.accents[clear(above)];
  if (accent) return fill(accent, { a: say(base, words) });
  return form(words, 'over', say(base, words), say(above, words));
}

function sayBoth(base: FormulaNode, below: FormulaNode, above: FormulaNode, words: FormulaWords): string {
  if (isBounded(base)) return form(words, 'fromTo', say(base, words), say(below, words), say(above, words));
  const value = takenAt(base, words);
  if (value !== null) return form(words, 'fromTo', value || saySign('∣', words), say(below, words), say(above, words));
  return sayRaised(sayLowered(base, below, false, words), above, words);
}

/** Rows one after the other, each with its number; what is only set below each other, as steps are, without a name for the whole. */
function sayTable(table: FormulaNode, words: FormulaWords, as: 'row' | 'case' | 'matrix' | 'determinant'): string {
  const rows = table.children.map((row) => row.children);
  const held = as === 'matrix' || as === 'determinant';
  const said = rows.map((cells, at) => {
    const each = cells.map((cell) => say(cell, words)).filter((cell) => cell.trim() !== '');
    const line = each.join(held ? `${words.pause} ` : ' ');
    return rows.length === 1 && !held
      ? line
      : fill(words.forms[as === 'case' ? 'case' : 'row'], { a: line, row: `${at + 1}` });
  });
  const a = said.join(`${words.pause} `);
  const size = { rows: `${rows.length}`, columns: `${Math.max(0, ...rows.map((cells) => cells.length))}` };
  if (as === 'row') return a;
  return fill(words.forms[as === 'case' ? 'cases' : as], { a, ...size });
}

function form(words: FormulaWords, name: FormulaForm, a: string, b = '', c = ''): string {
  return fill(words.forms[name], { a, b, c });
}
