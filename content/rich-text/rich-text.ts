import sanitize from 'sanitize-html';
import { visibleText } from '#content/visible-text.ts';
import { DEEPEST_ELEMENT } from '#rules/rich-text/bounds.ts';
import { faultsOf } from './bounds.ts';
import { extractFormulas, restoreFormulas } from './formula.ts';
import { escapeComparisons, hasBlocks } from './html-tags.ts';
import { renderMarkdown } from './markdown.ts';

/** From the `src` an author wrote to the one the page shall have; null: there is no such image. */
type ImageResolver = (src: string) => string | null;

/** A rich text ready to store and show. */
interface RichText {
  /** Sanitized HTML fragment, formulas as `\(…\)` and `\[…\]`. */
  html: string;
  /** Images the resolver did not know, as written. */
  missing: string[];
  /** What a browser would not show of it, each as a sentence in Chinese: then `html` is not to be stored. */
  faults: string[];
}

/** Elements that go with what is in them. */
const NO_TEXT = ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'iframe', 'object', 'template', 'xmp'];

const OPTIONS: sanitize.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'strong',
    'em',
    'u',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'small',
    'mark',
    'span',
    'div',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'code',
    'pre',
    'kbd',
    'blockquote',
    'h3',
    'h4',
    'h5',
    'h6',
    'img',
    'a',
    'ruby',
    'rt',
    'rp',
    'q',
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start', 'type'],
    th: ['colspan', 'rowspan', 'align'],
    td: ['colspan', 'rowspan', 'align'],
  },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  nestingLimit: DEEPEST_ELEMENT,
  nonTextTags: NO_TEXT,
  // A page has its own first and second headings; b and i are what spreadsheets and word processors write.
  transformTags: {
    h1: 'h3',
    h2: 'h3',
    b: 'strong',
    i: 'em',
    strike: 's',
    a: linked,
    th: aligned,
    td: aligned,
  },
};

/** `style="text-align:center"` as Markdown tables write it, as an attribute that the page's policy allows. */
function aligned(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const align = /text-align:\s*(left|center|right)/.exec(attribs.style ?? '')?.[1] ?? attribs.align;
  const { align: _, ...others } = attribs;
  const known = align && ['left', 'center', 'right'].includes(align);
  return { tagName, attribs: known ? { ...others, align } : others };
}

/** A link is a whole http(s) address, opens a window of its own and says nothing about where it came from. */
function linked(_: string, { href }: sanitize.Attributes): sanitize.Tag {
  if (!href || !/^https?:\/\/[^\s]+$/i.test(href)) return { tagName: 'span', attribs: {} };
  return { tagName: 'a', attribs: { href, rel: 'noopener noreferrer nofollow', target: '_blank' } };
}

/** Whole pixels, so that a width cannot carry anything else. */
const pixels = (value: string | undefined) =>
  value && /^\d{1,4}(px)?$/.test(value) ? Number.parseInt(value, 10).toString() : '';

function clean(html: string, image: ImageResolver, missing: string[]): string {
  return sanitize(html, {
    ...OPTIONS,
    transformTags: {
      ...OPTIONS.transformTags,
      img: (_, { src = '', alt = '', width, height }) => {
        const served = src ? image(src) : null;
        if (served === null) {
          missing.push(src);
          return { tagName: 'span', attribs: {}, text: alt };
        }
        const attribs: sanitize.Attributes = { src: served, alt };
        if (pixels(width)) attribs.width = pixels(width);
        if (pixels(height)) attribs.height = pixels(height);
        return { tagName: 'img', attribs };
      },
    },
  });
}

/** One paragraph alone needs no paragraph around it. */
const unwrapped = (html: string) => /^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/.exec(html)?.[1] ?? html;

/** A sentence for each element that would go with the rest of its text, because nothing closes it. */
function endless(html: string): string[] {
  const open = new Map<string, number>();
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)\b[^<>]*>/gi)) {
    const tag = name.toLowerCase();
    if (NO_TEXT.includes(tag)) open.set(tag, Math.max(0, (open.get(tag) ?? 0) + (slash ? -1 : 1)));
  }
  return [...open]
    .filter(([, times]) => times > 0)
    .map(([tag]) => `<${tag}> 没有闭合，后面的文字都会丢失；要显示标签本身，请写在反引号里：\`<${tag}>\``);
}

/**
 * Markdown (with a small set of HTML) to a safe fragment (docs/guide/content-pack.md "rich").
 * Scripts, event handlers, styles and addresses other than http(s) do not survive; formulas do, letter by letter.
 */
export function richFromMarkdown(source: string, image: ImageResolver): RichText {
  const missing: string[] = [];
  const { text, formulas } = extractFormulas(visibleText(source), true);
  const rendered = renderMarkdown(text);
  const faults = [...faultsOf(rendered, formulas), ...endless(rendered)];
  if (faults.length > 0) return { html: '', missing, faults };
  const html = clean(rendered, image, missing).trim();
  return { html: restoreFormulas(unwrapped(html), formulas), missing, faults };
}

/** Elements whose content would be gone: in a question they are its subject rather than what a web editor left. */
const LOST =
  /<(script|textarea|select|option|input|button|form|iframe|frame|object|embed|audio|video|source|svg|math|noscript|title)\b[^>]*>/gi;

/** A sentence for each element of a cell that the page could not show. */
const lostElements = (html: string): string[] =>
  [...new Set([...html.matchAll(LOST)].map(([, name = '']) => name.toLowerCase()))].map(
    (name) => `不能有 <${name}> 这样的网页元素；要显示标签本身，请写 &lt;${name}&gt;`,
  );

const NBSP = '\u00a0';

/** Blanks that a page would draw together: indents of code, gaps to be filled. The last of a run lets the line break. */
const keptBlanks = (html: string) =>
  html
    .split(/(<[^<>]*>)/)
    .map((part) =>
      part.startsWith('<')
        ? part
        : part
            .replace(/\t/g, '    ')
            .replace(/\n( +)/g, (_, run: string) => `\n${NBSP.repeat(run.length)}`)
            .replace(/ {2,}/g, (run) => `${NBSP.repeat(run.length - 1)} `),
    )
    .join('');

/**
 * A spreadsheet cell to a safe fragment. A cell is plain text in which HTML tags, entities and formulas may stand: line
 * breaks and runs of blanks stay, `*` and `_` mean themselves, and a `<` that begins no tag ("a<b") is a less-than sign.
 */
export function richFromCell(source: string, image: ImageResolver): RichText {
  const missing: string[] = [];
  const tidy = visibleText(source).trim();
  const { text, formulas } = extractFormulas(tidy, false);
  const plain = !/[<&]/.test(text);
  const withTags = plain ? text.replaceAll('>', '&gt;') : escapeComparisons(text);
  const broken = hasBlocks(withTags)
    ? withTags
    : keptBlanks(withTags.replace(/[ \t]+(?=\n)/g, ''))
        .replace(/(<br\s*\/?>)[ \t]*\n/gi, '$1')
        .replace(/\n{3,}/g, '\n\n')
        .replace(/[ \t]*\n/g, '<br />');
  const faults = plain ? faultsOf('', formulas) : [...faultsOf(broken, formulas), ...lostElements(broken)];
  if (faults.length > 0) return { html: '', missing, faults };
  const html = plain ? broken : clean(broken, image, missing).trim();
  return { html: restoreFormulas(unwrapped(html), formulas), missing, faults };
}

/** Whether a fragment shows nothing: no character and no image. */
export const isEmptyHtml = (html: string): boolean =>
  !/<img\b/.test(html) && html.replace(/<[^>]*>/g, '').replace(/&nbsp;|[\s\u00a0\u3000]/g, '') === '';
