import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { redrawer } from '#content/apart/redraw-apart.ts';
import { imageOpt } from '#contract/values/image.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { ImageNotYours, takeImages, takenFor } from './take.ts';
import { formOf, type Part, seen, sendForm, sendImage, uploaded } from './upload.test-kit.ts';

const { avatar, feedback, qa } = imageOpt;
const MB = 1024 * 1024;
const DAY = 24 * 60 * 60_000;
const FORGET = 'images: forget what nothing took';
const REPORT = 'POST /app/feedback/lx_submit';

let shade = 0;
/** A picture of two halves that nobody else has. */
function picture(width = 40, height = 30) {
  shade += 1;
  const colour = { r: shade % 256, g: Math.floor(shade / 256) % 256, b: 99 };
  const left = {
    input: { create: { width: width / 2, height, channels: 3 as const, background: '#fff' } },
    left: 0,
    top: 0,
  };
  return sharp({ create: { width, height, channels: 3, background: colour } }).composite([left]);
}
const jpeg = () => picture().jpeg().toBuffer();
/** A JPEG that has exactly so many bytes. */
const padded = async (size: number) => {
  const bytes = await jpeg();
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
};
/** A PNG that says it has this size, of a few bytes. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const rows = deflateSync(Buffer.alloc(100_000));
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

describe.each(databases)('uploaded pictures on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  const stored = async (as: TestUser, opt: number, bytes: Uint8Array) => {
    const { filePath } = await uploaded(kit, as, opt, bytes);
    const { status, bytes: written } = await seen(kit, filePath, as);
    expect(status).toBe(200);
    return written;
  };
  const refusal = async (bytes: Uint8Array, opt: number = feedback) => {
    const { msg, data } = await sendImage(kit, await kit.user(), opt, bytes);
    return [data.why, msg];
  };

  it('are written anew: upright, without place and camera, under a name of ours', async () => {
    const as = await kit.user();
    const bytes = await picture()
      .jpeg()
      .withExif({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '31/1 13/1 49/1' } })
      .toBuffer();
    const turned = await sharp(bytes).keepExif().withMetadata({ orientation: 6 }).toBuffer();
    const { code, data } = await sendImage(kit, as, qa, turned, '../../etc/我 的.jpg');
    expect(code).toBe(200);
    expect(data.fileName).toMatch(/^[0-9a-f]{32}\.jpg$/);
    expect(data.filePath).toMatch(/^\/files\/[0-9a-f]{2}\/[0-9a-f]{64}\.jpg$/);
    const written = (await seen(kit, data.filePath, as)).bytes;
    expect(await sharp(written).metadata()).toMatchObject({ format: 'jpeg', width: 30, height: 40 });
    expect((await sharp(written).metadata()).exif).toBeUndefined();
    expect(written.toString('latin1')).not.toContain('SecretCamera');
  });

  it('of odd kinds come out plain: four inks, 16 bits, a palette, moving', async () => {
    const as = await kit.user();
    const inks = await stored(as, qa, await picture().toColourspace('cmyk').jpeg().toBuffer());
    expect(await sharp(inks).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    const deep = await stored(as, qa, await picture().toColourspace('rgb16').png().toBuffer());
    expect(await sharp(deep).metadata()).toMatchObject({ format: 'png', width: 40 });
    const few = await stored(as, qa, await picture().png({ palette: true }).toBuffer());
    expect(await sharp(few).metadata()).toMatchObject({ format: 'png', width: 40 });
    const wide = await stored(as, qa, await picture().withIccProfile('p3').jpeg().toBuffer());
    expect((await sharp(wide).metadata()).icc).toBeUndefined();
  });

  it('that are none are told so, whatever they are called', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const bytes of [svg, await picture().gif().toBuffer(), await picture().webp().toBuffer(), Buffer.alloc(0)])
      expect(await refusal(bytes)).toEqual(['imageFormat', '图片格式不正确']);
  });

  it('have their sizes, each with its sentence', async () => {
    const as = await kit.user();
    expect((await sendImage(kit, as, feedback, await padded(MB - 1))).code).toBe(200);
    expect((await sendImage(kit, as, qa, await padded(10_240 * 1024))).code).toBe(200);
    expect(await refusal(await padded(MB))).toEqual(['imageTooLarge', '上传图片大小不能超过 1MB!']);
    expect(await refusal(await padded(MB), avatar)).toEqual(['avatarTooLarge', '上传头像图片大小不能超过 1MB!']);
    expect(await refusal(await padded(10_240 * 1024 + 1), qa)).toEqual([
      'qaImageTooLarge',
      '文件太大，请选择小于15MB的图片',
    ]);
    expect(await refusal(await padded(10_240 * 1024 + 32 * 1024), qa)).toEqual(['tooLarge', '提交的内容太大']);
  });

  it('with more points than memory are refused at their head', async () => {
    expect((await refusal(pngOf(60_000, 60_000)))[0]).toBe('imageTooManyPixels');
    expect((await refusal(pngOf(20_000, 20_000)))[0]).toBe('imageTooManyPixels');
  });

  it('that are broken get a sentence', async () => {
    const whole = await picture(400, 300).jpeg().toBuffer();
    for (const bytes of [
      whole.subarray(0, 3),
      whole.subarray(0, 300),
      pngOf(4000, 4000),
      Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5000, 7)]),
    ])
      expect(await refusal(bytes)).toEqual(['imageBroken', '图片已损坏，无法读取，请换一张']);
  });

  it('take nothing that is no such form', async () => {
    const as = await kit.user();
    const file: Part = { name: 'file', fileName: 'a.jpg', type: 'image/jpeg', body: await jpeg() };
    const opt: Part = { name: 'opt', body: '0' };
    const why = async (...parts: Part[]) => (await sendForm(kit, parts, as)).data.why;
    expect(await why(opt)).toBe('badInput');
    expect(await why(file)).toBe('badInput');
    expect(await why({ name: 'file', body: 'text' }, opt)).toBe('badInput');
    expect(await why(file, { ...opt, body: '3' })).toBe('badInput');
    expect(await why(file, { ...opt, body: 'x' })).toBe('badInput');
    expect(await why(file, opt, opt)).toBe('badInput');
    expect(await why(file, { ...file, name: 'other' }, opt)).toBe('badInput');
    // What the call does not declare is not there for it.
    for (const name of ['__proto__', 'constructor', 'userId'])
      expect(await why(file, opt, { name, body: '7' })).toBe(undefined);
    expect(await why(file, { ...opt, body: '1'.repeat(5000) })).toBe('badInput');
    expect((await sendForm(kit, [file, opt], null)).data.why).toBe('notSignedIn');
    expect((await kit.raw('POST /api/common/upload', { opt: 0, file: { bytes: 'x' } }, { as })).data).toEqual({
      why: 'wrongType',
    });
    // A form for a call that takes none, and one that breaks off.
    const { payload, headers } = formOf([{ name: 'nickname', body: '某' }]);
    const sent = { method: 'POST' as const, headers: { ...headers, authorization: `Bearer ${as.token}` } };
    expect((await kit.app.inject({ ...sent, url: '/api/user/update', payload })).statusCode).toBe(415);
    const url = '/api/common/upload';
    for (const part of [payload.subarray(0, 60), payload.subarray(0, -20), Buffer.from('junk'), Buffer.alloc(0)])
      expect((await kit.app.inject({ ...sent, url, payload: part })).statusCode).toBe(400);
    const noBoundary = { ...sent.headers, 'content-type': 'multipart/form-data' };
    expect((await kit.app.inject({ ...sent, url, payload, headers: noBoundary })).statusCode).toBe(400);
  });

  it('are their uploader’s alone until something takes them, and forgotten after a day', async () => {
    const [as, other, teacher] = [await kit.user(), await kit.user(), await kit.user('teacher')];
    const { filePath, fileName } = await uploaded(kit, as, qa, await jpeg());
    expect((await seen(kit, filePath, as)).status).toBe(200);
    for (const stranger of [other, teacher, null]) expect((await seen(kit, filePath, stranger)).status).toBe(404);
    const began = kit.time.now;
    kit.time.now = began + DAY;
    await kit.chore(FORGET);
    expect((await seen(kit, filePath, as)).status).toBe(200);
    kit.time.now = began + DAY + 1;
    await kit.chore(FORGET);
    expect((await seen(kit, filePath, as)).status).toBe(404);
    const taking = { userId: as.userId, opt: qa, fileNames: [fileName], takenFor: 'test:0' };
    await expect(kit.db.transaction((trx) => takeImages(trx, taking))).rejects.toThrow(ImageNotYours);
    kit.time.now = began;
  });

  it('are given to one thing of their uploader, for their purpose, and again when it is said again', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    const one = await uploaded(kit, as, qa, await jpeg());
    const two = await uploaded(kit, as, qa, await jpeg());
    const names = [two.fileName, one.fileName];
    const take = (more: Partial<Parameters<typeof takeImages>[1]> = {}) =>
      kit.db.transaction((trx) =>
        takeImages(trx, { userId: as.userId, opt: qa, fileNames: names, takenFor: 'test:1', ...more }),
      );
    for (const wrong of [
      { userId: other.userId },
      { opt: feedback },
      { fileNames: [one.fileName, one.fileName] },
      { fileNames: [one.fileName, '../../etc/passwd'] },
      { fileNames: [one.fileName, 'http://evil.example/a.jpg'] },
      { fileNames: [one.fileName, one.filePath] },
      { fileNames: [one.fileName, '\u0000'] },
    ])
      await expect(take(wrong)).rejects.toThrow(ImageNotYours);
    const files = [two, one].map(({ filePath }) => filePath.slice('/files/'.length));
    expect(await takenFor(kit.db.query, as.userId, names)).toBe(null);
    // Of two at once one gets them.
    const both = await Promise.allSettled([take(), take({ takenFor: 'test:2' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = both[0]?.status === 'fulfilled' ? 'test:1' : 'test:2';
    expect(await take({ takenFor: winner })).toEqual(files);
    expect(await takenFor(kit.db.query, as.userId, names)).toBe(winner);
    expect(await takenFor(kit.db.query, other.userId, names)).toBe(null);
    await expect(take({ takenFor: 'test:3' })).rejects.toThrow(ImageNotYours);
    // From now on it is the feature’s to show them.
    expect((await seen(kit, one.filePath, as)).status).toBe(404);
  });

  it('of one person come to an end in an hour, of another they do not', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    const bytes = await jpeg();
    const now = kit.time.now;
    const events = Array.from({ length: 59 }, () => ({ bucket: `image:${as.userId}`, at: now }));
    await kit.db.query.insertInto('rate_events').values(events).execute();
    await uploaded(kit, as, qa, bytes);
    const { data, code } = await sendImage(kit, as, qa, bytes);
    expect([code, data.why]).toEqual([429, 'tooMany']);
    await uploaded(kit, other, qa, bytes);
    const rows = Array.from({ length: 3000 }, (_, at) => ({
      ...{ file_name: `full-${as.userId}-${at}`, user_id: as.userId, opt: qa, file: 'x', size: 1, created_at: now },
      taken_for: 'test:4',
    }));
    for (let at = 0; at < rows.length; at += 500)
      await kit.db.query
        .insertInto('images')
        .values(rows.slice(at, at + 500))
        .execute();
    expect((await sendImage(kit, as, qa, bytes)).data.why).toBe('imagesFull');
  });

  it('become an avatar: square, seen by whoever is signed in, and gone with the next', async () => {
    const [as, other] = [await kit.user(), await kit.user()];
    const first = await uploaded(kit, as, avatar, await picture(400, 330).png().toBuffer());
    expect((await seen(kit, first.filePath, other)).status).toBe(404);
    expect(await refused('POST /api/user/update', { avatar: first.fileName }, { as: other })).toBe('imageNotYours');
    const { user } = await ok('POST /api/user/update', { avatar: first.fileName }, { as });
    expect(user.avatarUrlExt).toBe(first.filePath);
    // Said again it stays.
    await ok('POST /api/user/update', { avatar: first.fileName }, { as });
    const shown = await seen(kit, first.filePath, other);
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 320, height: 320 });
    expect((await seen(kit, first.filePath, null)).status).toBe(404);
    const wrong = await uploaded(kit, as, feedback, await jpeg());
    expect(await refused('POST /api/user/update', { avatar: wrong.fileName, nickname: '某人' }, { as })).toBe(
      'imageNotYours',
    );
    const next = await uploaded(kit, as, avatar, await jpeg());
    await ok('POST /api/user/update', { avatar: next.fileName }, { as });
    expect((await ok('GET /api/user/info', {}, { as })).user?.avatarUrlExt).toBe(next.filePath);
    expect((await seen(kit, first.filePath, as)).status).toBe(404);
    expect((await ok('POST /api/user/update', { avatar: '' }, { as })).user.avatarUrlExt).toBe('');
    expect((await seen(kit, next.filePath, as)).status).toBe(404);
  });

  it('go with a report: its author and teachers see them, and a lost answer makes no second report', async () => {
    const [as, classmate, teacher] = [await kit.user(), await kit.user(), await kit.user('teacher')];
    const pack = await makePack(kit, { students: [as, classmate] });
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const names = [await uploaded(kit, as, feedback, await jpeg()), await uploaded(kit, as, feedback, await jpeg())];
    const input = {
      ...{ feedbackType: 13, packId: pack.packId, questionId, feedbackDesc: '图不清楚' },
      ...{ feedbackImg: names[0]?.fileName, feedbackImg2: names[1]?.fileName },
    };
    expect(await refused(REPORT, input, { as: classmate })).toBe('imageNotYours');
    expect((await ok('GET /app/feedback/history', {}, { as: classmate })).total).toBe(0);
    const { id } = await ok(REPORT, input, { as });
    expect(await ok(REPORT, input, { as })).toEqual({ id });
    expect(await refused(REPORT, { ...input, feedbackDesc: '另一件事' }, { as })).toBe('imageNotYours');
    const shown = { feedbackImg: names[0]?.filePath, feedbackImg2: names[1]?.filePath, feedbackImg3: '' };
    expect((await ok('GET /app/feedback/history', {}, { as })).list).toMatchObject([{ id, ...shown }]);
    expect(await ok('GET /app/feedback/report', { id }, { as: teacher })).toMatchObject(shown);
    const sight = async (who: TestUser | null) => (await seen(kit, shown.feedbackImg ?? '', who)).status;
    expect(await Promise.all([as, teacher, classmate, null].map(sight))).toEqual([200, 200, 404, 404]);
    const plain = await ok(REPORT, { ...input, feedbackImg: undefined, feedbackImg2: undefined }, { as });
    expect(plain.id).not.toBe(id);
  });
});

describe('the process that writes pictures anew', () => {
  it('is started again after a picture that it did not survive', async () => {
    const small = redrawer({ limits: { memoryMB: 1, heapMB: 64, workS: 15, waitS: 20 } });
    const kind = 'jpg' as const;
    // Large enough that somebody looks meanwhile.
    const bytes = await picture(4000, 3000).jpeg().toBuffer();
    expect(await small.redraw({ kind, bytes, square: undefined })).toMatchObject({ ok: false, fault: 'broken' });
    expect(await small.redraw({ kind, bytes, square: undefined })).toMatchObject({ ok: false, fault: 'broken' });
    small.close();
  });

  it('ends when nobody needs it, and comes back', async () => {
    const restless = redrawer({ idle: 0 });
    for (const _turn of [1, 2]) {
      const done = await restless.redraw({ kind: 'jpg', bytes: await jpeg(), square: undefined });
      expect(done).toMatchObject({ ok: true });
    }
    restless.close();
  });

  it('says that it is busy rather than keep more than some waiting', async () => {
    const busy = redrawer();
    const bytes = await jpeg();
    const all = Array.from({ length: 30 }, () => busy.redraw({ kind: 'jpg', bytes, square: undefined }));
    const done = await Promise.all(all);
    expect(done.filter((answer) => answer === 'busy')).toHaveLength(6);
    busy.close();
  });
});
