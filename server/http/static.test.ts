import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#server/app.ts';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { type TestApp, type TestUser, testApp } from '#server/test-kit.ts';

/** Everything here goes through a socket: what a browser's video element and a proxy see. */
const web = mkdtempSync(join(tmpdir(), 'lixue-web-'));
let kit: TestApp;
let port: number;
let app: Awaited<ReturnType<typeof createApp>>;
let student: TestUser;
let stranger: TestUser;
/** Every byte tells its place, so that a part which begins one byte off is seen. */
const VIDEO = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
let video = '';
const SCRIPT = `export const text = ${JSON.stringify('砺学 '.repeat(500))};\n`;
/** The folder of stored files. */
let folder = '';
/** The pack of the student. */
let packId = 0;
/** Stores a file of that pack. */
async function stored(bytes: Uint8Array, extension: string): Promise<string> {
  const name = await kit.parts.files.put(bytes, extension);
  await kit.db.query.insertInto('pack_files').values({ name, pack_id: packId }).execute();
  return name;
}

beforeAll(async () => {
  writeFileSync(join(web, 'index.html'), '<html><head></head><body>page</body></html>');
  writeFileSync(join(web, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(web, 'manifest.webmanifest'), '{}');
  writeFileSync(join(web, '.secret'), 'secret');
  const assets = join(web, 'assets');
  mkdirSync(join(assets, 'folder'), { recursive: true });
  writeFileSync(join(assets, 'app-1a2b.js'), SCRIPT);
  writeFileSync(join(assets, 'app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(assets, 'app-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(assets, 'font-3c4d.woff2'), 'font');
  writeFileSync(join(assets, '.secret'), 'secret');
  writeFileSync(join(assets, 'folder', 'index.html'), 'an index');

  kit = await testApp();
  app = await createApp(kit.parts, { webFolder: web });
  port = await app.listen(0, '127.0.0.1');
  [student, stranger] = [await kit.user(), await kit.user()];
  video = await kit.parts.files.put(VIDEO, 'mp4');
  const { path = '' } = (await kit.parts.files.find(video)) ?? {};
  folder = join(path, '..', '..');
  utimesSync(path, new Date('2026-01-02T03:04:05Z'), new Date('2026-01-02T03:04:05Z'));
  ({ packId } = await makePack(kit, { enrol: 'closed' }));
  await enrol(kit, student, packId);
  await kit.db.query
    .insertInto('pack_files')
    .values({ name: video, pack_id: packId, open: 0, title: '第一讲 “极限”.mp4' })
    .execute();
});
afterAll(async () => {
  await app.close();
  await kit.close();
  rmSync(web, { recursive: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends the path as it is written: `fetch` would tidy up `..` before it is sent. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const signedIn = (user: TestUser) => ({ authorization: `Bearer ${user.token}` });
const getVideo = (headers: Record<string, string> = {}, method = 'GET') =>
  get(`/files/${video}`, { ...signedIn(student), ...headers }, method);
const whyOf = ({ body }: Answer) => JSON.parse(body.toString()).data.why as string;

describe('a stored file', () => {
  it('comes whole, with all that a player and a cache need to know', async () => {
    const { status, headers, body } = await getVideo();
    expect(status).toBe(200);
    expect(body.equals(VIDEO)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(VIDEO.length),
      'accept-ranges': 'bytes',
      'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
      etag: expect.stringMatching(/^(W\/)?"[^"]+"$/),
      'cache-control': 'private, no-cache',
      'content-disposition': `inline; filename="??? ????.mp4"; filename*=UTF-8''${encodeURIComponent('第一讲 “极限”.mp4')}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*sandbox$/),
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  const end = VIDEO.length - 1;
  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=0-0', 0, 0],
    ['bytes=100-', 100, end],
    ['bytes=-100', VIDEO.length - 100, end],
    [`bytes=${end}-`, end, end],
    [`bytes=65530-65600`, 65_530, 65_600],
    [`bytes=1000-99999999999`, 1000, end],
  ])('%s is answered with exactly these bytes', async (range, from, to) => {
    const { status, headers, body } = await getVideo({ range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${from}-${to}/${VIDEO.length}`);
    expect(headers['content-length']).toBe(String(to - from + 1));
    expect(headers['content-type']).toBe('video/mp4');
    expect(body.equals(VIDEO.subarray(from, to + 1))).toBe(true);
  });

  it.each([`bytes=${VIDEO.length}-`, 'bytes=999999999-', 'bytes=-0'])(
    '%s is refused with the size, and nothing remembers it',
    async (range) => {
      const answer = await getVideo({ range });
      expect([answer.status, whyOf(answer)]).toEqual([416, 'noSuchRange']);
      expect(answer.headers['content-range']).toBe(`bytes */${VIDEO.length}`);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it.each(['bytes=0-9,20-29', 'bytes=-300001', 'bytes=-9999999999', 'seconds=1-2', 'nonsense'])(
    '%s is answered with the whole file',
    async (range) => {
      const { status, body } = await getVideo({ range });
      expect([status, body.equals(VIDEO)]).toEqual([200, true]);
    },
  );

  it('is not sent again to whom has it', async () => {
    const { etag = '', 'last-modified': lastModified = '' } = (await getVideo()).headers;
    for (const [condition, known] of [
      ['if-none-match', etag],
      ['if-modified-since', lastModified],
    ] as const) {
      const { status, headers, body } = await getVideo({ [condition]: known });
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
    }
    expect((await getVideo({ 'if-none-match': '"another"' })).status).toBe(200);
    const other = await getVideo({ 'if-match': '"another"' });
    expect([other.status, whyOf(other), other.headers['cache-control']]).toEqual([412, 'notAsExpected', 'no-store']);
  });

  it('goes on in its middle only for whom has its beginning (If-Range)', async () => {
    const { etag = '', 'last-modified': lastModified = '' } = (await getVideo()).headers;
    for (const has of [etag, lastModified])
      expect((await getVideo({ range: 'bytes=5-9', 'if-range': has })).status).toBe(206);
    for (const has of ['"another"', 'Thu, 01 Jan 2026 00:00:00 GMT']) {
      const { status, body } = await getVideo({ range: 'bytes=5-9', 'if-range': has });
      expect([status, body.equals(VIDEO)]).toEqual([200, true]);
    }
  });

  it('is not read for whom has left, nor mixed with what others get', async () => {
    const large = await stored(randomBytes(20_000_000), 'mp4');
    const opened = () => readdirSync('/dev/fd').length;
    const before = opened();
    await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const sent = request({
          port,
          host: '127.0.0.1',
          path: `/files/${large}`,
          headers: signedIn(student),
          agent: false,
        });
        sent.end();
        sent.on('error', () => undefined);
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        answer.on('error', () => undefined);
        if (at % 2 === 0) return answer.destroy();
        const hash = createHash('sha256');
        for await (const piece of answer) hash.update(piece as Buffer);
        expect(hash.digest('hex')).toBe(large.slice(3, 67));
      }),
    );
    await expect.poll(opened).toBeLessThanOrEqual(before);
  });

  it('tells its size to HEAD', async () => {
    const { status, headers, body } = await getVideo({}, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject({
      'content-length': String(VIDEO.length),
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
    });
  });

  it('of somebody else, of nobody and one that does not exist are answered alike, whatever is asked', async () => {
    const { etag = '' } = (await getVideo()).headers;
    const ownerless = await kit.parts.files.put(Buffer.from('belongs to nothing'), 'mp4');
    const nowhere = `ab/${'ab'.repeat(32)}.mp4`;
    const asks: [Record<string, string>, string][] = [
      [{}, 'GET'],
      [{}, 'HEAD'],
      [{ range: 'bytes=0-99' }, 'GET'],
      [{ range: 'bytes=999999999-' }, 'GET'],
      [{ 'if-none-match': etag }, 'GET'],
      [{ 'if-match': '"another"' }, 'GET'],
    ];
    const said = ({ status, headers, body }: Answer) => {
      const { date: _, ...rest } = headers;
      return { status, headers: rest, body: body.toString() };
    };
    for (const [headers, method] of asks) {
      for (const who of [{}, signedIn(stranger)]) {
        const none = said(await get(`/files/${nowhere}`, { ...who, ...headers }, method));
        expect([none.status, none.headers['cache-control']]).toEqual([404, 'no-store']);
        for (const name of [video, ownerless])
          expect(said(await get(`/files/${name}`, { ...who, ...headers }, method)), method).toEqual(none);
      }
    }
    expect((await get(`/files/${ownerless}`, signedIn(await kit.user('teacher')))).status).toBe(404);
  });

  it('is only found by its own name', async () => {
    const [shelf = '', file = ''] = video.split('/');
    writeFileSync(join(folder, '..', 'outside.txt'), 'outside');
    writeFileSync(join(folder, shelf, '.hidden.mp4'), 'hidden');
    mkdirSync(join(folder, shelf, `${'0'.repeat(64)}.mp4`));
    for (const path of [
      '/files/',
      '/files',
      `/files/${shelf}`,
      `/files/${shelf}/`,
      `/files/${shelf}/.hidden.mp4`,
      `/files/${shelf}/${'0'.repeat(64)}.mp4`,
      `/files/${shelf}/${file.toUpperCase()}`,
      `/files/${shelf}/${file.replace('.mp4', '.MP4')}`,
      `/files/${video}/`,
      `/files/${video}/.`,
      `/files//${video}`,
      `/files/${video}%00`,
      `/files/${video}%00.png`,
      '/files/../outside.txt',
      '/files/..%2foutside.txt',
      '/files/%2e%2e/outside.txt',
      '/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/files/..%5coutside.txt',
      '/files/....//outside.txt',
      `/files/${shelf}/../../outside.txt`,
      `/files/${shelf}/../${video}`,
      '/files/%ff',
      '/files/%E0%A4%A',
    ]) {
      const { status, headers, body } = await get(path, signedIn(student));
      expect(status, path).toBeOneOf([400, 404]);
      expect(body.toString(), path).not.toMatch(/outside|hidden/);
      expect(headers['content-type'], path).toBe('application/json; charset=utf-8');
    }
  });

  it('is not there while it is being written', async () => {
    const bytes = Buffer.alloc(3_000_000, 'written');
    const name = await stored(bytes, 'mp4');
    const { path = '' } = (await kit.parts.files.find(name)) ?? {};
    // As a writer that was killed leaves it: under the name it has until it is whole.
    rmSync(path);
    const aside = `.${randomUUID()}`;
    writeFileSync(path + aside, bytes.subarray(0, 1000));
    expect((await get(`/files/${name}${aside}`, signedIn(student))).status).toBe(404);
    let isWritten = false;
    const writing = kit.parts.files.put(bytes, 'mp4').then(() => {
      isWritten = true;
    });
    while (!isWritten) {
      const { status, body } = await get(`/files/${name}`, signedIn(student));
      expect(status).toBeOneOf([200, 404]);
      if (status === 200) expect(body.equals(bytes)).toBe(true);
    }
    await writing;
    expect((await get(`/files/${name}`, signedIn(student))).body.equals(bytes)).toBe(true);
  });

  it.each([
    ['png', 'image/png', 'inline'],
    ['jpg', 'image/jpeg', 'inline'],
    ['webp', 'image/webp', 'inline'],
    ['svg', 'image/svg+xml', 'inline'],
    ['mp4', 'video/mp4', 'inline'],
    ['m3u8', 'application/vnd.apple.mpegurl', 'inline'],
    ['pdf', 'application/pdf', 'attachment'],
    ['zzz', 'application/octet-stream', 'attachment'],
  ])('.%s is %s, %s', async (extension, type, place) => {
    const name = await stored(new TextEncoder().encode(`a ${extension}`), extension);
    const { headers, body } = await get(`/files/${name}`, signedIn(student));
    expect([headers['content-type'], body.toString()]).toEqual([type, `a ${extension}`]);
    expect(headers['content-disposition']).toBe(place);
  });
});

describe('the web app', () => {
  it('sends a ready-made packed asset to whom takes it, for ever', async () => {
    const plain = await get('/assets/app-1a2b.js');
    expect([plain.status, plain.body.toString()]).toEqual([200, SCRIPT]);
    expect(plain.headers).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    const etags = new Set([plain.headers.etag]);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await get('/assets/app-1a2b.js', { 'accept-encoding': encoding });
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': plain.headers['content-type'],
        'content-length': String(body.length),
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(unpack(body).toString()).toBe(SCRIPT);
      etags.add(headers.etag);
      const again = await get('/assets/app-1a2b.js', {
        'accept-encoding': encoding,
        'if-none-match': headers.etag ?? '',
      });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect(etags.size).toBe(3);
    expect((await get('/assets/font-3c4d.woff2', { 'accept-encoding': 'br' })).body.toString()).toBe('font');
    const part = await get('/assets/app-1a2b.js', { range: 'bytes=0-5' });
    expect([part.status, part.body.toString()]).toEqual([206, 'export']);
  });

  it('lists no folder and shows nothing that is not an asset', async () => {
    for (const path of [
      '/assets',
      '/assets/',
      '/assets/folder',
      '/assets/folder/',
      '/assets/.secret',
      '/assets/none.js',
      '/assets/APP-1a2b.js',
      '/assets/../index.html',
      '/assets/%2e%2e/index.html',
      '/assets/..%2findex.html',
      '/assets/..%2f..%2f..%2fetc%2fpasswd',
      '/favicon.ico',
    ]) {
      const { status, headers, body } = await get(path);
      expect(status, path).toBeOneOf([400, 404]);
      expect(body.toString(), path).not.toMatch(/secret|an index|root:/);
      expect(headers['cache-control'], path).toBe('no-store');
    }
  });

  it('gives the page to every route of the app, and its icon and manifest', async () => {
    for (const path of ['/', '/exam/12?x=1', '/login']) {
      const { status, headers, body } = await get(path);
      expect([status, headers['content-type'], headers['cache-control']], path).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(body.toString(), path).toContain('<body>page</body>');
    }
    // An address of no page, whatever it looks like: the page says so to a person.
    for (const path of ['/a.b.c/d', '/.secret']) {
      const { status, headers, body } = await get(path, { accept: 'text/html' });
      expect([status, headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8']);
      expect(body.toString(), path).toContain('<body>page</body>');
    }
    const icon = await get('/favicon.svg');
    expect([icon.status, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
      200,
      'image/svg+xml',
      'public, max-age=3600',
    ]);
    const manifest = await get('/manifest.webmanifest');
    expect([manifest.headers['content-type'], manifest.body.toString()]).toEqual(['application/manifest+json', '{}']);
    expect((await get('/favicon.svg', { 'if-none-match': icon.headers.etag ?? '' })).status).toBe(304);
  });
});
