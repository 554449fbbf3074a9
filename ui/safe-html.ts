import DOMPurify from 'dompurify';
import { markupFault } from '#rules/rich-text/bounds.ts';
import { isFileAddress } from '#rules/rich-text/file-address.ts';

/**
 * What a text from a content pack may contain: reading matter only. No forms, no scripts, no frames, no styles. All that the
 * server lets into a text is here too (e2e/rich-text.e2e.ts).
 */
const TAGS = [
  'p',
  'br',
  'hr',
  'div',
  'span',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'code',
  'kbd',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'ins',
  'mark',
  'sub',
  'sup',
  'small',
  'q',
  'ruby',
  'rt',
  'rp',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'a',
  'img',
  'figure',
  'figcaption',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'colgroup',
  'col',
];
const ADDRESSES = ['href', 'src'];
/** Attributes whose value is no address: the purifier tests every other value as one, and takes out what is none. */
const PLAIN = ['alt', 'title', 'width', 'height', 'lang', 'colspan', 'rowspan', 'align', 'start', 'type'];

/**
 * What `type` of a list means to a style sheet. There it cannot be told by the attribute itself: Chromium compares its letters
 * without their case.
 */
const NUMBERS: Readonly<Record<string, string>> = {
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
};

const purify = DOMPurify();
// Once: read anew with each text, its lists cost more than a short text. Copies, since the library writes small letters into them. What is given to `sanitize` is not read any more.
purify.setConfig({
  ALLOWED_TAGS: [...TAGS],
  ALLOWED_ATTR: [...ADDRESSES, ...PLAIN],
  ADD_URI_SAFE_ATTR: [...PLAIN],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
});
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A' && node.hasAttribute('href')) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  if (node.tagName === 'OL') {
    const numbers = NUMBERS[node.getAttribute('type') ?? ''];
    if (numbers) node.setAttribute('data-numbers', numbers);
  }
  if (node.tagName === 'IMG') {
    // Pictures are our own stored files only: any other address of this site might do something when it is asked for.
    if (!isFileAddress(node.getAttribute('src') ?? '')) node.removeAttribute('src');
    if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
    node.setAttribute('decoding', 'async');
  }
});

const done = new Map<string, string>();
const MOST = 400;

/**
 * The text with everything outside the allow-list taken out; one with more elements than any text needs, or with deeper ones,
 * as its source, so that it takes nothing else with it. The last few hundred texts are remembered.
 */
export function safeHtml(text: string): string {
  const known = done.get(text);
  if (known !== undefined) return known;
  const safe = markupFault(text) === null ? purify.sanitize(text) : asSource(text);
  if (done.size >= MOST) done.delete(done.keys().next().value ?? '');
  done.set(text, safe);
  return safe;
}

function asSource(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Whether a text has a formula between \( and \) or \[ and \]. */
export function hasFormula(text: string): boolean {
  return /\\\(|\\\[/.test(text);
}

/** A text without its markup, as one line for a list; formulas stay as \(…\) and \[…\]. */
export function plainText(text: string): string {
  const body = new DOMParser().parseFromString(safeHtml(text), 'text/html').body;
  for (const image of body.querySelectorAll('img')) image.replaceWith(image.alt || '▢');
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim();
}
