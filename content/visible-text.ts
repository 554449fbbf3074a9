/**
 * Controls, and signs that show as nothing or turn the text around them. Word processors and web forms leave some; they
 * hide in comparisons, and PostgreSQL stores no NUL. Tabs and line breaks are no such signs.
 */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?![\n\t])\p{Cc}/gu;

/** The text of a stranger's file as it is stored, a name as well as a topic: what nobody would see is not there. Word ends a line within a paragraph by \v. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?|\v/g, '\n')
    .replace(INVISIBLE, '')
    .toWellFormed();

/** Signs that are no text and no line end, in a text that is to be stored: each once, written out. */
export const controlsOf = (text: string): string[] => [
  ...new Set((text.match(/(?![\n\t\r\v])\p{Cc}/gu) ?? []).map(spelledOut)),
];

/** Signs that no two machines show alike: of private use (造字, what is left of a font of signs), and what stands for one that was lost. */
const UNKNOWN = /[\p{Co}\ufffd]/gu;

/** What of a text shows as an empty box, or as whatever the font of a machine has there, as a sentence in Chinese; null: nothing. */
export function unknownSigns(text: string): string | null {
  const signs = [...new Set(text.match(UNKNOWN))];
  if (signs.length === 0) return null;
  const codes = signs.slice(0, 3).map((sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase()}`);
  return `有 ${signs.length} 种字符（${codes.join('、')}${signs.length > 3 ? ' 等' : ''}）是造字、符号字体的残留或损坏的字，学员看到的多是方框；请换成通常的字符`;
}

/** Signs that turn the letters behind them around; those that turn nothing in Chinese or Latin (U+202A, U+202D, marks) are in much that was pasted. */
const TURNING = /[\u202b\u202e\u2067]/;

/** What of a text stands in another order where it was written than on a page, which has none of these signs, as a sentence in Chinese; null: nothing. */
export function turnedText(text: string): string | null {
  const code = TURNING.exec(text)?.[0].charCodeAt(0).toString(16).toUpperCase();
  return code === undefined
    ? null
    : `有改变文字方向的看不见的字符（U+${code}），学员看到的是没有它的顺序；请删掉它，核对显示的文字`;
}

/** The text of a stranger's file for a terminal, which would obey some of these signs: they are written out, as \u001b. */
export const spelledOut = (text: string): string =>
  text.replace(INVISIBLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
