const BLOCK_TAGS = [
  'p',
  'div',
  'table',
  'ul',
  'ol',
  'pre',
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'dl',
  'section',
  'article',
];
const KNOWN_TAGS = new Set([
  ...BLOCK_TAGS,
  'a',
  'abbr',
  'address',
  'audio',
  'b',
  'base',
  'big',
  'body',
  'br',
  'button',
  'caption',
  'center',
  'cite',
  'code',
  'col',
  'colgroup',
  'dd',
  'del',
  'details',
  'dt',
  'em',
  'embed',
  'font',
  'footer',
  'form',
  'frame',
  'head',
  'header',
  'html',
  'i',
  'iframe',
  'img',
  'input',
  'ins',
  'kbd',
  'label',
  'li',
  'link',
  'main',
  'mark',
  'math',
  'meta',
  'nav',
  'object',
  'option',
  'q',
  'rp',
  'rt',
  'ruby',
  's',
  'samp',
  'script',
  'select',
  'small',
  'source',
  'span',
  'strike',
  'strong',
  'style',
  'sub',
  'summary',
  'sup',
  'svg',
  'tbody',
  'td',
  'textarea',
  'tfoot',
  'th',
  'thead',
  'title',
  'tr',
  'tt',
  'u',
  'var',
  'video',
  'wbr',
]);
const VOID_TAGS = new Set([
  'br',
  'hr',
  'img',
  'col',
  'wbr',
  'input',
  'meta',
  'link',
  'base',
  'embed',
  'source',
  'frame',
]);
/** A tag as HTML writes it. Attributes need a value: `<b and c>` in "a<b and c>d" is a comparison, not a tag. */
const TAG =
  /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z_:@][\w:.@-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))*)\s*(\/?)>|<!--[\s\S]*?-->/g;

/** Escapes each `<` that begins no HTML tag. A tag that is never closed is a comparison too: `a<b>c`. */
export function escapeComparisons(text: string): string {
  const real = new Set<number>();
  const opened = new Set<string>();
  const closed = new Set<string>();
  const hits = [...text.matchAll(TAG)];
  for (const hit of hits) {
    const name = hit[2]?.toLowerCase();
    if (name) (hit[1] ? closed : opened).add(name);
  }
  for (const hit of hits) {
    const name = hit[2]?.toLowerCase();
    if (!name) real.add(hit.index);
    else if (KNOWN_TAGS.has(name) && (VOID_TAGS.has(name) || (opened.has(name) && closed.has(name))))
      real.add(hit.index);
    else if (/\s[\w:.@-]+\s*=/.test(hit[3] ?? '')) real.add(hit.index);
    else if (name === 'p' && /(^|[>\n])\s*$/.test(text.slice(0, hit.index))) real.add(hit.index);
  }
  return text.replace(/<|&(?![a-zA-Z]{2,31};|#\d{1,7};|#[xX][0-9a-fA-F]{1,6};)/g, (hit, at: number) => {
    if (hit === '&') return '&amp;';
    return real.has(at) ? '<' : '&lt;';
  });
}

const BLOCK = new RegExp(`<(?:${BLOCK_TAGS.join('|')})\\b`, 'i');

/** Whether a text is laid out in blocks, so that its line breaks mean nothing. */
export const hasBlocks = (html: string): boolean => BLOCK.test(html);
