import { Parser } from 'htmlparser2';

const BLOCK_TAGS =
  'p div table ul ol pre blockquote h1 h2 h3 h4 h5 h6 hr dl section article caption tr td th thead tbody tfoot colgroup col li dt dd center figure'.split(
    ' ',
  );
const BLOCKS: ReadonlySet<string> = new Set(BLOCK_TAGS);
/** Elements that say how a text looks, with an end of their own. */
const FORMATTING: ReadonlySet<string> = new Set([
  ...BLOCK_TAGS.filter((name) => name !== 'hr' && name !== 'col'),
  ...'a abbr acronym address b big cite code del dfn em figcaption font footer header i ins kbd main mark nav q rp rt ruby s samp small span strike strong sub sup tt u var'.split(
    ' ',
  ),
]);
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'col', 'wbr']);
/** Other elements of HTML: where one stands in a cell, the cell is about HTML. */
const SUBJECTS: ReadonlySet<string> = new Set(
  'applet area aside audio base basefont bdo bgsound body button canvas datalist details dialog embed fieldset form frame frameset head html iframe input isindex keygen label legend link map marquee math menu meta meter noscript object optgroup option output param picture progress script select slot source style summary svg template textarea title track video xmp'.split(
    ' ',
  ),
);

/** Whether an element says how a text looks, or breaks its lines: without it the text is still whole. */
export const isFormatting = (name: string): boolean => FORMATTING.has(name) || VOID.has(name);

/** What web editors and word processors write into tags. */
const ATTRIBUTE =
  /^(?:style|class|id|lang|xml:lang|dir|align|valign|color|face|size|width|height|border|cellpadding|cellspacing|bgcolor|bordercolor|colspan|rowspan|start|type|href|target|rel|src|alt|title|nowrap|noshade|name|clear|scope|summary|hspace|vspace|role|tabindex|contenteditable|spellcheck|data-[\w-]+|aria-[\w-]+|_src|_ueditor[\w-]*)$/i;
/** A value that would run, or load something: no editor writes it. */
const RUNS =
  /(?:javascript|vbscript|livescript|mocha|data\s*:\s*text)|expression\s*\(|@import|behaviou?r\s*:|-moz-binding|&#|\\/i;

/**
 * The sign behind the bracket of a tag that we have written ourselves (`<﷒strong>`), from the formatting of a cell. No text has it:
 * it is a noncharacter, and `withoutOwnSigns` takes it out of what authors wrote.
 */
const OWN = '\uFDD2';
/** Text that cannot be taken for our own tags. */
export const withoutOwnSigns = (text: string): string => (text.includes(OWN) ? text.replaceAll(OWN, '') : text);
/** A text in an element that is formatting whatever else stands in its cell. */
export const ownTag = (name: string, text: string): string => `<${OWN}${name}>${text}</${OWN}${name}>`;
const OWN_TAG = new RegExp(`</?${OWN}[a-z]+>`, 'g');
/** A text without the tags of its formatting. */
export const withoutOwnTags = (text: string): string => text.replace(OWN_TAG, '');

/** A tag as HTML writes it. Attributes need a value: `<b and c>` in "a<b and c>d" is a comparison, not a tag. */
const TAG = new RegExp(
  `<(?<ownEnd>/?)${OWN}(?<own>[a-z]+)>|` +
    '<(?<end>/?)(?<name>[a-zA-Z][a-zA-Z0-9]*)(?<attributes>(?:\\s+(?:[a-zA-Z_:@][\\w:.@-]*\\s*=\\s*(?:"[^"]*"|\'[^\']*\'|[^\\s"\'<>=`]+)|nowrap|noshade))*)\\s*/?>|' +
    '<!--[\\s\\S]*?-->',
  'g',
);

/** A place in a cell that looks like a tag. */
interface Hit {
  from: number;
  to: number;
  name: string;
  isEnd: boolean;
  /** We wrote it: it is formatting in any case. */
  isOwn: boolean;
  /** Its attributes are those of an editor. */
  isPlain: boolean;
  /** Its other half, by number; its own number for elements without an end. */
  half: number | null;
}

/** A piece of a cell: a tag that formats, or text in which every `<` is one. */
export type Piece = { tag: string; name: string; isBlock: boolean; isEnd: boolean } | { text: string };

const OPENING = /["'“‘「『《〈（([【`]/;
const CLOSING = /["'”’」』》〉）)\]】`]/;
/** What is said of a tag, not of the line that it might break; and signs with which no line begins. */
const SAID_OF =
  /^\s*(?:标签|标记|标识|元素|表示|实现|用于|用来|的|和|与|或|tags?\b|elements?\b|[，。、；：？！）”’,;?!)])/i;

/** The attributes of a tag, each with its value. */
const attributesOf = (written: string): [name: string, value: string][] =>
  [...written.matchAll(/([a-zA-Z_:@][\w:.@-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=`]+))?/g)].map(
    ([, name = '', value = '']) => [name, value.replace(/^["']|["']$/g, '')],
  );

/** Whether a tag is what an editor leaves: nothing in it runs, loads or leads anywhere but to a page. */
const isPlain = (written: string) =>
  attributesOf(written).every(
    ([name, value]) =>
      ATTRIBUTE.test(name) &&
      !RUNS.test(value) &&
      (name.toLowerCase() !== 'href' || /^(?:https?:\/\/|mailto:|#)/i.test(value.trim())),
  );

function hitsOf(text: string): Hit[] {
  return [...text.matchAll(TAG)].map(({ 0: whole, index, groups = {} }) => {
    const written = groups.name?.toLowerCase() ?? '';
    // </br> is how many write it.
    const isBreak = written === 'br';
    return {
      from: index,
      to: index + whole.length,
      name: groups.own ?? (written || '!--'),
      isEnd: !isBreak && (groups.end === '/' || groups.ownEnd === '/'),
      isOwn: groups.own !== undefined,
      isPlain: isPlain(groups.attributes ?? ''),
      half: null,
    };
  });
}

/** Finds the halves of elements: an end belongs to the last beginning of its name, unless formatting of ours stands between. */
function pair(hits: readonly Hit[]): void {
  const open: number[] = [];
  for (const [at, hit] of hits.entries()) {
    if (hit.isOwn ? false : !hit.isPlain || !FORMATTING.has(hit.name)) continue;
    if (!hit.isEnd) {
      open.push(at);
      continue;
    }
    for (let back = open.length - 1; back >= 0; back -= 1) {
      const other = hits[open[back] ?? -1];
      if (!other) break;
      if (other.name === hit.name && other.isOwn === hit.isOwn) {
        hit.half = open[back] ?? null;
        other.half = at;
        open.length = back;
        break;
      }
      // Across formatting of ours nothing is paired; our own tags pair across what was left open.
      if (other.isOwn) break;
    }
  }
}

/** Something that a reader sees: a word, a formula, a picture. */
const shows = (text: string) =>
  /<img\b/i.test(text) || text.replace(TAG, '').replace(/&nbsp;|[\s\u00a0\u3000]/g, '') !== '';
/** Where the first and the last thing stand that a reader sees; -1: there is none. */
function seenIn(text: string): { first: number; last: number } {
  const blank = (some: string) => ' '.repeat(some.length);
  const bare = text
    .replace(TAG, (tag) => (/^<img\b/i.test(tag) ? '#'.repeat(tag.length) : blank(tag)))
    .replace(/&nbsp;|\u3000/g, blank);
  return { first: bare.search(/\S/), last: bare.trimEnd().length - 1 };
}
/** Underlined blanks are a gap to be filled. */
const isGap = ({ name }: Hit, text: string) => (name === 'u' || name === 'ins' || name === 'span') && text !== '';

/** Whether a tag by itself stands between quotation marks: it is spoken of. */
const isQuoted = (text: string, { from, to }: Hit) =>
  OPENING.test(text[from - 1] ?? '') && CLOSING.test(text[to] ?? '');

/** `a<b>c`: two comparisons that look like a tag. */
const isComparison = (text: string, { from, name, isEnd }: Hit) =>
  !isEnd &&
  name.length === 1 &&
  /[\p{L}\p{N})]/u.test(text[from - 1] ?? '') &&
  !/\p{Script=Han}/u.test(text[from - 1] ?? '');

/** A picture as an editor writes it: with the address of one. */
const isPicture = (written: string) =>
  /\ssrc\s*=\s*["']?\s*(?:https?:)?\/\/|\ssrc\s*=\s*["']?\s*data:image\/|\ssrc\s*=\s*["']?[^"'\s>]+\.(?:png|jpe?g|gif|svg|webp|bmp)\b/i.test(
    written,
  );

/**
 * Decides for a whole cell which tags are formatting: balanced ones of elements that say how a text looks, around a text, and
 * line breaks between two texts. A tag that is alone, quoted, of another element, or has something in it that would run
 * shows that the cell is about HTML: then all tags in it are text. Tags of unknown names are text by themselves.
 * @param isHtml the text is HTML of ours, in which somebody changed words: every tag that can be formatting is
 * @returns the pieces in order; `mixed`: tags that are formatting elsewhere are text here because of others
 */
export function cellPieces(text: string, isHtml = false): { pieces: Piece[]; mixed: boolean } {
  if (!text.includes('<')) return { pieces: [{ text }], mixed: false };
  const hits = hitsOf(text);
  pair(hits);
  const known = hits.filter(
    (hit) =>
      !hit.isOwn && (FORMATTING.has(hit.name) || VOID.has(hit.name) || SUBJECTS.has(hit.name) || hit.name === '!--'),
  );
  const inside = (hit: Hit) => text.slice(hit.to, hits[hit.half ?? -1]?.from ?? hit.to);
  const filled = known.filter(
    (hit) => hit.half !== null && !hit.isEnd && (shows(inside(hit)) || isGap(hit, inside(hit))),
  );
  const hasBlocks = filled.some(({ name }) => BLOCKS.has(name));
  const breaks = known.filter(({ name }) => name === 'br');
  const seen = seenIn(text);
  const formats = (hit: Hit): boolean => {
    if (!hit.isPlain || (!isHtml && isQuoted(text, hit))) return false;
    if (hit.half !== null) {
      const begin = hit.isEnd ? hits[hit.half] : hit;
      // What editors leave empty between their paragraphs.
      return (
        begin !== undefined &&
        (isHtml || filled.includes(begin) || (hasBlocks && (BLOCKS.has(hit.name) || hit.name === 'span')))
      );
    }
    if (!VOID.has(hit.name)) return false;
    if (isHtml) return true;
    const after = text.slice(hit.to);
    if (hit.name === 'img')
      return (
        isPicture(text.slice(hit.from, hit.to)) && !SAID_OF.test(after.replace(/^\s*[，。、；：？！）”’,;?!)]/, ''))
      );
    const isApart = /[ \u3000]/.test(text[hit.from - 1] ?? '') && /^[ \u3000]/.test(after);
    if (SAID_OF.test(after) || (isApart && !hasBlocks)) return false;
    if (hasBlocks || hit.name === 'wbr') return true;
    // Between two texts; the last of several lines may end with one too.
    if (seen.first < 0 || seen.first >= hit.from) return false;
    return seen.last >= hit.to || (breaks.length > 1 && seen.last >= (breaks[0]?.to ?? 0));
  };
  const isSubject = !isHtml && known.some((hit) => !formats(hit) && !isComparison(text, hit));
  const pieces: Piece[] = [];
  let end = 0;
  const add = (piece: string) => {
    if (piece !== '') pieces.push({ text: piece });
  };
  const formatting = new Set(isSubject ? [] : known.filter(formats));
  for (const hit of hits) {
    if (!hit.isOwn && !formatting.has(hit)) continue;
    add(text.slice(end, hit.from));
    end = hit.to;
    const tag = text
      .slice(hit.from, hit.to)
      .replace(OWN, '')
      .replace(/^<\/br/i, '<br');
    pieces.push({ tag, name: hit.name, isBlock: BLOCKS.has(hit.name) || hit.name === 'br', isEnd: hit.isEnd });
  }
  add(text.slice(end));
  return { pieces, mixed: isSubject && filled.length > 0 };
}

const ENTITY = /&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g;
const decoded = new Map<string, string>();

/** What an entity stands for; as it is written, when nobody knows it. */
function signOf(entity: string): string {
  const known = decoded.get(entity);
  if (known !== undefined) return known;
  let sign = '';
  const ontext = (text: string) => {
    sign += text;
  };
  const parser = new Parser({ ontext }, { decodeEntities: true });
  parser.end(entity);
  // Codes of controls and halves of characters are nobody's.
  const shown = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u.test(sign) ? sign : entity;
  if (decoded.size < 3000) decoded.set(entity, shown);
  return shown;
}

/** What stands in code that takes the address of a variable (`int *p = &sum;`), which reads like an entity. */
const IS_CODE =
  /\b(?:int|char|float|double|long|short|unsigned|void|struct)\s+(?:\*+\s*)?\w+\s*[=;,[(]|\*\s*\w+\s*=\s*&|\b(?:scanf|printf|cout|cin)\b|#include/;
/** Where an address stands in a statement that ends behind its name. */
const BEFORE_ADDRESS = /(?:=|\breturn)\s{0,10}$/;
/** Signs that web editors write as entities in code too. */
const OF_MARKUP = /^&(?:lt|gt|amp|quot|apos|nbsp|ensp|emsp|#\w+);$/i;

/** What an entity of a text is replaced by, where it stands; the address of a variable stays. */
function readerOf(text: string): (entity: string, at: number) => string {
  const isCode = IS_CODE.test(text);
  return (entity, at) =>
    isCode && !OF_MARKUP.test(entity) && BEFORE_ADDRESS.test(text.slice(Math.max(0, at - 20), at))
      ? entity
      : signOf(entity);
}

/** A text with its entities read, once: `&amp;lt;` becomes `&lt;`. In code that takes addresses `&sum;` is none. */
export const withoutEntities = (text: string): string =>
  text.includes('&') ? text.replace(ENTITY, readerOf(text)) : text;

/** What is said of an entity around it. Brackets are none of it: with `（&nbsp;&nbsp;）` editors leave a gap. */
const QUOTED_BEFORE = /["“‘'`「]\s*$/;
const QUOTED_BEHIND = /^\s*["”’'`」]/;
// HTML has it for any blank as well: `v&nbsp;表示速度`.
const SPOKEN_BEFORE = /(?:实体|转义)(?:字符|符号)?\s*$/;
const SPOKEN_BEHIND = /^\s*(?:(?:表示|代表|用来|用于)[^，。；&]{0,8}空[格白]|实体|转义)/;
const isSpokenOf = (text: string, from: number, to: number) => {
  const [before, behind] = [text.slice(Math.max(0, from - 10), from), text.slice(to, to + 20)];
  return (
    (QUOTED_BEFORE.test(before) && QUOTED_BEHIND.test(behind)) ||
    SPOKEN_BEFORE.test(before) ||
    SPOKEN_BEHIND.test(behind)
  );
};

/** The entities of a text that stand for a sign which can be seen, each with its sign; one that stands for a blank where the text speaks of it. */
export function entitiesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!text.includes('&')) return found;
  const signAt = readerOf(text);
  for (const { 0: entity, index } of text.matchAll(ENTITY)) {
    const shown = signAt(entity, index);
    if (shown === entity) continue;
    if (shown.trim() !== '') found.set(entity, shown);
    else if (isSpokenOf(text, index, index + entity.length)) found.set(entity, '空格');
  }
  return found;
}

/** The text of a cell in HTML: its entities are read, everything else means itself. */
export const textAsHtml = (text: string): string =>
  withoutEntities(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
