import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { redrawn } from './picture.ts';

const WIDTH = 60;
const HEIGHT = 40;
/** A picture in which every corner is another colour. */
const raw = Buffer.from(
  Array.from({ length: WIDTH * HEIGHT }, (_, at) => [at % WIDTH > 30 ? 250 : 5, at / WIDTH > 20 ? 250 : 5, 40]).flat(),
);
const picture = () => sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
const value = async (redrawing: ReturnType<typeof redrawn>) => {
  const done = await redrawing;
  if (!done.ok) throw new Error(done.why);
  return Buffer.from(done.value);
};

/** A chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
/** A PNG that says it has this size, with no more than a few bytes in it. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a picture', () => {
  test.each(['png', 'jpg', 'webp', 'gif'] as const)('of the kind %s stays one, of the same size', async (kind) => {
    const bytes = await picture()
      .toFormat(kind === 'jpg' ? 'jpeg' : kind)
      .toBuffer();
    const done = await value(redrawn(kind, bytes));
    expect(await sharp(done).metadata()).toMatchObject({
      format: kind === 'jpg' ? 'jpeg' : kind,
      width: WIDTH,
      height: HEIGHT,
    });
    expect(await value(redrawn(kind, bytes))).toEqual(done);
  });

  test('does not tell where and with what it was taken, nor what stands behind its end', async () => {
    const bytes = Buffer.concat([
      await picture()
        .jpeg()
        .withExif({
          IFD0: { Make: 'SecretCamera', Copyright: '张三' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '31/1 13/1 49/1' },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretHistory</x:xmpmeta>')
        .toBuffer(),
      Buffer.from('<script>SecretTail</script>'),
    ]);
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const done = await value(redrawn('jpg', bytes));
    const { exif, xmp, iptc, icc } = await sharp(done).metadata();
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(done.toString('latin1')).not.toContain('Secret');
  });

  test('that a telephone took upright stands upright', async () => {
    const bytes = await picture().jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer();
    const done = sharp(await value(redrawn('jpg', bytes)));
    expect(await done.metadata()).toMatchObject({ width: HEIGHT, height: WIDTH });
  });

  test.each<[what: string, change: (from: Sharp) => Sharp, kind: 'png' | 'webp']>([
    ['a PNG', (from) => from.png(), 'png'],
    ['a PNG of few colours', (from) => from.png({ palette: true, dither: 0 }), 'png'],
    ['a WebP without loss', (from) => from.webp({ lossless: true }), 'webp'],
  ])('%s loses no point', async (_what, change, kind) => {
    const bytes = await change(picture()).toBuffer();
    const points = async (from: Buffer) => sharp(from).removeAlpha().raw().toBuffer();
    expect((await points(await value(redrawn(kind, bytes)))).equals(await points(bytes))).toBe(true);
  });

  test('is cut to a square from its middle where that is asked for, and never made larger', async () => {
    const bytes = await picture().png().toBuffer();
    const size = async (square: number) => {
      const { width, height } = await sharp(await value(redrawn('png', bytes, square))).metadata();
      return [width, height];
    };
    expect(await size(20)).toEqual([20, 20]);
    expect(await size(500)).toEqual([HEIGHT, HEIGHT]);
  });

  test('that moves goes on moving', async () => {
    const frames = Buffer.concat([raw, Buffer.from(raw.map((value) => 255 - value)), raw]);
    const bytes = await sharp(frames, { raw: { width: WIDTH, height: HEIGHT * 3, channels: 3, pageHeight: HEIGHT } })
      .gif({ delay: [100, 200, 300] })
      .toBuffer();
    expect(await sharp(await value(redrawn('gif', bytes))).metadata()).toMatchObject({
      pages: 3,
      delay: [100, 200, 300],
      height: HEIGHT,
    });
  });
});

describe('refused before it is decoded', () => {
  test('a picture that says it is very large', async () => {
    const peak = process.memoryUsage.rss();
    expect(await redrawn('png', pngOf(60_000, 60_000))).toMatchObject({
      ok: false,
      why: '图片尺寸太大（60000×60000），最多 2500 万像素',
    });
    expect(process.memoryUsage.rss() - peak).toBeLessThan(50_000_000);
    expect(await redrawn('png', pngOf(5001, 5000))).toMatchObject({ why: expect.stringContaining('5001×5000') });
  });

  test('an animation of very many frames, or of many large ones', async () => {
    const many = await sharp(
      Buffer.alloc(101 * 12).map((_, at) => at * 7),
      {
        raw: { width: 2, height: 202, channels: 3, pageHeight: 2 },
      },
    )
      .gif()
      .toBuffer();
    expect(await redrawn('gif', many)).toMatchObject({ ok: false, why: '动图有 101 帧，最多 100 帧' });
    const points = Buffer.alloc(2000 * 2000 * 7 * 3, 255);
    points.fill(0, 0, 2000 * 2000 * 3);
    for (let at = 1; at < 7; at += 1) points.fill(at * 30, at * 12_000_000, (at + 1) * 12_000_000);
    const large = await sharp(points, { raw: { width: 2000, height: 14_000, channels: 3, pageHeight: 2000 } })
      .gif({ effort: 1 })
      .toBuffer();
    expect(await redrawn('gif', large)).toMatchObject({
      ok: false,
      why: '图片尺寸太大（2000×2000，7 帧），最多 2500 万像素',
    });
  });

  test.each<[what: string, bytes: Buffer]>([
    ['with nothing behind its beginning', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['with nothing in it', pngOf(100, 100)],
    ['with no points at all', pngOf(0, 5)],
  ])('a picture %s', async (_what, bytes) => {
    expect(await redrawn('png', bytes)).toMatchObject({ ok: false, why: '图片已损坏，无法读取' });
  });

  test('a picture that is cut off', async () => {
    const whole = await picture().jpeg().toBuffer();
    expect(await redrawn('jpg', whole.subarray(0, whole.length / 2))).toMatchObject({
      ok: false,
      why: '图片已损坏，无法读取',
    });
  });

  test('a picture of another kind than its beginning says', async () => {
    expect(await redrawn('png', await picture().jpeg().toBuffer())).toMatchObject({
      ok: false,
      why: '内容不是 png 图片',
    });
  });
});
