import { escapeHtml } from './escape-html.ts';

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

/** Whether blanks stand at one edge only: then the signs were money, not a formula. */
const lopsided = (tex: string) => /^\s/.test(tex) !== /\s$/.test(tex);

/** A number whose sentence goes on in Chinese up to the next sign: in `共 $10，设 $x$` the first sign is money. */
const isPrice = (tex: string) =>
  /^\d[\d.,]*(?=[^\d.,])[^\\^_={}]*[\p{Script=Han}\u3000-\u303f\uff00-\uffef]\s*$/u.test(tex);

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
    else if (tex.trim() === '' || (found.i2 !== undefined && (lopsided(found.i2) || isPrice(found.i2)))) {
      // Not a formula: only the opening sign is behind us, what follows it may still begin one.
      pattern.lastIndex = from + 1;
    } else {
      const display = found.d1 !== undefined || found.d2 !== undefined;
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

/** Delimiters inside a formula have no meaning in LaTeX and would end it early on the page; `\\[2pt]` has one. */
const innerTex = (tex: string) => tex.trim().replace(/\\\\|\\[()[\]]/g, (hit) => (hit === '\\\\' ? hit : hit.slice(1)));

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
