import { tidyText } from '#rules/wording/tidy.ts';

/** How many characters a text has as a person counts: code points, with CRLF as LF (decisions §6), on both sides alike. */
export function countText(typed: string): number {
  let count = 0;
  for (const _ of typed.replaceAll('\r\n', '\n')) count += 1;
  return count;
}

/** What is stored of a typed text, or why not: blank (unless `mayBeBlank`), or longer than `longest` (spec §5, §9). */
export function checkText(
  typed: string | undefined,
  longest: number,
  mayBeBlank = false,
): { ok: true; text: string } | { ok: false; why: 'commentEmpty' | 'textTooLong' } {
  const text = tidyText(typed?.replaceAll('\r\n', '\n'));
  if (text === '' && !mayBeBlank) return { ok: false, why: 'commentEmpty' };
  if (countText(text) > longest) return { ok: false, why: 'textTooLong' };
  return { ok: true, text };
}
