import katex from 'katex';
import { formulaOptions } from '#rules/rich-text/formula-source.ts';

/** Formulas whose fault is remembered: questions of one file share many. */
const REMEMBERED = 5000;
const known = new Map<string, string | null>();

/** Why a formula cannot be set, in Chinese. @param said what the library says, in English */
function reason(said: string): string {
  const command = /Undefined control sequence: (\\[a-zA-Z]+|\\.)/.exec(said)?.[1];
  if (command) return `不认识的命令 ${command}`;
  const place = /No such environment: ([^ ]{1,40})/.exec(said)?.[1];
  if (place) return `不认识的环境 ${place}`;
  if (/Expected '(?:\}|EOF|\\right|\\end|&)/.test(said) || /Unexpected end|Extra \}|Missing/.test(said))
    return '括号或 \\left、\\begin 没有成对';
  if (/Double (?:super|sub)script/.test(said)) return '一处有两个上标或两个下标';
  return '写法有误';
}

/** Why the library that sets formulas in the browser (ui/formulas.ts, with the same options) cannot set this one; null: it can. */
function unsettable(tex: string, display: boolean): string | null {
  const key = `${display ? 'd' : 'i'}${tex}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let why: string | null = null;
  try {
    // As MathML alone it is ten times as fast; what cannot be read fails alike.
    katex.renderToString(tex, { ...formulaOptions(display), output: 'mathml' });
  } catch (error) {
    why = reason(error instanceof Error ? error.message : String(error));
  }
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, why);
  return why;
}

/** A sentence in Chinese for each formula that will stand on the page as its source. Formulas within the bounds of rules/rich-text/bounds.ts alone. */
export function warningsOf(formulas: readonly { tex: string; display: boolean }[]): string[] {
  const warnings = new Set<string>();
  for (const { tex, display } of formulas) {
    const why = unsettable(tex, display);
    if (why !== null)
      warnings.add(`公式排不出来，会照原样显示（${why}）：${tex.slice(0, 60)}${tex.length > 60 ? '…' : ''}`);
  }
  return [...warnings];
}
