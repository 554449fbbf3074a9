import sharp from 'sharp';
import { expect, it } from 'vitest';
import { FirstPictures } from './first-pictures.ts';

const WIDTH = 1280;
/** A picture of a few areas of colour. */
const plain = await sharp({ create: { width: WIDTH, height: 640, channels: 3, background: '#0b7a5b' } })
  .png()
  .toBuffer();
/** One in which no point is like the next. */
const noise = await sharp(
  Buffer.from(Array.from({ length: WIDTH * 640 * 3 }, (_, at) => (at * at * 2_654_435_761) % 251)),
  { raw: { width: WIDTH, height: 640, channels: 3 } },
)
  .png()
  .toBuffer();
const stored: Record<string, Uint8Array> = {
  '/files/a.png': plain,
  '/files/n.png': noise,
  '/files/b.png': Buffer.from('no'),
};

/** Pictures, what of them was read, and how many were made. */
function setUp() {
  const read: string[] = [];
  let made = 0;
  const pictures = new FirstPictures(async (address) => {
    read.push(address);
    if (address === '/files/away.png') throw new Error('away');
    return stored[address] ?? null;
  });
  return { of: (address: string) => pictures.of([address], () => (made += 1)).get(address), read, made: () => made };
}

it('makes a picture once, small and as wide as a phone shows it, for drawings that come later', async () => {
  const { of, read, made } = setUp();
  expect([of('/files/a.png'), of('/files/a.png')]).toEqual([undefined, undefined]);
  await expect.poll(made).toBe(1);
  const small = of('/files/a.png');
  expect(small).toMatchObject({ width: 720, whole: WIDTH });
  expect(small?.address).toMatch(/^data:image\/webp;base64,[\w+/=]+$/);
  const bytes = Buffer.from(small?.address.split(',')[1] ?? '', 'base64');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 720, height: 360 });
  expect(read).toEqual(['/files/a.png']);
});

it('leaves a picture outside that does not become small, is broken, is not there or is drawn', async () => {
  const { of, read, made } = setUp();
  const outside = ['/files/n.png', '/files/b.png', '/files/none.png', '/files/away.png', '/files/d.svg'];
  for (const address of outside) of(address);
  of('/files/a.png');
  await expect.poll(made).toBe(1);
  await expect.poll(() => read).toHaveLength(5);
  for (const address of outside) expect(of(address)).toBeUndefined();
  expect(read).not.toContain('/files/d.svg');
});
