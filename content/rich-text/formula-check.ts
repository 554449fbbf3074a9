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

/** Commands that would load or name something beyond the page: the library shows their name alone, without what they hold. */
const FORBIDDEN = /\\(?:href|url|includegraphics|html(?:Class|Id|Style|Data))(?![a-zA-Z])/;
/** A set with its braces written as they are: LaTeX takes them for a group and shows none. */
const BARE_SET =
  /(?:^|[=<>,，:：;；、。(|∈∉∋∪∩⊆⊂+\-\p{Script=Han}]|\\(?:in|notin|ni|cup|cap|subset|subseteq|subsetneqq|supset|supseteq|setminus|mid|colon|complement)(?![a-zA-Z]))\s*\{[^{}]*?(?:[,，|｜]|\\mid(?![a-zA-Z])|\\vert(?![a-zA-Z]))[^{}]*\}/u;
/** Commands that are seldom written but in formulas. */
const BARE_COMMAND =
  /\\(?:d?frac|sqrt|overline|overrightarrow|vec|mathrm|mathbf|left|begin)\s*[{([]|\\(?:times|div|leq?|geq?|neq|infty|alpha|beta|theta|lambda|omega|pi|sum|int|lim|cdot|pm|angle|triangle|circ|Delta)(?![a-zA-Z])/;

/** What of a formula that can be set shows otherwise than it is written, as sentences in Chinese. */
function* lossesOf(tex: string): Generator<string> {
  const start = `${tex.slice(0, 60)}${tex.length > 60 ? '…' : ''}`;
  const command = FORBIDDEN.exec(tex)?.[0];
  if (command) yield `公式里的 ${command} 不能用，学员看不到它的内容，请删掉它：${start}`;
  // Some programs write a group behind each `\left(`.
  if (BARE_SET.test(tex.replace(/\\[{}]/g, '').replace(/\\left\s*[([|.]/g, 'x')))
    yield `公式里的 { } 学员看不到，集合的大括号请写成 \\{ 和 \\}：${start}`;
  if (/\p{Script=Han}/u.test(tex) && /\d/.test(tex) && !/[\\^_={}<>≤≥≠≈+*/|()（）-]/.test(tex))
    yield `“$…$”之间按公式显示，$ 不显示；如果 $ 是钱，请写成 \\$：${start}`;
}

/** What a text beside its formulas says like one, as a sentence in Chinese; null: nothing. @param text without its formulas */
export function bareFormula(text: string): string | null {
  // What a program prints is no formula.
  if (/<(?:code|pre)\b|`/.test(text)) return null;
  const command = text.includes('\\') ? BARE_COMMAND.exec(text)?.[0] : undefined;
  return command === undefined ? null : `像是公式（${command}…），但没有写在 $…$ 之间，会照原样显示`;
}

/** Beside which words signs of formulas are rather those of a program: commands of shells with what they are given, regular expressions. @see extractFormulas */
const OF_PROGRAMS =
  /(?<![a-zA-Z])(?:(?:awk|sed|[ef]?grep)\s+[-"'“‘/\\^$.\uFDD0\w]|(?:echo|printf)\s+[-"'“\\$\uFDD0]|print\s*\uFDD0)|<\?php/;
/** A regular expression has its signs as well: what lies between two of them begins or ends as no formula does. Of the word alone, much is mathematics (正则语言 $L$). */
const EXPRESSION = /正则表达式/;
const IS_TORN = /^\s*[|"'”’,，、)]|[|"'“‘,，、(]\s*$/;

/** What was read as a formula and is rather a piece of a program, as a sentence in Chinese; null: nothing. @param text without its formulas */
export function programFormula(text: string, formulas: readonly { tex: string; source: string }[]): string | null {
  if (formulas.length === 0 || /<(?:code|pre)\b/.test(text)) return null;
  const isProgram = OF_PROGRAMS.test(text);
  if (!isProgram && !EXPRESSION.test(text)) return null;
  const source = formulas.find(
    ({ tex }) => !/\\[a-zA-Z]{2}|[\^_]\{/.test(tex) && (isProgram || IS_TORN.test(tex)),
  )?.source;
  if (source === undefined) return null;
  return `“${source.slice(0, 60)}”按公式显示，两边的 $ 或 \\( \\) 不显示；如果这里是程序，请写在 <code> 和 </code> 之间`;
}

/** A sentence in Chinese for each formula that will stand on the page as its source, or without a part of it. Formulas within the bounds of rules/rich-text/bounds.ts alone. */
export function warningsOf(formulas: readonly { tex: string; display: boolean }[]): string[] {
  const warnings = new Set<string>();
  for (const { tex, display } of formulas) {
    const why = unsettable(tex, display);
    if (why !== null)
      warnings.add(`公式排不出来，会照原样显示（${why}）：${tex.slice(0, 60)}${tex.length > 60 ? '…' : ''}`);
    else for (const loss of lossesOf(tex)) warnings.add(loss);
  }
  return [...warnings];
}
