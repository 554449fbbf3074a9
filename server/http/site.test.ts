import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Drawing } from '#contract/drawing.ts';
import { NO_SITE } from '#contract/site.ts';
import { createApp } from '#server/app.ts';
import { testApp } from '#server/test-kit.ts';

const site = { ...NO_SITE, contact: "</script><script>alert(1)</script> $& $'", icp: '京ICP备12345678号-1' };

describe('the web app', () => {
  let kit: Awaited<ReturnType<typeof testApp>>;
  const webFolder = mkdtempSync(join(tmpdir(), 'lixue-web-'));
  let app: Awaited<ReturnType<typeof createApp>>;
  beforeAll(async () => {
    kit = await testApp();
    mkdirSync(join(webFolder, 'assets'));
    writeFileSync(join(webFolder, 'assets', 'a.js'), 'export {};');
    writeFileSync(
      join(webFolder, 'index.html'),
      '<html><head><title>t</title></head><body><div id="root"></div></body></html>',
    );
    app = await createApp(kit.parts, { webFolder, site, apiDocs: true, metrics: true });
  });
  afterAll(async () => {
    await app.close();
    await kit.close();
    rmSync(webFolder, { recursive: true });
  });
  /** What a browser sends when a person opens an address. */
  const opened = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const ask = async (url: string, headers: { accept?: string } = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const { statusCode, headers: replied, body } = await app.inject({ method, url, headers });
    return { status: statusCode, type: String(replied['content-type']).split(';')[0], replied, body };
  };

  it('carries what the school says of itself, and no setting gets out of its element', async () => {
    const { body, replied } = await ask('/courses');
    const [, json = ''] = /<script type="application\/json" data-site>(.*?)<\/script>/.exec(body) ?? [];
    expect(JSON.parse(json)).toEqual(site);
    // The data, and the one script that the policy names.
    expect(body.match(/<script/g)).toHaveLength(2);
    const [, early = ''] = /<script>([\s\S]*?)<\/script>/.exec(body) ?? [];
    const hash = createHash('sha256').update(early).digest('base64');
    expect(replied['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(replied['content-security-policy']).toMatch(/connect-src 'self'(;|$)/);
  });

  it('stands in no frame of another site, and makes no browser begin another process for it', async () => {
    const { replied } = await ask('/courses', opened);
    expect(replied['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(replied['cross-origin-resource-policy']).toBe('same-origin');
    expect(replied['cross-origin-opener-policy']).toBeUndefined();
  });

  it('lets the course play page tell the collector of the school, and no other address', async () => {
    const collector = 'https://collect.example.cn/lixue';
    const own = await createApp(kit.parts, { webFolder, site: { ...NO_SITE, collector } });
    try {
      const reply = await own.inject({ method: 'GET', url: '/courses', headers: opened });
      expect(reply.headers['content-security-policy']).toContain(`connect-src 'self' ${collector};`);
      expect(reply.body).toContain(`"collector":"${collector}"`);
    } finally {
      await own.close();
    }
  });

  it.each(['/', '/courses', '/course/3?x=1', '/exam/result/7', '/universities?name=a.b'])(
    'is at the page %s for everybody, and for what watches over a site with HEAD',
    async (url) => {
      for (const headers of [{}, opened, { accept: '*/*' }]) {
        expect(await ask(url, headers)).toMatchObject({ status: 200, type: 'text/html' });
        expect(await ask(url, headers, 'HEAD')).toMatchObject({ status: 200, type: 'text/html' });
      }
    },
  );

  it('leaves alone what watches over the server', async () => {
    expect((await ask('/healthz', {}, 'HEAD')).status).toBe(200);
    expect(await ask('/openapi.json', opened)).toMatchObject({ status: 200, type: 'application/json' });
    expect((await ask('/assets/a.js')).status).toBe(200);
  });

  it('describes its calls and counts for those who run it only where that is set, with the headers of a page', async () => {
    for (const url of ['/docs/', '/openapi.json', '/metrics']) {
      const { status, replied } = await ask(url);
      expect([url, status]).toEqual([url, 200]);
      expect(replied['content-security-policy']).toContain("script-src 'self';");
      expect(replied['x-frame-options']).toBe('SAMEORIGIN');
    }
    const plain = await createApp(kit.parts, { webFolder, site });
    for (const url of ['/docs', '/docs/', '/docs/json', '/openapi.json', '/metrics']) {
      const { statusCode, body } = await plain.inject({ method: 'GET', url });
      expect([url, statusCode]).toEqual([url, 404]);
      expect(body).not.toContain('lixue_call_seconds');
    }
    await plain.close();
  });

  it('draws a page with what a visitor may see, and of who has a session the frame alone', async () => {
    const drawing: Drawing = {
      frameOf: () => 'site',
      askAhead: () => null,
      scripts: [],
      asks: (path) => (path === '/' ? [{ name: 'GET /api/user/info', input: {} }] : null),
      draw: ({ answers }) => ({ html: answers === null ? 'frame' : 'first view', title: null }),
    };
    const drawn = await createApp(kit.parts, { webFolder, site, drawing });
    try {
      const get = (url: string, headers = {}) => drawn.inject({ method: 'GET', url, headers });
      // The first may come before its answers do.
      await expect.poll(async () => (await get('/')).body).toContain('first view');
      const first = await get('/');
      expect(first.body).toContain('"user":null');
      expect(first.headers.vary).toBe('cookie, accept-encoding');
      expect(first.headers['cache-control']).toBe('no-cache');
      for (const headers of [
        { cookie: 'lixue_session=x' },
        { cookie: '__Host-lixue_session=x' },
        { authorization: 'Bearer x' },
      ]) {
        const { body } = await get('/', headers);
        expect(body).toContain('<div id="root">frame</div>');
        expect(body).toContain('"answers":null');
        expect(body).not.toContain('"user"');
      }
      expect((await get('/?x=1')).body).toContain('frame');
      expect((await get('/no/such', opened)).body).not.toContain('frame');
    } finally {
      await drawn.close();
    }
  });

  it.each([
    '/any/page',
    '/livePage/other.html?liveId=3&state=2',
    '/playBack/',
    '/index.html',
    '/a.b',
    '/course/3/x.pdf',
    '/wp-login.php',
    '/api',
    '/api/no/such/call',
    '/app/no_such_call?x=1',
    '/app/',
    // A call that is only sent with POST.
    '/api/user/login',
    '/spread/none',
  ])('is the not-found page at %s for a person, and an envelope for a program', async (url) => {
    const page = await ask(url, opened);
    expect(page).toMatchObject({ status: 404, type: 'text/html' });
    expect(page.body).toContain('<title>t</title>');
    expect(page.replied['content-security-policy']).toContain("default-src 'self'");
    expect(page.replied['cache-control']).toBe('no-cache');
    expect(await ask(url, opened, 'HEAD')).toMatchObject({ status: 404, type: 'text/html' });
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'image/avif,*/*;q=0.8' }]) {
      const reply = await ask(url, headers);
      expect(reply).toMatchObject({ status: 404, type: 'application/json' });
      expect(JSON.parse(reply.body)).toMatchObject({ code: 404, data: { why: 'notFound' } });
    }
  });

  it('is not in the way of calls, stored files and assets', async () => {
    expect(await ask('/api/user/info', opened)).toMatchObject({ status: 200, type: 'application/json' });
    expect(await ask('/files/none.png', opened)).toMatchObject({ status: 404, type: 'application/json' });
    expect(await ask('/assets/none.js', opened)).toMatchObject({ status: 404, type: 'application/json' });
    expect(await ask('/courses', opened, 'POST')).toMatchObject({ status: 404, type: 'application/json' });
  });
});
