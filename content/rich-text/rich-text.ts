import sanitize from 'sanitize-html';
import { turnedText, unknownSigns, visibleText } from '#content/visible-text.ts';
import { DEEPEST_ELEMENT } from '#rules/rich-text/bounds.ts';
import { faultsOf } from './bounds.ts';
import { extractFormulas, restoreFormulas } from './formula.ts';
import { bareFormula, programFormula, warningsOf } from './formula-check.ts';
import { cellPieces, isFormatting, type Piece, textAsHtml } from './html-tags.ts';
import { renderMarkdown } from './markdown.ts';
import { styledWords } from './styled-words.ts';

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
  /** What a browser shows otherwise than its author meant, each as a sentence in Chinese. */
  warnings: string[];
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

/** A product that Markdown takes for emphasis: `2*3*4`. */
const PRODUCT = /(?<![A-Za-z])[\w)]<em>([\w.+()-]{1,12})<\/em>[\w(](?![A-Za-z])/;

/** What of Markdown does not reach the page, each a sentence in Chinese: elements that no text has, and signs between numbers. */
function droppedFrom(html: string): string[] {
  const dropped = new Set<string>();
  for (const [, name = ''] of html.matchAll(/<([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>/g))
    if (!isFormatting(name.toLowerCase()) && dropped.size < 5)
      dropped.add(
        `标签 <${name}> ${NO_TEXT.includes(name.toLowerCase()) ? '和它里面的字' : ''}学员看不到；要显示标签本身，请写在反引号里：\`<${name}>\``,
      );
  const product = PRODUCT.exec(html)?.[1];
  if (product !== undefined) dropped.add(`“*${product}*”按 Markdown 读成了斜体，“*”学员看不到；乘号请写成 × 或 \\*`);
  return [...dropped];
}

/** What is said of every text, whatever it is written in. @param source as it came @param text without its formulas */
const saidOf = (source: string, html: string, text: string, formulas: Parameters<typeof programFormula>[1]): string[] =>
  [programFormula(text, formulas), unknownSigns(html), turnedText(source)].filter((said) => said !== null);

/**
 * Markdown (with a small set of HTML) to a safe fragment (docs/guide/content-pack.md "rich").
 * Scripts, event handlers, styles and addresses other than http(s) do not survive; formulas do, letter by letter.
 */
export function richFromMarkdown(source: string, image: ImageResolver): RichText {
  const missing: string[] = [];
  const { text, formulas } = extractFormulas(visibleText(source), true);
  const { html: rendered, lost } = styledWords(renderMarkdown(text));
  const faults = [...faultsOf(rendered, formulas), ...endless(rendered)];
  if (faults.length > 0) return { html: '', missing, faults, warnings: [] };
  const html = clean(rendered, image, missing).trim();
  const restored = restoreFormulas(unwrapped(html), formulas);
  const warnings = [
    ...warningsOf(formulas),
    ...lost,
    ...droppedFrom(rendered),
    ...saidOf(source, restored, text.replace(/`[^`]*`/g, ''), formulas),
  ];
  return { html: restored, missing, faults, warnings };
}

const NBSP = '\u00a0';

/** Blanks at the beginning of a cell say something only where further lines stand below. */
function trimmed(text: string): string {
  const end = text.trimEnd();
  return end.trim().includes('\n') ? end.replace(/^(?:[^\S\n]*\n)+/, '') : end.trim();
}

const isBlank = (sign: string | undefined) => sign === ' ' || sign === '\t';

// Both by hand: patterns take seconds where very many blanks are followed by something else.
/** A text without blanks in front of its line ends. */
function withoutLineEnds(text: string): string {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const trimmedLines = lines.map((line) => {
    let end = line.length;
    while (isBlank(line[end - 1])) end -= 1;
    return line.slice(0, end);
  });
  return [...trimmedLines, last].join('\n');
}

/** A text in three: what begins and what ends it as far as that is line ends and blanks around them, and what lies between. */
function parted(text: string): [lead: string, text: string, tail: string] {
  let from = 0;
  while (isBlank(text[from]) || text[from] === '\n') from += 1;
  if (!text.slice(0, from).includes('\n')) from = 0;
  let to = text.length;
  while (to > from && (isBlank(text[to - 1]) || text[to - 1] === '\n')) to -= 1;
  if (!text.slice(to).includes('\n')) to = text.length;
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

/**
 * The pieces of a cell as HTML, with lines and blanks as they are written: blanks that a page would draw together stay, at the
 * beginning of a line all, else all but the last of a run, which lets the line break. What stands between blocks is no line, nor is a
 * line of HTML of ours that has blocks.
 */
function laidOut(pieces: readonly Piece[], isHtml: boolean): string {
  const areLines = !isHtml || !pieces.some((piece) => 'tag' in piece && piece.isBlock && piece.name !== 'br');
  let html = '';
  let inPre = 0;
  /** Whether a blank here would be drawn together with what stands before it. */
  let collapses = true;
  for (const [at, piece] of pieces.entries()) {
    if ('tag' in piece) {
      if (piece.name === 'pre') inPre += piece.isEnd ? -1 : 1;
      if (piece.isBlock) collapses = true;
      html += piece.tag;
      continue;
    }
    if (inPre > 0) {
      html += textAsHtml(piece.text);
      continue;
    }
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    const [lead, text, tail] = parted(withoutLineEnds(piece.text));
    const isAfter = before !== undefined && 'tag' in before && before.isBlock;
    const isBefore = after !== undefined && 'tag' in after && after.isBlock && after.name !== 'br';
    // Behind a break one line end is the same break.
    const kept = isAfter ? (before.name === 'br' ? lead.replace(/^[ \t]*\n/, '') : '') : lead;
    const written = kept + text + (isBefore ? '' : tail);
    if (isAfter && before.name !== 'br') html += lead;
    for (const part of textAsHtml(written)
      .replaceAll('\t', '    ')
      .split(/(\n| +)/)) {
      if (part === '') continue;
      if (part === '\n') {
        html += areLines ? '<br />' : part;
        collapses = true;
      } else if (part.startsWith(' ')) {
        html += collapses ? NBSP.repeat(part.length) : `${NBSP.repeat(part.length - 1)} `;
        collapses = true;
      } else {
        html += part;
        collapses = false;
      }
    }
    if (isBefore) html += tail;
  }
  return html;
}

/** Pictures of Markdown: in a cell they are text, and nothing is shown. */
const MARKDOWN_PICTURE = /!\[[^\]\n]{0,300}\]\(\s*(?:https?:)?\/\/[^)\s]+\s*\)/;

/** What exports and chats leave where a picture was: `[图片]`, `[img]a.png[/img]`, `![](a.png)`, or an address that is all of a cell; `logo.png` is a name. */
const STANDS_FOR_PICTURE =
  /(?<![\w\])])[[【]\s{0,9}(?:图片|图像|图|image|img|pic(?:ture)?)\s{0,9}\d{0,3}\s{0,9}[\]】](?!\()|!\[[^\]\n]{0,300}\]\(\s{0,9}[^()\s]{1,300}\.(?:png|jpe?g|gif|webp|bmp|svg)\s{0,9}\)|^(?=[^/\d]{0,300}[/\d])[\w:/.\\-]{1,300}\.(?:png|jpe?g|gif|webp|bmp)$/i;
/** Beside which brackets hold what a program says (点击【图片】按钮), or the text is about such signs. */
const OF_MENUS =
  /[单点双]击|菜单|按钮|选项卡|命令|对话框|工具栏|→|->|执行[“"]?[[【]|UBB|BBCode|Markdown|HTML|<(?:code|pre)\b/i;

/** What of a text stands for a picture; null: nothing. */
const standInOf = (text: string) => (OF_MENUS.test(text) ? null : (STANDS_FOR_PICTURE.exec(text.trim())?.[0] ?? null));

/**
 * A spreadsheet cell to a safe fragment. A cell is plain text in which HTML tags (`cellPieces`), entities and formulas may stand: lines
 * and runs of blanks are shown as they are written, `*` and `_` mean themselves. No character that was visible is lost.
 * @param isHtml a teacher typed into HTML of ours: its tags are formatting
 * @param isPictured pictures stand beside the cell: words in the place of one may name them
 */
export function richFromCell(source: string, image: ImageResolver, isHtml = false, isPictured = false): RichText {
  const missing: string[] = [];
  const { text, formulas } = extractFormulas(trimmed(visibleText(source)), false);
  const { pieces, mixed } = cellPieces(text, isHtml);
  const { html: laid, lost } = styledWords(laidOut(pieces, isHtml));
  const isPlain = pieces.every((piece) => 'text' in piece);
  const faults = faultsOf(isPlain ? '' : laid, formulas);
  if (faults.length > 0) return { html: '', missing, faults, warnings: [] };
  const warnings = [...warningsOf(formulas), ...lost];
  if (mixed) warnings.push('有的标签没有成对或不是排版用的，整格的标签都按文字显示');
  const bare = bareFormula(text);
  if (bare !== null) warnings.push(bare);
  if (MARKDOWN_PICTURE.test(text)) warnings.push('写着图片的网址，网址按文字显示，不会取来图片');
  else if (!isPictured) {
    const stands = standInOf(text);
    if (stands !== null)
      warnings.push(`“${stands.slice(0, 40)}”像是代替图片的字，学员看到的只有这些字；请把图片本身插入单元格`);
  }
  const html = restoreFormulas(unwrapped(isPlain ? laid : clean(laid, image, missing).trim()), formulas);
  warnings.push(...saidOf(source, html, text, formulas));
  return { html, missing, faults, warnings };
}

/** Whether a fragment shows nothing: no character and no image. */
export const isEmptyHtml = (html: string): boolean =>
  !/<img\b/.test(html) && html.replace(/<[^>]*>/g, '').replace(/&nbsp;|[\s\u00a0\u3000]/g, '') === '';
