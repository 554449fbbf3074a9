import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NO_SITE } from '#contract/site.ts';
import { createApp } from '#server/app.ts';
import { testApp } from '#server/test-kit.ts';

it('the page carries what the school says of itself, and no setting gets out of its element', async () => {
  const kit = await testApp();
  const webFolder = mkdtempSync(join(tmpdir(), 'lixue-web-'));
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'index.html'), '<html><head><title>t</title></head><body></body></html>');
  const site = { ...NO_SITE, contact: "</script><script>alert(1)</script> $& $'", icp: '京ICP备12345678号-1' };
  const app = await createApp(kit.parts, { webFolder, site });
  const { body, headers } = await app.inject({ method: 'GET', url: '/any/page' });
  // What watches over a site asks with HEAD.
  const heads = await Promise.all(
    ['/', '/any/page', '/healthz'].map(async (url) => (await app.inject({ method: 'HEAD', url })).statusCode),
  );
  expect(heads).toEqual([200, 200, 200]);
  await app.close();
  await kit.close();
  rmSync(webFolder, { recursive: true });
  const [, json = ''] = /<script type="application\/json" data-site>(.*?)<\/script>/.exec(body) ?? [];
  expect(JSON.parse(json)).toEqual(site);
  expect(body.match(/<script/g)).toHaveLength(1);
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect(headers['content-security-policy']).toMatch(/connect-src 'self'(;|$)/);
});
