import type { Checked } from '#content/checked.ts';
import { squeezed } from '#content/sheet/squeezed.ts';
import { visibleText } from '#content/visible-text.ts';

const LONGEST_ADDRESS = 200;

/**
 * A name as it is stored: brackets full-width (中国地质大学（武汉）), letters half-width, no blanks beside Chinese characters.
 * Two spellings of one name come out the same.
 */
export function normalName(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?(?<=[\p{Script=Han}()]) | (?=[\p{Script=Han}()])/gu, '')
    .replaceAll('(', '（')
    .replaceAll(')', '）');
}

const YES = new Set(['1', '是', '√', '✓', '✔', '☑', 'y', 'yes', 'true', '有', '对', '1.0', '985', '211', '双一流']);
const NO = new Set([
  '',
  '0',
  '否',
  '×',
  '✗',
  '✘',
  'x',
  'n',
  'no',
  'false',
  '无',
  '非',
  '不是',
  '-',
  '—',
  '--',
  '/',
  '0.0',
]);

/** Reads yes or no in the ways people fill in such a column; an empty cell is no. */
export function readYesNo(text: string): Checked<0 | 1> {
  const word = squeezed(text).toLowerCase();
  if (YES.has(word)) return { ok: true, value: 1 };
  if (NO.has(word)) return { ok: true, value: 0 };
  return { ok: false, why: `“${text.trim().slice(0, 20)}”不是 是/否、1/0 或 √/×` };
}

/** Reads the address of a site: www.pku.edu.cn becomes https://www.pku.edu.cn; anything but http and https is refused. */
export function readWeb(text: string): Checked<string> {
  const word = text.normalize('NFKC').trim();
  if (word === '') return { ok: true, value: '' };
  const wrong = { ok: false, why: `“${word.slice(0, 60)}”不是网址，应以 https:// 或 http:// 开头` } as const;
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(word) ? word : `https://${word}`;
  if (/\s/.test(address) || address.length > LONGEST_ADDRESS) return wrong;
  try {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol) || !url.hostname.includes('.') || url.username || url.password) return wrong;
    return { ok: true, value: url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href };
  } catch {
    return wrong;
  }
}

/**
 * Reads telephone numbers: digits with the usual marks between them; several are parted by blanks, commas or 、. Behind a
 * number may stand whose it is, as （研究生招生）.
 */
export function readTel(text: string): Checked<string> {
  const word = text
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[‐‑‒–—−]/g, '-');
  if (word === '') return { ok: true, value: '' };
  const number = word.replace(/(?<=\d ?)\(\p{Script=Han}{1,12}\)/gu, '');
  if (word.length <= 100 && /^[\d\s()+,;、/转-]+$/u.test(number) && /\d{3}/.test(number)) {
    return { ok: true, value: word.replace(/ ?\((\p{Script=Han}+)\)/gu, '（$1）') };
  }
  return { ok: false, why: `“${word.slice(0, 40)}”不是电话号码` };
}

/** Words of one cell, parted by | 、 ， , ； ; / or a line break, each once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[|｜、，,；;/\n]/)
      .map((word) => word.trim().replace(/\s+/g, ' '))
      .filter((word) => word !== ''),
  ),
];

/** Plain text without signs that nobody sees, with single line breaks. */
export const plain = (text: string) =>
  visibleText(text)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
