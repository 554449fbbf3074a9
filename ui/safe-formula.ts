import DOMPurify from 'dompurify';

/** All that KaTeX makes a formula of; what would load, run or lead anywhere is not among it. */
const TAGS = [
  ...[
    'span',
    'svg',
    'path',
    'line',
    'math',
    'semantics',
    'annotation',
    'mrow',
    'mi',
    'mn',
    'mo',
    'mtext',
    'ms',
    'mspace',
  ],
  ...[
    'mfrac',
    'msqrt',
    'mroot',
    'mstyle',
    'mpadded',
    'mphantom',
    'menclose',
    'msub',
    'msup',
    'msubsup',
    'munder',
    'mover',
  ],
  ...['munderover', 'mmultiscripts', 'mprescripts', 'mtable', 'mtr', 'mtd', 'mlabeledtr', 'mglyph', 'merror'],
];
const ATTRIBUTES = [
  ...[
    'class',
    'style',
    'aria-hidden',
    'xmlns',
    'encoding',
    'display',
    'displaystyle',
    'scriptlevel',
    'mathvariant',
    'mathcolor',
  ],
  ...[
    'mathbackground',
    'mathsize',
    'stretchy',
    'fence',
    'separator',
    'symmetric',
    'largeop',
    'movablelimits',
    'form',
    'lspace',
  ],
  ...[
    'rspace',
    'minsize',
    'maxsize',
    'accent',
    'accentunder',
    'linethickness',
    'notation',
    'columnalign',
    'columnlines',
  ],
  ...['columnspacing', 'rowalign', 'rowlines', 'rowspacing', 'side', 'width', 'height', 'depth', 'voffset', 'viewBox'],
  ...['preserveAspectRatio', 'd', 'x1', 'x2', 'y1', 'y2', 'stroke-width', 'linebreak', 'valign'],
];

const purify = DOMPurify();

/**
 * A formula as the server has set it, with everything taken out that KaTeX does not make: the browser cleans what it shows, whatever the
 * server did. It is read as XML, which it is: read as HTML, a sign over a sign would fall out of its MathML.
 */
export function safeFormula(html: string): DocumentFragment {
  const { documentElement: read } = new DOMParser().parseFromString(
    `<span xmlns="http://www.w3.org/1999/xhtml">${html}</span>`,
    'application/xhtml+xml',
  );
  const isXml = read.querySelector('parsererror') === null;
  const clean = purify.sanitize(isXml ? read : html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ADD_URI_SAFE_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const place = isXml ? clean.firstElementChild : null;
  place?.replaceWith(...place.childNodes);
  return clean;
}
