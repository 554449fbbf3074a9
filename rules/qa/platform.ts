import { type QaPlatform, qaPlatform } from '#contract/values/qa.ts';

/**
 * From what somebody wrote, as the spec numbers it (§9: 2 PC, 1 Iphone, else 安卓): by the client's own word, else by the
 * User-Agent. A program without one counts as a PC.
 */
export function platformOf(word: number | undefined, userAgent: string): QaPlatform {
  if (word !== undefined) return word === qaPlatform.pc || word === qaPlatform.iphone ? word : qaPlatform.android;
  if (/iphone|ipad|ipod/i.test(userAgent)) return qaPlatform.iphone;
  return /android|harmony|mobile/i.test(userAgent) ? qaPlatform.android : qaPlatform.pc;
}
