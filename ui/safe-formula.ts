import DOMPurify from 'dompurify';

/** All that KaTeX makes a formula of, by namespace; what would load, run or lead anywhere is not among it. */
const HTML = ['span'];
const SVG = ['svg', 'path', 'line'];
const MATHML =
  `math semantics annotation mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup
msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mlabeledtr mglyph merror`.split(/\s+/);
const ATTRIBUTES =
  `class style aria-hidden xmlns encoding display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize
stretchy fence separator symmetric largeop movablelimits form lspace rspace minsize maxsize accent accentunder
linethickness notation columnalign columnlines columnspacing rowalign rowlines rowspacing side width height depth
voffset viewBox preserveAspectRatio d x1 x2 y1 y2 stroke-width linebreak valign`.split(/\s+/);

/** The browser's own cleaner, much less work than the library (decision 080); null: it has none. lib.dom does not know the call yet. */
type Cleaning = Element & { setHTML?: (html: string, options: { sanitizer: Sanitizer }) => void };
const own =
  'setHTML' in Element.prototype && typeof Sanitizer === 'function'
    ? new Sanitizer({
        elements: [
          ...HTML.map((name) => ({ name, namespace: 'http://www.w3.org/1999/xhtml' })),
          ...SVG.map((name) => ({ name, namespace: 'http://www.w3.org/2000/svg' })),
          ...MATHML.map((name) => ({ name, namespace: 'http://www.w3.org/1998/Math/MathML' })),
        ],
        attributes: ATTRIBUTES,
        comments: false,
        dataAttributes: false,
      })
    : null;

/** An element in a sign, a letter or a text of MathML: read as HTML, it would fall out of the MathML. */
const NESTED = /<(?:mi|mn|mo|ms|mtext)\b[^>]*><(?!\/)/;

const purify = DOMPurify();
purify.setConfig({
  ALLOWED_TAGS: [...HTML, ...SVG, ...MATHML],
  // Copies: the library writes small letters into the lists that it is given.
  ALLOWED_ATTR: [...ATTRIBUTES],
  ADD_URI_SAFE_ATTR: [...ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
});

/**
 * A formula as the server has set it, with everything taken out that KaTeX does not make: the browser cleans what it shows, whatever the
 * server did. It does so itself where it can, and where reading as HTML and as XML comes to the same; else the library does, and reads XML.
 */
export function safeFormula(html: string): DocumentFragment {
  if (own !== null && !NESTED.test(html)) {
    const template = document.createElement('template');
    (template as Cleaning).setHTML?.(html, { sanitizer: own });
    return template.content;
  }
  return purified(html);
}

function purified(html: string): DocumentFragment {
  const { documentElement: read } = new DOMParser().parseFromString(
    `<span xmlns="http://www.w3.org/1999/xhtml">${html}</span>`,
    'application/xhtml+xml',
  );
  const isXml = read.querySelector('parsererror') === null;
  // With the configuration above it gives a fragment; its types know that only of a call that has its own.
  const clean = purify.sanitize(isXml ? read : html) as unknown as DocumentFragment;
  const place = isXml ? clean.firstElementChild : null;
  place?.replaceWith(...place.childNodes);
  return clean;
}
