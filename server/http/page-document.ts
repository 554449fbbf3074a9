import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Drawn } from '#contract/drawing.ts';
import type { Site } from '#contract/site.ts';
import { TAKEN_OVER } from '#contract/values/look.ts';
import type { PictureInside } from './first-pictures.ts';
import { FirstStyles } from './first-styles.ts';

/**
 * Runs before anything is shown, in every page: says which theme this browser remembers, or its system has; and keeps the button
 * that was pressed last, to press it once the page can answer.
 */
const EARLY = `(function(){var d=document,h=d.documentElement,a="data-mantine-color-scheme",s;try{s=localStorage.getItem("lixue.theme")}catch(e){}
if(s!=="light"&&s!=="dark")s=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";
if(h.getAttribute(a)!==s)h.setAttribute(a,s);
var p=null;function c(e){var b=e.target.closest&&e.target.closest("#root button");if(b)p=b}
d.addEventListener("click",c,true);
addEventListener("${TAKEN_OVER}",function(){d.removeEventListener("click",c,true);if(p&&p.isConnected)p.click()},{once:true})})()`;

/** How the policy of a page names the script inside all of them. */
export const EARLY_SOURCE = sourceOf(EARLY);

/** How the policy of a page names a script inside it. */
export function sourceOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** A text in the forms in which it goes over the wire, each made when it is first asked for, and then once more as small as it can be. */
export class Packed {
  readonly #text: string;
  #br: Promise<Buffer> | null = null;
  #smallest: Buffer | null = null;
  #gzip: Promise<Buffer> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param accepts what the client says it takes (`accept-encoding`) */
  async for(accepts: string | undefined): Promise<{ encoding: 'br' | 'gzip' | null; body: string | Buffer }> {
    if (accepts !== undefined && /\bbr\b/.test(accepts)) return { encoding: 'br', body: await this.#brotli() };
    if (accepts !== undefined && /\bgzip\b/.test(accepts)) {
      this.#gzip ??= promisify(gzip)(this.#text);
      return { encoding: 'gzip', body: await this.#gzip };
    }
    return { encoding: null, body: this.#text };
  }

  /** Who asks first gets it at once; a tenth smaller, which takes twenty times as long, it is for those who come later. */
  async #brotli(): Promise<Buffer> {
    if (this.#smallest !== null) return this.#smallest;
    if (this.#br === null) {
      this.#br = packed(this.#text, QUICK);
      this.#br
        .then(async (quick) => ({ quick, smallest: await packed(this.#text, SMALLEST) }))
        .then(
          ({ quick, smallest }) => {
            // Some texts come out larger of it.
            this.#smallest = smallest.length < quick.length ? smallest : quick;
          },
          // What there is already serves as well.
          () => undefined,
        );
    }
    return this.#br;
  }
}

/** Qualities: as quick as gzip, a millisecond; and the smallest, some dozens of them. Both beside the loop. */
const [QUICK, SMALLEST] = [5, constants.BROTLI_MAX_QUALITY];

function packed(text: string, quality: number): Promise<Buffer> {
  return promisify(brotliCompress)(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  });
}

interface PageCode {
  js: readonly string[];
  css: readonly string[];
  /** What its code fetches as soon as it runs. */
  soon?: readonly string[];
}

/** The one HTML document of the web app as each page gets it. */
export class PageDocument {
  /** Up to and after what index.html itself asks for, and that. */
  readonly #head: string;
  readonly #tail: string;
  readonly #entry: { js: readonly string[]; css: readonly string[] };
  readonly #code: Readonly<Record<string, PageCode>>;
  readonly #folder: string;
  readonly #styles = new Map<string | null, FirstStyles>();

  /** @param folder with the built index.html and page-code.json */
  constructor(folder: string, site: Site) {
    this.#folder = folder;
    const index = readFileSync(join(folder, 'index.html'), 'utf8');
    const code = join(folder, 'page-code.json');
    this.#code = existsSync(code) ? (JSON.parse(readFileSync(code, 'utf8')) as Record<string, PageCode>) : {};
    const js: string[] = [];
    const css: string[] = [];
    const rest = index.replace(/\s*<(?:link|script)\b[^>]*?(?:href|src)="\/assets\/[^>]*>(?:<\/script>)?/g, (tag) => {
      (tag.includes('rel="stylesheet"') ? css : js).push(tag.trim());
      return '';
    });
    this.#entry = { js, css };
    const end = rest.indexOf('</head>');
    this.#head = `${rest.slice(0, end)}<script>${EARLY}</script>`;
    this.#tail = rest.slice(end).replace('<div id="root"></div>', (root) => root + data('site', site));
  }

  /** A page whose script draws it, with all its code named; null: one of no address. */
  plain(page: string | null): string {
    const { js, css, soon = [] } = this.#filesOf(page);
    return (
      this.#head +
      // The site's styles before the page's own, which weigh as much and have to win.
      this.#entry.css.join('') +
      css.map(styleLink).join('') +
      this.#entry.js.join('') +
      js.map(codeLink).join('') +
      soon.map(soonLink).join('') +
      this.#tail
    );
  }

  /**
   * A page that is drawn already. One that is `whole` (with what it shows, or a screen of its own) has the styles of that inside, so that it
   * is painted as soon as it has come, and asks for the rest below; the site's bare frame is the same as its neighbours but for its drawing.
   * @param pictures those that are small enough to stand in it, by the address of the whole one
   * @param askAhead the script that asks for what the page shows; it is told how many files of code are to come, and which more those need
   *   that have formulas
   */
  drawn(
    page: string | null,
    { html: said, title, ...drawn }: Drawn & { html: string; title: string | null },
    {
      whole,
      askAhead,
      pictures = new Map(),
    }: { whole: boolean; askAhead: string | null; pictures?: ReadonlyMap<string, PictureInside> },
  ): string {
    const { html, links: pictureLinks } = withPictures(said, pictures);
    const { js, css, soon = [] } = this.#filesOf(page);
    const links = [...this.#entry.css, ...css.map(styleLink)].join('');
    const begun = askAhead === null ? [] : this.#entry.js.flatMap((tag) => /src="\/([^"]+)"/.exec(tag)?.[1] ?? []);
    const ahead = [...begun, ...js].map(codeLink);
    const code = this.#entry.js.join('') + ahead.join('') + soon.map(soonLink).join('');
    const asking =
      askAhead === null
        ? ''
        : `<script data-code="${ahead.length}" data-formulas="${this.#ofFormulas([...js, ...css])}">${askAhead}</script>`;
    const head =
      titled(languaged(this.#head, drawn.language), title) +
      // A script behind the styles would wait for them.
      (whole
        ? `${pictureLinks}<style>${this.#stylesOf(page).of(said, drawn.language)}</style>`
        : asking + links + code);
    const body = `<div id="root">${html}</div>${data('drawn', drawn)}${whole ? asking + links + code : ''}`;
    return head + this.#tail.replace('<div id="root"></div>', () => body);
  }

  /** The files that texts with formulas need besides those that are named already. */
  #ofFormulas(named: readonly string[]): string {
    const { js, css } = this.#filesOf('formulas');
    return [...js, ...css].filter((file) => !named.includes(file)).join(' ');
  }

  #filesOf(page: string | null): PageCode {
    return (page === null ? undefined : this.#code[page]) ?? { js: [], css: [] };
  }

  /** All styles of a page in the order of their files. */
  #stylesOf(page: string | null): FirstStyles {
    const known = this.#styles.get(page);
    if (known !== undefined) return known;
    const entry = this.#entry.css.map((tag) => /href="\/([^"]+)"/.exec(tag)?.[1] ?? '');
    const files = [...entry, ...this.#filesOf(page).css];
    const styles = new FirstStyles(files.map((file) => readFileSync(join(this.#folder, file), 'utf8')).join('\n'));
    this.#styles.set(page, styles);
    return styles;
  }
}

/** A picture that matters most (`fetchpriority`), with the one that stands in its place up to some width. */
const MAIN_PICTURE =
  /(?:<source media="([^"]*)" srcSet="([^"]*)"\/>)?<img src="([^"]*)"((?=[^>]* fetchPriority="high")[^>]*)/g;

/** Addresses of the pictures of a drawing that matter most, for whom they are small enough to stand inside. */
export const mainPictures = (html: string): string[] =>
  [...html.matchAll(MAIN_PICTURE)].flatMap(([, , narrow, wide]) => narrow ?? wide ?? []);

/**
 * Puts the pictures that matter most into the drawing where they are made for that, beside the address of the whole one for who shows
 * more of it; the others are asked for before the rest of the page has come, by the width that each is for.
 */
function withPictures(html: string, inside: ReadonlyMap<string, PictureInside>): { html: string; links: string } {
  let links = '';
  const put = html.replace(MAIN_PICTURE, (all, media: string | undefined, narrow = '', wide = '', rest = '') => {
    const small = inside.get(media === undefined ? wide : narrow);
    if (media === undefined) {
      if (small === undefined) links += pictureLink(wide);
      else if (small.width < small.whole)
        return `<img src="${wide}" srcSet="${small.address} ${small.width}w, ${wide} ${small.whole}w"${rest}`;
      else return `<img src="${small.address}"${rest}`;
      return all;
    }
    links += pictureLink(wide, `not all and ${media}`);
    if (small === undefined) links += pictureLink(narrow, media);
    return small === undefined ? all : all.replace(`srcSet="${narrow}"`, () => `srcSet="${small.address}"`);
  });
  return { html: put, links };
}

const pictureLink = (address: string, media?: string) =>
  `<link rel="preload" as="image" href="${address}" fetchpriority="high"${media === undefined ? '' : ` media="${media}"`}>`;

const styleLink = (file: string) => `<link rel="stylesheet" crossorigin href="/${file}">`;
const codeLink = (file: string) => `<link rel="modulepreload" crossorigin href="/${file}">`;
/** After all that the page itself waits for. */
const soonLink = (file: string) => codeLink(file).replace('>', ' fetchpriority="low">');

/** Data inside a page, which no browser runs; `<` is written so that no text ends the element. */
const data = (name: string, value: unknown) =>
  `<script type="application/json" data-${name}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

const languaged = (head: string, language: string) =>
  head.replace(/<html lang="[^"]*"/, () => `<html lang="${language}"`);

const titled = (head: string, title: string | null) =>
  title === null ? head : head.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`);

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
