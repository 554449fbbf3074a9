import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_SITE } from '#contract/site.ts';
import { mainPictures, Packed, PageDocument, sourceOf } from './page-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-document-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><html lang="zh-CN"><head><link rel="icon" href="/favicon.svg"><title>砺学</title>
  <script type="module" crossorigin src="/assets/index.js"></script>
  <link rel="stylesheet" crossorigin href="/assets/base.css">
  </head><body><div id="root"></div></body></html>`,
);
writeFileSync(
  join(folder, 'page-code.json'),
  JSON.stringify({
    home: { js: ['assets/Home.js'], css: ['assets/Home.css'] },
    formulas: { js: ['assets/Home.js', 'assets/formulas.js'], css: ['assets/formulas.css'] },
    play: { js: ['assets/Play.js'], css: [], soon: ['assets/player.js'] },
  }),
);
writeFileSync(join(folder, 'assets/base.css'), '.shown{color:red}.other{color:blue}');
writeFileSync(join(folder, 'assets/Home.css'), '.shown .deep,p{margin:0}');
afterAll(() => rmSync(folder, { recursive: true }));
const document = new PageDocument(folder, NO_SITE);
const whole = { whole: true, askAhead: null } as const;
const drawn = { language: 'en', theme: 'auto', now: 1, title: null } as const;

describe('the document of a page', () => {
  it('names the code of the page, and of no other', () => {
    expect(document.plain('home')).toContain('<link rel="modulepreload" crossorigin href="/assets/Home.js">');
    expect(document.plain('home')).toContain('<link rel="stylesheet" crossorigin href="/assets/Home.css">');
    // What a page says of an element has to win over what the site says of all.
    expect(document.plain('home').indexOf('base.css')).toBeLessThan(document.plain('home').indexOf('Home.css'));
    for (const page of ['courses', null]) expect(document.plain(page)).not.toContain('Home');
    expect(document.plain(null)).toContain('src="/assets/index.js"');
  });

  it('names last what the code of the page fetches as soon as it runs', () => {
    const framed = document.drawn('play', { ...drawn, html: '', answers: [] }, { whole: false, askAhead: null });
    for (const page of [document.plain('play'), framed]) {
      expect(page).toContain('<link rel="modulepreload" crossorigin href="/assets/player.js" fetchpriority="low">');
      expect(page.indexOf('player.js')).toBeGreaterThan(page.indexOf('Play.js'));
    }
    expect(document.plain('home')).not.toContain('player.js');
  });

  it('has its drawing before all that it loads, with the styles of that drawing', () => {
    const html = '<p class="shown">words</p>';
    const page = document.drawn('home', { ...drawn, html, answers: [] }, whole);
    expect(page).toContain(`<div id="root">${html}</div>`);
    expect(page).toContain('<style>.shown{color:red}p{margin:0}</style>');
    expect(page).toContain('<html lang="en"');
    for (const file of ['base.css', 'Home.css', 'index.js', 'Home.js']) {
      expect(page.indexOf(file)).toBeGreaterThan(page.indexOf(html));
      expect(page.split(file)).toHaveLength(2);
    }
  });

  it('is a bare frame with all styles before it', () => {
    const page = document.drawn(
      'home',
      { ...drawn, html: '<p>frame</p>', answers: null },
      { whole: false, askAhead: null },
    );
    expect(page).not.toContain('<style>');
    expect(page.indexOf('Home.css')).toBeLessThan(page.indexOf('frame'));
  });

  it('is a screen of its own with its styles inside, and the script that asks ahead behind it, before the code', () => {
    const html = '<p class="shown"></p>';
    const page = document.drawn('home', { ...drawn, html, answers: null }, { whole: true, askAhead: 'ask()' });
    // The entry and the page's own file; and what formulas need besides.
    expect(page).toContain(
      '<script data-code="2" data-formulas="assets/formulas.js assets/formulas.css">ask()</script>',
    );
    expect(page).not.toContain('href="/assets/formulas');
    expect(page.indexOf('ask()')).toBeGreaterThan(page.indexOf(html));
    expect(page.indexOf('ask()')).toBeLessThan(page.indexOf('base.css'));
    expect(page.indexOf('base.css')).toBeGreaterThan(page.indexOf(html));
    for (const file of ['index.js', 'Home.js'])
      expect(page).toContain(`<link rel="modulepreload" crossorigin href="/assets/${file}">`);
    expect(sourceOf('ask()')).toBe("'sha256-inhqo8UEOtta3Yf/3uJCGUt2o6pzuDBPHXRBiutLwio='");
  });

  it('asks early for the pictures that matter, each for its width', () => {
    const html =
      '<picture><source media="(max-width: 48em)" srcSet="/files/p.webp"/><img src="/files/w.webp" alt="a" fetchPriority="high"/></picture><img src="/files/late.webp"/>';
    const page = document.drawn('home', { ...drawn, html, answers: [] }, whole);
    expect(page).toContain('href="/files/p.webp" fetchpriority="high" media="(max-width: 48em)">');
    expect(page).toContain('href="/files/w.webp" fetchpriority="high" media="not all and (max-width: 48em)">');
    expect(page.match(/rel="preload"/g)).toHaveLength(2);
  });

  it('has the pictures that matter inside, where they are small enough, and asks for no other of them', () => {
    const small = (name: string, width = 720) =>
      [name, { address: `data:${name.at(-6)}`, width, whole: 1280 }] as const;
    const pictures = new Map([small('/files/p.webp'), small('/files/w.webp'), small('/files/n.webp', 1280)]);
    const drawnWith = (html: string) => document.drawn('home', { ...drawn, html, answers: [] }, { ...whole, pictures });
    const img = (name: string) => `<img src="/files/${name}.webp" alt="a" sizes="9px" fetchPriority="high"/>`;
    expect(drawnWith(img('w'))).toContain(
      '<img src="/files/w.webp" srcSet="data:w 720w, /files/w.webp 1280w" alt="a" sizes="9px" fetchPriority="high"/>',
    );
    expect(drawnWith(img('w'))).not.toContain('rel="preload"');
    // As wide as the whole: there is no other to choose.
    expect(drawnWith(img('n'))).toContain('<img src="data:n" alt="a"');
    expect(drawnWith(img('other'))).toContain('rel="preload" as="image" href="/files/other.webp"');
    // On phones the one for phones; the other is asked for where it is shown.
    const both = `<picture><source media="(m)" srcSet="/files/p.webp"/>${img('w')}</picture>`;
    expect(drawnWith(both)).toContain(`<source media="(m)" srcSet="data:p"/>${img('w')}`);
    expect(drawnWith(both).match(/rel="preload"[^>]*/g)).toEqual([
      'rel="preload" as="image" href="/files/w.webp" fetchpriority="high" media="not all and (m)"',
    ]);
    expect(mainPictures(`${both}${img('w')}<img src="/files/late.webp"/>`)).toEqual(['/files/p.webp', '/files/w.webp']);
  });

  it('lets no text of an answer or title out of its element', () => {
    const hostile = "</script><script>alert(1)</script><!-- $& $' ]]>";
    const answers = [
      { name: 'GET /api/common/newest', input: {}, data: { list: [{ packageName: hostile }] } },
    ] as const;
    const page = document.drawn('home', { ...drawn, html: '<p></p>', answers, title: `</title>${hostile}` }, whole);
    const [, json = ''] = /<script type="application\/json" data-drawn>(.*?)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual({ language: 'en', theme: 'auto', now: 1, answers });
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<!--');
    expect(page.match(/<\/title>/g)).toHaveLength(1);
  });

  it('goes out as small as the client takes it', async () => {
    const packed = new Packed('words'.repeat(1000));
    const as = async (accepts?: string) => packed.for(accepts);
    expect(await as()).toEqual({ encoding: null, body: 'words'.repeat(1000) });
    const [br, gz] = [await as('gzip, deflate, br'), await as('gzip')];
    expect([br.encoding, brotliDecompressSync(br.body).length]).toEqual(['br', 5000]);
    expect([gz.encoding, gunzipSync(gz.body).length]).toEqual(['gzip', 5000]);
  });

  it('goes out smaller to who comes later', async () => {
    const text = readFileSync(import.meta.filename, 'utf8');
    const packed = new Packed(text);
    const first = await packed.for('br');
    await expect.poll(async () => (await packed.for('br')).body.length).toBeLessThan(first.body.length);
    expect(brotliDecompressSync((await packed.for('br')).body).toString()).toBe(text);
  });
});
