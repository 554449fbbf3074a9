import { symbolFont } from '#content/symbol-font.ts';
import { MOST_ELEMENTS } from '#rules/rich-text/bounds.ts';

/** Elements of HTML that say how words look, as `OPTIONS` of rich-text.ts keeps them. */
type WordElement = 'u' | 's' | 'sup' | 'sub' | 'strong' | 'em';

/** A tag with its attributes: what stands in quotation marks ends none. */
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/g;
const VOID = new Set('br hr img col wbr'.split(' '));
/** Elements in which words may stand; between the parts of a table none may. */
const HOLDS_WORDS = new Set(
  'span font p div td th li dt dd h1 h2 h3 h4 h5 h6 a b strong i em u ins s del strike sup sub big small center label'.split(
    ' ',
  ),
);
const INLINE = new Set('span font a b strong i em u ins s del strike sup sub big small'.split(' '));
/** What an element says by itself. */
const SAYS: Readonly<Record<string, WordElement>> = {
  ...{ u: 'u', ins: 'u', s: 's', del: 's', strike: 's', sup: 'sup', sub: 'sub' },
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em' },
};
/**
 * Styles that take back what an element says; some programs wrap a whole text into such a `<b>`. Of `<sup>` and `<sub>` none does: sites set
 * them on the line and move them by `top`, and browsers copy that.
 */
const TAKES_BACK: Readonly<Partial<Record<WordElement, RegExp>>> = {
  u: /^text-decoration(?:-line)?:none/,
  s: /^text-decoration(?:-line)?:none/,
  strong: /^font-weight:(?:normal|[1-4]00)/,
  em: /^font-style:normal/,
};

const LINE = /^(?:text-decoration(?:-line)?|text-underline):/;

/** The declarations of a style attribute, in small letters and without blanks around their signs. */
const declarationsOf = (attributes: string): string[] =>
  (/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/i.exec(attributes)?.slice(1).find(Boolean) ?? '')
    .toLowerCase()
    .replaceAll('&quot;', '"')
    .split(';')
    .map((one) => one.replace(/\s*:\s*/, ':').trim());

/** Whether a border has a line: its style, and a width other than 0 wherever that stands. */
const isDrawn = (border: string) =>
  /\b(?:solid|dashed|dotted|double)\b/.test(border) &&
  !/[\s:]0(?:\.0{1,9})?(?:px|pt|em|rem|cm|mm)?(?:\s|$)/.test(border);

/** How a declaration is said by an element. */
function elementOf(declaration: string, isInline: boolean): WordElement[] {
  if (LINE.test(declaration))
    return [
      ...(/underline|^text-underline:(?!none)/.test(declaration) ? (['u'] as const) : []),
      ...(/line-through/.test(declaration) ? (['s'] as const) : []),
    ];
  // A line below a whole block parts it from the next one.
  if (isInline && isDrawn(declaration) && /^border-bottom(?:-style)?:/.test(declaration)) return ['u'];
  if (/^vertical-align:super/.test(declaration)) return ['sup'];
  if (/^vertical-align:sub/.test(declaration)) return ['sub'];
  if (/^font-weight:(?:bold|[6-9]00)/.test(declaration)) return ['strong'];
  return /^font-style:(?:italic|oblique)/.test(declaration) ? ['em'] : [];
}

/** How far the shares of red, green and blue (0 to 255) lie apart in what people take for black or grey: #212529, #2c3e50. */
const GREYISH = 40;

/** A colour, whatever is darker or lighter than text alone: web editors write black and grey into everything. */
function isColour(value: string): boolean {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})\b/.exec(value)?.[1];
  const digits = hex?.length === 3 ? [...hex] : hex?.match(/../g);
  const parts = digits ?? /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(value)?.slice(1);
  if (parts) {
    const shares = parts.map((part) => (hex ? Number.parseInt(part.padEnd(2, part), 16) : Number(part)));
    return Math.max(...shares) - Math.min(...shares) > GREYISH;
  }
  return (
    /^[a-z]+/.test(value) &&
    !/^(?:black|white|gr[ae]y|dark|dim|light|silver|inherit|initial|unset|current|transparent|auto|windowtext|none|url|var|rgb|hsl)/.test(
      value,
    )
  );
}

const EMPHASIS = '有着重号（text-emphasis），学员看不到；请改用下划线 <u>';
const UNSEEN = '有用样式藏起来的字（display:none 等），学员看得到；不要它们请删掉';
const COLOURED = '有一部分字用颜色或底色标出，学员看到的没有颜色；要区分它们请用 <u> 或 <b>';

const OTHER_LINE = '有波浪线、虚线或双线，学员看到的是一条直线；要和别的划线区分请写进文字里';
const OVER = '有上划线或边框，学员看不到；上划线请用公式 $\\overline{…}$';
const MOVED = '有用样式升高或降低的字，学员看到的都在一行上；上标、下标请用 <sup>、<sub>';
const CAPITALS = '有用样式变成大写或小写的字母，学员看到的是写着的字母';
const ofSigns = (font: string) => `有用 ${font} 字体显示的符号，学员看到的会是别的字；请换成通常的字符（如 √、×、α）`;

/** What a declaration says that no element does. */
function lostOf(declaration: string, isInline: boolean): string | null {
  if (/^(?:-webkit-)?text-emphasis(?:-style)?:(?!none)/.test(declaration)) return EMPHASIS;
  if (/^(?:display:none|visibility:hidden|opacity:0(?:\.0*)?$|font-size:0(?:px|pt|em)?$)/.test(declaration))
    return UNSEEN;
  if (/^text-(?:decoration(?:-line|-style)?|underline):.*(?:wav[ye]|dotted|dashed|double|dash)/.test(declaration))
    return OTHER_LINE;
  if (isInline && isDrawn(declaration) && /^border-bottom(?:-style)?:.*(?:dashed|dotted|double)/.test(declaration))
    return OTHER_LINE;
  if (/^text-decoration(?:-line)?:.*overline/.test(declaration)) return OVER;
  if (isInline && isDrawn(declaration) && /^border(?:-top)?:/.test(declaration)) return OVER;
  if (/^text-transform:(?:upper|lower)case/.test(declaration)) return CAPITALS;
  const [, value = ''] = /^(?:color|background|background-color):(.*)$/.exec(declaration) ?? [];
  return isColour(value) ? COLOURED : null;
}

/** How much of an element is looked at for letters (characters). */
const LOOKED_AT = 2000;
const SET_ON_LINE = /^vertical-align:su(?:b|per)/;
const IS_MOVED = /^mso-text-raise:-?[.\d]*[1-9]/;

/** What is lost of the words in an element by its font, or by where they stand beside their line. */
function* lostWords(
  inside: string,
  name: string,
  declarations: readonly string[],
  attributes: string,
): Generator<string> {
  const families = declarations.flatMap((one) => /^(?:mso-symbol-)?font-family:(.*)$/.exec(one)?.[1] ?? []);
  const [, ...faces] = /\sface\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes) ?? [];
  const fonts = [...families, ...faces].flatMap((list) => list?.split(',')[0]?.replace(/["']/g, '').trim() || []);
  const isMoved =
    INLINE.has(name) &&
    !['sup', 'sub'].includes(name) &&
    !declarations.some((one) => SET_ON_LINE.test(one)) &&
    (declarations.some((one) => IS_MOVED.test(one)) ||
      (declarations.includes('position:relative') &&
        declarations.some((one) => /^(?:top|bottom):-?[.\d]*[1-9]/.test(one))));
  if (fonts.length === 0 && !isMoved) return;
  const lettersOf = (html: string) => html.replace(/<[^<>]*>|&#?\w+;|\s/g, '');
  const letters = lettersOf(inside);
  // What stands behind the beginning of an element with another font is not looked at.
  const ofFont = lettersOf(inside.split(/<[^<>]*\b(?:font-family|face)\b/i, 1)[0] ?? '');
  const font = fonts.map((one) => symbolFont({ name: one, ofSigns: false }, ofFont)).find((one) => one !== null);
  if (font) yield ofSigns(font);
  if (isMoved && letters !== '' && !/<(?:img|sup|sub)\b/i.test(inside)) yield MOVED;
}

/** Whether something is seen outside of the parts of a text that were taken out. */
const showsBeside = (html: string, parts: readonly (readonly [from: number, to: number])[]) => {
  let rest = '';
  let end = 0;
  for (const [from, to] of [...parts].sort((a, b) => a[0] - b[0])) {
    if (from > end) rest += html.slice(end, from);
    end = Math.max(end, to);
  }
  return (rest + html.slice(end)).replace(/<[^<>]*>|&nbsp;|[\s\u00a0\u3000]/g, '') !== '';
};

/**
 * What the styles of HTML say of words, said by elements: styles do not reach the page, and web editors underline, raise and strike out by
 * them (`<span style="text-decoration: underline">`). Only of elements that have their end.
 * @param html not yet cleaned; what is added to it are tags without attributes
 * @returns the text, and what its styles say that nothing shows, each a sentence in Chinese
 */
export function styledWords(html: string): { html: string; lost: string[] } {
  if (!/\s(?:style|color|face)\s*=/i.test(html)) return { html, lost: [] };
  const edits: { from: number; to: number; text: string }[] = [];
  const lost = new Set<string>();
  const coloured: [from: number, to: number][] = [];
  const open: { name: string; from: number; to: number; attributes: string; says: readonly WordElement[] }[] = [];
  for (const { 0: whole, 1: slash, 2: written = '', 3: attributes = '', index } of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (VOID.has(name)) continue;
    const to = index + whole.length;
    if (!slash) {
      const isInline = INLINE.has(name);
      const said = HOLDS_WORDS.has(name) ? declarationsOf(attributes).flatMap((one) => elementOf(one, isInline)) : [];
      const says = [...new Set(said)].filter(
        (one) => one !== SAYS[name] && !open.some((outer) => outer.says.includes(one)),
      );
      // So many that the text is refused for it.
      if (open.push({ name, from: index, to, attributes, says }) > MOST_ELEMENTS) return { html, lost: [] };
      continue;
    }
    const at = open.findLastIndex((one) => one.name === name);
    const begin = open[at];
    if (!begin) continue;
    open.length = at;
    const declarations = declarationsOf(begin.attributes);
    const own = SAYS[name];
    const says = declarations.some((one) => own && elementOf(one, INLINE.has(name)).includes(own));
    if (own && !says && declarations.some((one) => TAKES_BACK[own]?.test(one)))
      edits.push({ from: begin.from, to: begin.to, text: '<span>' }, { from: index, to, text: '</span>' });
    if (begin.says.length > 0)
      edits.push(
        { from: begin.to, to: begin.to, text: begin.says.map((one) => `<${one}>`).join('') },
        {
          from: index,
          to: index,
          text: [...begin.says]
            .reverse()
            .map((one) => `</${one}>`)
            .join(''),
        },
      );
    const [, colour = ''] = /\scolor\s*=\s*["']?([^"'\s>]+)/i.exec(begin.attributes) ?? [];
    for (const why of lostWords(
      html.slice(begin.to, Math.min(index, begin.to + LOOKED_AT)),
      name,
      declarations,
      begin.attributes,
    ))
      lost.add(why);
    const isInline = INLINE.has(name);
    for (const why of [
      ...declarations.map((one) => lostOf(one, isInline)),
      isColour(colour.toLowerCase()) ? COLOURED : null,
    ])
      if (why === COLOURED) coloured.push([begin.from, to]);
      else if (why !== null) lost.add(why);
  }
  if (coloured.length > 0 && showsBeside(html, coloured)) lost.add(COLOURED);
  let text = '';
  let end = 0;
  for (const edit of edits.sort((a, b) => a.from - b.from || a.to - b.to)) {
    text += html.slice(end, edit.from) + edit.text;
    end = edit.to;
  }
  return { html: text + html.slice(end), lost: [...lost] };
}
