import { describe, expect, it } from 'vitest';
import type { Drawing, ToDraw } from '#contract/drawing.ts';
import { NO_SITE } from '#contract/site.ts';
import { DrawnPages } from './drawn-pages.ts';
import type { FirstPictures } from './first-pictures.ts';
import type { PageDocument } from './page-document.ts';

const asks = [{ name: 'GET /api/common/newest', input: {} }] as const;
/** What a document would put around a drawing. */
const document = {
  drawn: (
    _page: unknown,
    { html }: { html: string },
    { whole, askAhead }: { whole: boolean; askAhead: string | null },
  ) => [html, ...(whole && html === '"frame"' ? ['whole'] : []), ...(askAhead === null ? [] : [askAhead])].join(' '),
} as unknown as PageDocument;

/** Drawn pages whose one call is answered by `answer`; `drawn` is what was drawn. */
function setUp(answer: () => Promise<unknown>, drawing: Partial<Drawing> = {}, pictures?: FirstPictures) {
  const drawn: ToDraw[] = [];
  const failures: unknown[] = [];
  let asked = 0;
  const pages = new DrawnPages({
    drawing: {
      frameOf: (path) => (path === '/print' ? null : path === '/exam/3' ? 'screen' : 'site'),
      askAhead: (path) => (path === '/exam/3' ? 'ask()' : null),
      scripts: [],
      asks: (path) => (path === '/' ? asks : null),
      draw: (page) => {
        drawn.push(page);
        return { html: JSON.stringify(page.answers?.map(({ data }) => data) ?? 'frame'), title: null };
      },
      ...drawing,
    },
    document,
    ...(pictures && { pictures }),
    site: NO_SITE,
    clock: () => 1_700_000_000_000,
    ask: () => {
      asked += 1;
      return answer();
    },
    onFailure: (error) => failures.push(error),
    within: 30,
  });
  const of = async (
    path: string,
    { page = 'home', cookie, isPlain = true }: { page?: string; cookie?: string; isPlain?: boolean } = {},
  ) => {
    const packed = await pages.of({ path, page, cookie, isPlain });
    return packed && (await packed.for(undefined)).body;
  };
  return { of, drawn, failures, asked: () => asked };
}

describe('pages that the server draws', () => {
  it('are drawn anew once a picture of theirs is made, and asked for those that matter alone', async () => {
    const asked: (readonly string[])[] = [];
    let made = () => {};
    const pictures = {
      of: (addresses: readonly string[], onMade: () => void) => {
        asked.push(addresses);
        made = onMade;
        return new Map();
      },
    } as unknown as FirstPictures;
    const html = '<img src="/files/a.webp" fetchPriority="high"/><img src="/files/b.webp"/>';
    const drawing = { draw: () => ({ html, title: null }) };
    const { of } = setUp(async () => ({}), drawing, pictures);
    for (let time = 0; time < 3; time += 1) await of('/');
    expect(asked).toEqual([['/files/a.webp']]);
    made();
    await of('/');
    expect(asked).toHaveLength(2);
    await of('/', { isPlain: false });
    expect(asked).toHaveLength(2);
  });

  it('are drawn once with what they show, however many visitors come at once', async () => {
    const { of, drawn, asked } = setUp(async () => ({ list: ['a'] }));
    const bodies = await Promise.all(Array.from({ length: 200 }, () => of('/')));
    expect(new Set(bodies)).toEqual(new Set(['[{"list":["a"]}]']));
    expect([drawn.length, asked()]).toEqual([1, 1]);
  });

  it.each([
    ['that are not answered in time', () => new Promise(() => {})],
    ['that are refused', () => Promise.reject(new Error('databaseAway'))],
  ])('go out as their frame alone where they show answers %s', async (_what, answer) => {
    const { of, drawn } = setUp(answer);
    expect(await of('/')).toBe('"frame"');
    expect(await of('/')).toBe('"frame"');
    expect(drawn.map(({ answers }) => answers)).toEqual([null]);
  });

  it('ask nothing for somebody who may be signed in, or for an address with a query', async () => {
    const { of, asked } = setUp(async () => ({}));
    expect(await of('/', { isPlain: false })).toBe('"frame"');
    expect(asked()).toBe(0);
  });

  it('are frames where nothing is declared, screens of their own too, and left to their script elsewhere', async () => {
    const { of, asked } = setUp(async () => ({}));
    expect(await of('/course/7', { page: 'course' })).toBe('"frame"');
    expect(await of('/exam/3', { page: 'exam' })).toBe('"frame" whole ask()');
    expect(await of('/print', { page: 'print' })).toBeNull();
    expect(asked()).toBe(0);
  });

  it.each([
    [undefined, 'zh-CN', 'auto'],
    ['lixue_language=en; lixue_theme=dark', 'en', 'dark'],
    ['lixue_language=<x>; lixue_theme="><script>', 'zh-CN', 'auto'],
  ])('are drawn in the look that the cookies %s say', async (cookie, language, theme) => {
    const { of, drawn } = setUp(async () => ({}));
    await of('/', cookie === undefined ? {} : { cookie });
    expect(drawn).toMatchObject([{ language, theme }]);
  });

  it('are left to their script where drawing fails, which is told', async () => {
    const { of, failures } = setUp(async () => ({}), {
      draw: () => {
        throw new Error('no window');
      },
    });
    expect(await of('/')).toBeNull();
    expect(failures).toHaveLength(1);
  });

  it('are left to their script where more than twenty are to be drawn within a second', async () => {
    const { of, drawn } = setUp(async () => ({}));
    const all = await Promise.all(Array.from({ length: 60 }, (_, at) => of('/x', { page: `page${at}` })));
    expect(drawn.length).toBeLessThanOrEqual(40);
    expect(all.filter((one) => one === null).length).toBe(60 - drawn.length);
  });
});
