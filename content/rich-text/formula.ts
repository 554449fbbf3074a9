import { escapeHtml } from './escape-html.ts';
import { withoutEntities } from './html-tags.ts';

/**
 * Formulas are taken out of a text before anything else reads it and put back at the end, so that neither Markdown nor
 * the HTML sanitizer ever sees LaTeX (`a_1*b_2`, `x<y`, `A & B` would all suffer). In between, a formula is a number
 * between two noncharacters, which both let through and no text has: private-use characters are somebody's (造字).
 */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const HOLDER = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g');
/** Tags and holders, for the walk that puts formulas back. */
const TAG_OR_HOLDER = new RegExp(`<(/?)([a-z0-9]+)[^>]*>|${OPEN}(\\d+)${CLOSE}`, 'g');

interface Formula {
  tex: string;
  display: boolean;
  /** As it was written, for code samples that only look like formulas. */
  source: string;
}

/** A text without its formulas, and the formulas. */
interface Extracted {
  text: string;
  formulas: Formula[];
}

// In order: escaped characters, code (Markdown runs, HTML elements), $$…$$, \[…\], \(…\), $…$. No formula crosses an
// empty line. `$…$` follows the usual rule that keeps prices apart: the closing sign has no digit after it, and blanks
// at the edges stand on both sides or on none.
const CODE =
  '(?<code>(?<run>`+)(?!`)[\\s\\S]*?(?<!`)\\k<run>(?!`)|<(?<tag>code|pre)\\b[^>]*>[\\s\\S]*?</\\k<tag>\\s*>)';
const LINE = '(?:\\\\[\\s\\S]|[^\\\\$])';
const FORMULAS = [
  '\\$\\$(?!\\$)(?<d1>(?:\\\\[\\s\\S]|(?!\\n[ \\t]*\\n)[^$])+?)\\$\\$',
  '\\\\\\[(?<d2>(?:(?!\\n[ \\t]*\\n)[\\s\\S])+?)(?<!\\\\)\\\\\\]',
  '\\\\\\((?<i1>(?:(?!\\n[ \\t]*\\n)[\\s\\S])+?)(?<!\\\\)\\\\\\)',
  `\\$(?<i2>(?:(?!\\n[ \\t]*\\n)${LINE})+?)\\$(?!\\d)`,
].join('|');
const MARKDOWN = new RegExp(`(?<escaped>\\\\[\\\\$\`])|${CODE}|${FORMULAS}`, 'g');
const PLAIN = new RegExp(
  `(?<escaped>\\\\[$])|(?<code><(?<tag>code|pre)\\b[^>]*>[\\s\\S]*?</\\k<tag>\\s*>)|${FORMULAS}`,
  'g',
);

/** Blanks at one edge only: one is a slip in a formula that ends on its line, where it reads like one; else the signs were money. */
function lopsided(tex: string): boolean {
  if (/^\s/.test(tex) === /\s$/.test(tex)) return false;
  const inner = tex.trim();
  if (tex.includes('\n') || tex.length - inner.length > 1) return true;
  const bare = inner.replace(/\\(?:text|mathrm|mbox)[a-z]*\s*\{[^{}]*\}|\\[a-zA-Z]+/g, ' ');
  return WORDS.test(bare) || /^\d[\d.,]*\s+[a-zA-Z]{2,}/.test(inner);
}
/** Chinese, or two words in a row. */
const WORDS = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]|[a-zA-Z]{2,}\s+[a-zA-Z]/u;

/** Nothing but words of Chinese: what stands between two formulas of which the signs are wrongly paired. */
const isChinese = (tex: string) => /^[\s\p{Script=Han}\u3000-\u303f\uff00-\uffef]+$/u.test(tex);

/**
 * A number whose sentence goes on in Chinese up to the next sign, or up to the name of another money: in `共 $10，设 $x$` the first sign is
 * money, and so are both in `HK$100，US$ 200`.
 */
const isPrice = (tex: string) =>
  /^\d[\d.,]*(?=[^\d.,])[^\\^_={}]*[\p{Script=Han}\u3000-\u303f\uff00-\uffef]\s*(?:\(?(?:US|HK|NT|NZ|AU?|CA?|SG?|MOP|R)\s*)?$/u.test(
    tex,
  );

/**
 * A number between blanks whose sentence goes on up to the next amount: `$ 5 and $ 6`, `$ 100 ~ $ 200`, `$ 100，乙 $ 200`. Where no number
 * follows it is a formula: `$ 2ab $`, `$ 10 cm $`.
 */
const isSpacedPrice = (tex: string, behind: string) =>
  /^\s+\d.*\s$/s.test(tex) &&
  /^\s*\d/.test(behind) &&
  (isPrice(tex.trim()) || /^\d[\d.,]*\s*(?:[a-zA-Z]{2,}|[=~～/+:;,，、—–-])$/.test(tex.trim()));

/** Nothing that only a formula has. */
const isText = (tex: string) => !/[\\^_{}]/.test(tex);
/**
 * Whether the signs stand behind amounts (`甲 100$，乙 200$`, `80$～120$`, `5$ or 6$`), or by themselves between marks (`(单位:$)`, `“$”`): what lies
 * between them then begins as no formula does.
 */
const isBehindAmount = (tex: string, before: string) =>
  isText(tex) &&
  ((/[\d０-９百千万亿]$/.test(before) &&
    /^(?:[\s\p{Script=Han}\u3000-\u303f\uff00-\uffef/~～–—-]|[,;])/u.test(tex) &&
    /[\d０-９百千万亿]$/.test(tex)) ||
    (/[([（“"‘'【:：A-Z]$/.test(before) && /^[)\]）”"’'】]/.test(tex) && /[([（“"‘'【:：A-Z]$/.test(tex)));

/**
 * What ends a formula no better than a sentence: a sign that asks for more behind it, a blank, Chinese. Behind `^`, `_` and a backslash a sign
 * is part of the formula (ions, spaces of LaTeX).
 */
const UNFINISHED = /(?:(?<![\\^_])[-+*/:=,;<>&([{."“”‘’\s]|[\p{Script=Han}\u3000-\u303f\uff00-\uffef])$/u;

/**
 * Whether the second sign begins a name, as in `$A$1:$B$4` of a spreadsheet and `$a = $b` of a program: it stands directly before one, and what
 * lies between the signs is left unfinished.
 */
const opensName = (tex: string, behind: string) =>
  (/^[a-zA-Z_]/.test(behind) && UNFINISHED.test(tex)) ||
  (behind.startsWith('(') && /;\s*$/.test(tex)) ||
  (behind.startsWith('{') && (tex.startsWith('{') || UNFINISHED.test(tex)));

/**
 * Whether a sign begins a name of a program that no formula begins like: `$("#a").val($("#b").val())`, `$_GET["a"]`, `$? 表示返回值，$# 表示个数`; or the
 * second one does, behind Chinese.
 */
const opensProgram = (tex: string, behind: string) =>
  (/^\(\s*["'“‘]/.test(tex) && !tex.endsWith(')')) ||
  /^_(?:GET|POST|REQUEST|SERVER|SESSION|COOKIE|FILES|ENV)(?![A-Za-z])/.test(tex) ||
  /^[?#@*!](?:\s*\p{Script=Han}|[\u3000-\u303f\uff00-\uffef])/u.test(tex) ||
  (isText(tex) && /[\p{Script=Han}，。、；：]\s*$/u.test(tex) && /^[#@*?!]/.test(behind));

/** Tags at which a line ends. */
const LINE_END =
  /<\/?(?:br|hr|p|div|table|tr|td|th|li|ul|ol|dd|dt|dl|blockquote|h[1-6]|center|section|article|caption)\b[^<>]*>/gi;
/** How far around a formula its line is looked at (characters): what is longer has words in it. */
const LINE_LOOKED_AT = 300;

/**
 * Whether a formula is all that its line says, a closing mark aside. `$$…$$` in the middle of a sentence belongs to the sentence: many
 * collections of questions write all their formulas so.
 */
function isAlone(source: string, from: number, to: number, markdown: boolean): boolean {
  const blank = (text: string) => text.replace(/<[^<>]*>/g, '').trim();
  const start = Math.max(0, from - LINE_LOOKED_AT);
  const around = source.slice(start, from);
  const line =
    around
      .slice(around.lastIndexOf('\n') + 1)
      .split(LINE_END)
      .at(-1) ?? '';
  // In Markdown a line begins behind the sign of its list or quotation.
  const before = blank(markdown ? line.replace(/^(?:\s|>|[-*+]\s|\d+[.)]\s)+/, '') : line);
  if (before !== '') return false;
  if (start > 0 && line === around) return false;
  const [rest = ''] = source.slice(to, to + LINE_LOOKED_AT).split('\n', 1);
  return /^[.,;:。，；：、]?$/.test(blank(rest.split(LINE_END)[0] ?? ''));
}

/** A formula where it stands in a text, or something between two of them: code, an escaped sign. */
interface Found {
  from: number;
  to: number;
  formula: Formula | null;
  escaped: boolean;
}

function* findFormulas(source: string, markdown: boolean): Generator<Found> {
  if (!/[$\\]/.test(source)) return;
  const pattern = new RegExp(markdown ? MARKDOWN : PLAIN);
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    const found = match.groups ?? {};
    const [from, to] = [match.index, pattern.lastIndex];
    const tex = found.d1 ?? found.d2 ?? found.i1 ?? found.i2;
    if (tex === undefined) yield { from, to, formula: null, escaped: found.escaped !== undefined };
    else if (
      tex.trim() === '' ||
      (found.i2 !== undefined &&
        (lopsided(found.i2) ||
          isPrice(found.i2) ||
          isSpacedPrice(found.i2, source.slice(to, to + 20)) ||
          found.i2.startsWith('%') ||
          isChinese(found.i2) ||
          isBehindAmount(found.i2, source.slice(Math.max(0, from - 1), from)) ||
          opensName(found.i2, source.slice(to, to + 1)) ||
          opensProgram(found.i2, source.slice(to, to + 1))))
    ) {
      // Not a formula: only the opening sign is behind us, what follows it may still begin one.
      pattern.lastIndex = from + 1;
    } else {
      const display = found.d2 !== undefined || (found.d1 !== undefined && isAlone(source, from, to, markdown));
      yield { from, to, formula: { tex: innerTex(tex), display, source: match[0] }, escaped: false };
    }
  }
}

/** Where the formulas of a cell stand, from and to: what formats its words must not reach into them. */
export const formulaSpans = (source: string): (readonly [from: number, to: number])[] =>
  [...findFormulas(source, false)].flatMap(({ from, to, formula }) => (formula ? [[from, to] as const] : []));

/**
 * Takes `$…$`, `$$…$$`, `\(…\)` and `\[…\]` out of a text.
 * @param markdown true: code in backticks is left alone and `\$` stays for Markdown to read; false: `\$` becomes `$`
 */
export function extractFormulas(source: string, markdown: boolean): Extracted {
  const formulas: Formula[] = [];
  const clean = source.replaceAll(OPEN, '').replaceAll(CLOSE, '');
  let text = '';
  let end = 0;
  for (const { from, to, formula, escaped } of findFormulas(clean, markdown)) {
    text += clean.slice(end, from);
    end = to;
    if (formula) text += `${OPEN}${formulas.push(formula) - 1}${CLOSE}`;
    else text += escaped && !markdown ? '$' : clean.slice(from, to);
  }
  return { text: text + clean.slice(end), formulas };
}

/**
 * Entities are read once: web editors write `<` so. Delimiters inside a formula have no meaning in LaTeX and would end it early on the
 * page; `\\[2pt]` has one. A percent sign begins a comment in LaTeX, so `$50%$` would show 50: people mean the sign, but for one that
 * ends a line, which joins it to the next.
 */
const innerTex = (tex: string) =>
  withoutEntities(tex.trim()).replace(/\\[\s\S]|%(?![ \t]*\n)/g, (hit) =>
    hit === '%' ? '\\%' : /^\\[()[\]]$/.test(hit) ? hit.slice(1) : hit,
  );

const written = ({ tex, display }: Formula) => (display ? `\\[${escapeHtml(tex)}\\]` : `\\(${escapeHtml(tex)}\\)`);

/** Puts formulas into sanitized HTML as `\(…\)` and `\[…\]`, escaped; inside code they read as they were written. */
export function restoreFormulas(html: string, formulas: readonly Formula[]): string {
  if (formulas.length === 0) return html;
  let codeDepth = 0;
  const put = (at: string, asCode: boolean) => {
    const formula = formulas[Number(at)];
    if (!formula) return '';
    return asCode ? escapeHtml(formula.source) : written(formula);
  };
  return html.replace(TAG_OR_HOLDER, (hit: string, slash: string | undefined, tag: string | undefined, at?: string) => {
    if (at !== undefined) return put(at, codeDepth > 0);
    if (tag === 'code' || tag === 'pre') codeDepth += slash ? -1 : 1;
    return hit.replace(HOLDER, (_, inTag: string) => put(inTag, false));
  });
}
