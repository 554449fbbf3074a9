import type { Checked } from '#content/checked.ts';
import { visibleText } from '#content/visible-text.ts';

const LONGEST_NAME = 100;

/** Reads a chapter path such as 第一章/第一节/极限: one to three names. A separator behind `\` is a sign of its name (`TCP\/IP协议`). */
export function readChapterPath(text: string): Checked<string[]> {
  const tag = /<\/?[a-zA-Z][^<>]*>/.exec(text)?.[0];
  if (tag !== undefined)
    return {
      ok: false,
      why: `章节“${text.trim().slice(0, 60)}”里有标签 ${tag.slice(0, 20)}，章节只能写字，请删去标签`,
    };
  const names = visibleText(text)
    .split(/(?<!\\)(?:[/／]|[-－–—]{0,8}[>＞])/)
    .map((name) =>
      name
        .replace(/\\([/／>＞])/g, '$1')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  while (names.at(-1) === '') names.pop();
  if (names[0] === '') names.shift();
  if (names.length > 3)
    return {
      ok: false,
      why: `章节“${text.trim().slice(0, 60)}”有 ${names.length} 级，最多三级，写法如 第一章/第一节/极限；名称里本来就有的“/”写成“\\/”`,
    };
  if (names.includes('')) return { ok: false, why: `章节“${text.trim().slice(0, 60)}”里有一级是空的` };
  const long = names.find((name) => name.length > LONGEST_NAME);
  if (long) return { ok: false, why: `章节名“${long.slice(0, 20)}…”太长，每级最多 ${LONGEST_NAME} 个字` };
  return { ok: true, value: names };
}

/** Two words of Latin letters about a separator: rather one name (TCP/IP, I/O) than two levels. */
const ONE_NAME = /(?<!\\)(?<=[a-zA-Z])[/／](?=[a-zA-Z])/;

/** Whether a part of a path is rather one name than two levels. */
export const looksLikeOneName = (text: string): boolean => ONE_NAME.test(text);
