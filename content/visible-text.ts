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

/** The text of a stranger's file for a terminal, which would obey some of these signs: they are written out, as \u001b. */
export const spelledOut = (text: string): string =>
  text.replace(INVISIBLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
