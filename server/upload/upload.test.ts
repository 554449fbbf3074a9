import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LARGEST_UPLOAD, MOST_UPLOADS, UPLOAD_KEPT } from '#contract/values/upload.ts';
import { HELD_FOR } from '#rules/upload/room.ts';
import { buildWebServer, type WebServer } from '#server/http/web-server.ts';
import { JobRefused, JobTrouble, type JobWorker, jobWorker } from '#server/job/worker.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { sessionFinder } from '#server/user/session.ts';
import { uploadChores } from './chores.ts';
import { type UploadKind, uploadFolder, uploadKeeper, uploadPath } from './keeper.ts';
import { uploadRoutes } from './routes.ts';
import { takeInJob } from './take-in-job.ts';
import { metadata, PIECE, TUS, tusClient } from './tus.test-kit.ts';

const LIST = '/app/upload/list?uploadFor=media';
/** Milliseconds: longer than a busy machine is silent by itself, and hardly any time. */
const [PATIENT, HASTY] = [15_000, 60];
const GB = 1024 ** 3;

describe.each(databases)('uploads on $name', ({ kind: database }) => {
  let t: TestApp;
  let worker: JobWorker;
  const webs: WebServer[] = [];
  let port = 0;
  let otherPort = 0;
  let hastyPort = 0;
  let free = 1e15;
  let takenIn: { name: string; bytes: Buffer; userId: number }[] = [];
  let refusal: Error | null = null;
  /** Takes what begins with `ok`. */
  const kind: UploadKind = {
    purpose: 'media',
    headBytes: 2,
    wrong: ['notMedia'],
    refuses: (head) => (Buffer.from(head).toString() === 'ok' ? null : 'notMedia'),
    takeIn: async ({ path, fileName, userId }) => {
      if (refusal) throw refusal;
      const bytes = readFileSync(path);
      return async () => void takenIn.push({ name: fileName, bytes, userId });
    },
  };
  async function serverOn(app: TestApp, silentAfter = PATIENT): Promise<number> {
    const keeper = uploadKeeper(app.parts, [kind], { free: async () => free, silentAfter });
    const web = await buildWebServer({
      durability: { weak: () => null, chores: [] },
      parts: app.parts,
      findSession: sessionFinder(app.db, true),
      mayOpenPack: async () => ({ ok: true }),
      fileOwners: [],
      routes: (serve, _sockets, _callbacks, _bytes, serveResumable) =>
        uploadRoutes(serve, serveResumable, app.parts, keeper),
    });
    webs.push(web);
    return web.listen(0, '127.0.0.1');
  }
  beforeAll(async () => {
    t = await testApp(database);
    port = await serverOn(t);
    hastyPort = await serverOn(t, HASTY);
    otherPort = await serverOn(await t.sibling());
    worker = jobWorker(t.parts, [takeInJob(t.parts, [kind])]);
  });
  afterAll(async () => {
    for (const web of webs) await web.close();
    await worker.stop();
    await t.close();
  });

  const film = (bytes: number) => Buffer.concat([Buffer.from('ok'), randomBytes(bytes - 2)]);
  async function teacher() {
    const person = await t.user('teacher');
    return {
      person,
      ...tusClient(port, person.token),
      elsewhere: tusClient(otherPort, person.token),
      hasty: tusClient(hastyPort, person.token),
    };
  }
  async function work() {
    takenIn = [];
    await worker.chores[0]?.run(t.time.now);
    await worker.idle();
  }
  async function listed(by: TestUser) {
    const answer = await fetch(`http://127.0.0.1:${port}${LIST}`, { headers: { authorization: `Bearer ${by.token}` } });
    interface Listed {
      data: { list: { state: string; reason: string; received: number; address: string | null }[] };
    }
    return ((await answer.json()) as Listed).data.list;
  }
  const mine = async (by: TestUser) => (await listed(by)).filter(({ address }) => address !== null);
  const offsetOf = ({ headers }: { headers: Record<string, unknown> }) => Number(headers['upload-offset']);
  const fileOf = (address: string) => uploadPath(t.parts, address.split('/').at(-1) ?? '');

  it('comes piece by piece, is taken in once, and says so to whom asks again', async () => {
    const { person, ask, create, head, patch } = await teacher();
    const said = await ask('OPTIONS', '/app/upload');
    expect([said.status, said.headers['tus-version'], said.headers['tus-max-size']]).toEqual([
      204,
      '1.0.0',
      String(LARGEST_UPLOAD),
    ]);
    const bytes = film(300_000);
    const address = await create(bytes.length, { filename: '第一讲\u202egpj.mp4' });
    expect(address).toMatch(/^\/app\/upload\/[\w-]{32}$/);
    expect(offsetOf(await head(address))).toBe(0);
    expect((await patch(address, 0, bytes.subarray(0, 100_000))).status).toBe(204);
    const half = await head(address);
    expect([half.status, offsetOf(half), half.headers['upload-length']]).toEqual([200, 100_000, '300000']);
    expect(half.headers['cache-control']).toBe('no-store');
    expect(Date.parse(String(half.headers['upload-expires']))).toBe(t.time.now + UPLOAD_KEPT);
    const last = await patch(address, 100_000, bytes.subarray(100_000));
    expect([last.status, offsetOf(last)]).toEqual([204, 300_000]);
    // The answer got lost: the last piece comes again, before the file is taken in and afterwards.
    expect((await patch(address, 100_000, bytes.subarray(100_000))).status).toBe(409);
    expect((await patch(address, 300_000, Buffer.alloc(0))).status).toBe(204);
    expect(await mine(person)).toMatchObject([{ state: 'checking' }]);
    await work();
    expect(takenIn).toMatchObject([{ name: '第一讲 gpj.mp4', userId: person.userId }]);
    expect(takenIn[0]?.bytes.equals(bytes)).toBe(true);
    expect((await patch(address, 300_000, Buffer.alloc(0))).status).toBe(204);
    expect(offsetOf(await head(address))).toBe(300_000);
    expect(await mine(person)).toEqual([]);
    await work();
    expect(takenIn).toEqual([]);
  });

  it('a line that breaks: what came counts, and it goes on from there in any process', async () => {
    const { create, head, open, elsewhere } = await teacher();
    const bytes = film(500_000);
    const address = await create(bytes.length);
    const line = open(address, 0, bytes.length);
    line.request.write(bytes.subarray(0, 200_000));
    await expect.poll(() => readFileSync(fileOf(address)).length).toBe(200_000);
    line.request.destroy();
    await expect.poll(async () => offsetOf(await head(address))).toBe(200_000);
    expect((await elsewhere.patch(address, 200_000, bytes.subarray(200_000))).status).toBe(204);
    await work();
    expect(takenIn[0]?.bytes.equals(bytes)).toBe(true);
  });

  it('of two at once one writes; a place that is not where it stands is refused', async () => {
    const { create, head, open, patch, elsewhere } = await teacher();
    const bytes = film(60_000);
    const address = await create(bytes.length);
    expect(await patch(address, 1, bytes)).toMatchObject({ status: 409, why: 'uploadMoved' });
    const line = open(address, 0, bytes.length);
    // It goes on being sent something, a little every moment.
    let sent = 0;
    const drip = setInterval(() => line.request.write(bytes.subarray(sent, ++sent)), 5);
    await expect.poll(() => readFileSync(fileOf(address)).length).toBeGreaterThan(0);
    expect(await patch(address, 0, bytes)).toMatchObject({ status: 423, why: 'uploadHeld' });
    expect((await head(address)).status).toBe(423);
    expect(await elsewhere.patch(address, 0, bytes)).toMatchObject({ status: 423 });
    clearInterval(drip);
    line.request.end(bytes.subarray(sent));
    expect((await line.said).status).toBe(204);
    await work();
    expect(takenIn[0]?.bytes.equals(bytes)).toBe(true);
    const many = await create(bytes.length);
    const all = await Promise.all(Array.from({ length: 8 }, () => patch(many, 0, bytes)));
    expect(all.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const { status } of all) expect([204, 409, 423]).toContain(status);
    await work();
    expect(takenIn).toHaveLength(1);
    expect(takenIn[0]?.bytes.equals(bytes)).toBe(true);
  });

  it('a line that is silent holds nobody up: here after a moment, in another process after seconds', async () => {
    const { hasty, elsewhere } = await teacher();
    const { create, head, open, patch } = hasty;
    const bytes = film(60_000);
    const address = await create(bytes.length);
    const dead = open(address, 0, bytes.length);
    dead.request.write(bytes.subarray(0, 20_000));
    await expect.poll(async () => offsetOf(await head(address))).toBe(20_000);
    await expect(dead.said).rejects.toThrow();

    const frozen = open(address, 20_000, 40_000);
    frozen.request.write(bytes.subarray(20_000, 30_000));
    await expect.poll(() => readFileSync(fileOf(address)).length).toBe(30_000);
    expect((await elsewhere.head(address)).status).toBe(423);
    t.time.now += HELD_FOR;
    expect(offsetOf(await elsewhere.head(address))).toBe(20_000);
    expect((await elsewhere.patch(address, 20_000, bytes.subarray(20_000, 50_000))).status).toBe(204);
    // What the first one still writes counts no more.
    frozen.request.end(bytes.subarray(30_000));
    await frozen.said;
    expect(offsetOf(await head(address))).toBe(50_000);
    expect((await patch(address, 50_000, bytes.subarray(50_000))).status).toBe(204);
    await work();
    expect(takenIn[0]?.bytes.equals(bytes)).toBe(true);
  });

  it('goes on at once where its writer died before a clock that was hours ahead was set back', async () => {
    const { create, head, patch } = await teacher();
    const bytes = film(60_000);
    const address = await create(bytes.length);
    expect((await patch(address, 0, bytes.subarray(0, 20_000))).status).toBe(204);
    await t.db.query
      .updateTable('uploads')
      .set({ writer: 'of-another-process', heard_at: t.time.now + 8 * 60 * 60_000 })
      .where('address', '=', address.split('/').at(-1) ?? '')
      .execute();
    expect(offsetOf(await head(address))).toBe(20_000);
    expect((await patch(address, 20_000, bytes.subarray(20_000))).status).toBe(204);
  });

  it('is for teachers, each for their own, from our own pages', async () => {
    const { create, patch, head, ask } = await teacher();
    const address = await create(10);
    const begin = { ...TUS, 'upload-length': 10, 'upload-metadata': metadata({ purpose: 'media', filename: 'a' }) };
    for (const [token, status] of [
      [undefined, 401],
      ['none', 401],
      [(await t.user()).token, 403],
    ] as const)
      for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE'] as const) {
        const path = method === 'POST' ? '/app/upload' : address;
        expect((await tusClient(port, token).ask(method, path, { ...begin, ...PIECE })).status).toBe(status);
      }
    const other = await teacher();
    expect((await other.head(address)).status).toBe(410);
    expect(await other.patch(address, 0, film(10))).toMatchObject({ status: 410, why: 'uploadGone' });
    expect(await other.ask('DELETE', address, TUS)).toMatchObject({ status: 410 });
    expect((await listed(other.person)).find(({ received }) => received === 0)).toMatchObject({ address: null });
    expect(await patch(address, 0, film(10), { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      why: 'crossSite',
    });
    expect(await ask('POST', '/app/upload', { ...begin, 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
    });
    expect(await ask('POST', '/app/upload', { ...begin, 'tus-resumable': '0.2.2' })).toMatchObject({
      status: 412,
      why: 'uploadProtocol',
      headers: { 'tus-version': '1.0.0' },
    });
    expect((await head(address)).status).toBe(200);
  });

  it('junk is refused with a sentence, and changes nothing', async () => {
    const { ask, create, patch, head, begin } = await teacher();
    const described = metadata({ purpose: 'media', filename: 'a.mp4' });
    for (const [headers, status] of [
      [{ 'upload-length': '-1' }, 400],
      [{ 'upload-length': '1e3' }, 400],
      [{ 'upload-length': '99999999999999999999' }, 400],
      [{ 'upload-defer-length': '1' }, 400],
      [{ 'upload-length': '5', 'upload-metadata': 'filename ???' }, 400],
      [{ 'upload-length': '5', 'upload-metadata': '' }, 400],
      [{ 'upload-length': '5', 'upload-metadata': metadata({ purpose: 'x', filename: 'a' }) }, 400],
      [{ 'upload-length': '5', 'upload-metadata': metadata({ purpose: 'media', filename: ' \n' }) }, 400],
      [{ 'upload-length': '0' }, 422],
      [{ 'upload-length': LARGEST_UPLOAD + 1 }, 413],
    ] as const)
      expect((await ask('POST', '/app/upload', { ...TUS, 'upload-metadata': described, ...headers })).status).toBe(
        status,
      );
    const bytes = film(1000);
    const address = await create(bytes.length);
    for (const [headers, status] of [
      [{ 'content-type': 'application/json' }, 415],
      [{ 'upload-offset': 'x' }, 400],
      [{ 'upload-offset': '' }, 400],
      [{ 'upload-checksum': 'crc32 AAAA' }, 400],
      [{ 'upload-checksum': 'sha1 AAAA' }, 460],
    ] as const)
      expect((await patch(address, 0, bytes, headers)).status).toBe(status);
    expect((await patch(address, 0, Buffer.concat([bytes, Buffer.from('more')]))).status).toBe(400);
    expect(offsetOf(await head(address))).toBe(0);
    for (const path of ['x', '..%2f..%2fpasswd', '%00', 'a'.repeat(90)])
      expect((await ask('HEAD', `/app/upload/${path}`, TUS)).status).toBe(410);
    const sha1 = createHash('sha1').update(bytes).digest('base64');
    expect((await patch(address, 0, bytes, { 'upload-checksum': `sha1 ${sha1}` })).status).toBe(204);
    // Without a length, as programs send that do not know it.
    const chunked = await create(bytes.length);
    const line = begin('PATCH', chunked, { ...PIECE, 'upload-offset': 0, 'transfer-encoding': 'chunked' });
    line.request.end(bytes);
    expect((await line.said).status).toBe(204);
    // Through a proxy that lets only POST pass.
    const hidden = await create(bytes.length);
    const post = (method: string, body: Buffer) =>
      ask('POST', hidden, { ...PIECE, 'upload-offset': 0, 'x-http-method-override': method }, body);
    expect((await post('PUT', bytes)).status).toBe(400);
    expect((await post('PATCH', bytes.subarray(0, 500))).status).toBe(204);
    expect((await post('DELETE', Buffer.alloc(0))).status).toBe(204);
    await work();
  });

  it('has bounds: how many of a person, and what the disk holds', async () => {
    const { ask, create, patch, head } = await teacher();
    const first = await create(10);
    for (let count = 1; count < MOST_UPLOADS; count += 1) await create(10);
    await expect(create(10)).rejects.toThrow('422 uploadsFull');
    expect((await ask('DELETE', first, TUS)).status).toBe(204);
    expect(existsSync(fileOf(first))).toBe(false);
    const last = await create(1000);

    free = 1e8;
    await expect((await teacher()).create(10)).rejects.toThrow('507 diskFull');
    const bytes = film(1000);
    expect(await patch(last, 0, bytes)).toMatchObject({ status: 507, why: 'diskFull' });
    expect(offsetOf(await head(last))).toBe(0);
    free = 1e15;
    expect((await patch(last, 0, bytes)).status).toBe(204);
    await work();
  });

  it('holds its bounds for those that begin at the same moment: fewer than would fit, never more', async () => {
    const { create } = await teacher();
    free = 30 * GB;
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => create(10 * GB)));
    expect(begun.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2);
    const { size, ids } = await t.db.query
      .selectFrom('uploads')
      .select(({ fn }) => [fn.sum<number>('bytes').as('size'), fn.countAll<number>().as('ids')])
      .where('bytes', '=', 10 * GB)
      .executeTakeFirstOrThrow();
    expect(Number(size ?? 0)).toBeLessThanOrEqual(20 * GB);
    expect(readdirSync(uploadFolder(t.parts)).length).toBeGreaterThanOrEqual(Number(ids));
    await t.db.query
      .deleteFrom('uploads')
      .where('bytes', '=', 10 * GB)
      .execute();
    free = 1e15;
    await create(10 * GB);
  });

  it('what is none is refused by its first bytes, or when it is whole, with the reason', async () => {
    const { person, ask, create, patch, head } = await teacher();
    const early = await create(5_000_000);
    expect(await patch(early, 0, Buffer.alloc(4_000_000, 'PK'))).toMatchObject({ status: 422, why: 'notMedia' });
    expect(await patch(early, 0, film(100))).toMatchObject({ status: 410 });
    expect(await mine(person)).toMatchObject([
      { state: 'refused', reason: expect.stringMatching(/不是可以识别的视频或音频文件/) },
    ]);
    const late = await create(100);
    await patch(late, 0, film(100));
    refusal = new JobTrouble('服务器磁盘空间不足');
    await work();
    expect((await mine(person))[0]).toMatchObject({ state: 'checking', reason: '服务器磁盘空间不足' });
    expect((await ask('DELETE', late, TUS)).status).toBe(423);
    refusal = new JobRefused('文件里没有画面，也没有声音');
    t.time.now += 60_000;
    await work();
    refusal = null;
    expect((await mine(person))[0]).toMatchObject({ state: 'refused', reason: '文件里没有画面，也没有声音' });
    expect((await head(late)).status).toBe(410);
    for (const address of [early, late]) expect((await ask('DELETE', address, TUS)).status).toBe(204);
    expect(await mine(person)).toEqual([]);
  });

  it('what is left is given up after days, with its bytes', async () => {
    const { create, patch, head } = await teacher();
    const [left, goes] = [await create(100), await create(100)];
    await patch(left, 0, film(50));
    t.time.now += UPLOAD_KEPT - 1000;
    expect((await patch(goes, 0, film(50))).status).toBe(204);
    t.time.now += 2000;
    const [chore] = uploadChores(t.parts);
    const long = new Date(Date.now() - 60 * 60_000);
    for (const name of readdirSync(uploadFolder(t.parts))) utimesSync(uploadPath(t.parts, name), long, long);
    await chore?.run(t.time.now);
    expect([(await head(left)).status, (await head(goes)).status]).toEqual([410, 200]);
    expect([existsSync(fileOf(left)), existsSync(fileOf(goes))]).toEqual([false, true]);
  });
});
