import { expect, type JSHandle, test } from '@playwright/test';
import sharp from 'sharp';
import { call } from './call.ts';
import { ExamScreen } from './exam-screen.ts';
import { give } from './given-picture.ts';
import { openWith } from './in-browser.ts';
import { look } from './look.ts';
import { findPack, findPaper, newStudent, packs } from './student.ts';

/** A picture of a colour, its left half white; a camera that was held upright says so (orientation 6). */
function photo(colour: string, { width = 320, height = 200, turned = false } = {}) {
  const half = { create: { width: width / 2, height, channels: 3 as const, background: '#fff' } };
  const whole = sharp({ create: { width, height, channels: 3, background: colour } });
  const picture = whole.composite([{ input: half, left: 0, top: 0 }]);
  return turned ? picture.withMetadata({ orientation: 6 }) : picture;
}
const jpeg = async (name: string, colour: string, how?: Parameters<typeof photo>[1]) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await photo(colour, how).jpeg().toBuffer(),
});

test('pictures go with a report: chosen, pasted and dropped, removed, sent again when the network is back', async ({
  page,
  context,
}, info) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const exam = new ExamScreen(page);
  await exam.open(await findPaper(page.request, packId, '《初级会计实务》模拟卷（一）'));
  await page.getByRole('button', { name: '反馈' }).click();
  const dialog = page.getByRole('dialog', { name: '试题反馈' });
  const picker = dialog.getByRole('group', { name: '上传图片' });
  const input = dialog.locator('input[type="file"]');
  const fault = picker.locator('[aria-live]');
  await expect(picker).toContainText('0/3张');

  await input.setInputFiles({ name: 'a.gif', mimeType: 'image/jpeg', buffer: await photo('#00f').gif().toBuffer() });
  await expect(fault).toHaveText('图片格式不正确');
  const large = Buffer.concat([(await jpeg('x', '#00f')).buffer, Buffer.alloc(1024 * 1024)]);
  await input.setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: large });
  await expect(fault).toHaveText('上传图片大小不能超过 1MB!');
  await expect(picker).toContainText('0/3张');

  // Without a network it stays, and is sent again.
  await context.setOffline(true);
  await input.setInputFiles(await jpeg('手机照片.jpg', '#c00', { turned: true }));
  await expect(fault).toHaveText('网络连接不上，请检查网络后重试');
  await expect(dialog.getByRole('button', { name: '提交' })).toBeDisabled();
  await look(page, info, 'images-failed');
  await context.setOffline(false);
  await picker.getByRole('button', { name: '重新上传 手机照片.jpg' }).click();
  await expect(picker.getByRole('img', { name: '手机照片.jpg' })).toBeVisible();
  await expect(fault).toBeEmpty();

  await give(page.locator('textarea'), 'paste', await jpeg('paste.jpg', '#0a0'));
  await expect(picker).toContainText('2/3张');
  await give(page.locator('textarea'), 'drop', await jpeg('drop.jpg', '#06c'));
  await expect(picker).toContainText('3/3张');
  await expect(picker.getByRole('button', { name: '添加图片' })).toHaveCount(0);
  await expect(picker.getByRole('progressbar')).toHaveCount(0);
  await look(page, info, 'images-full');
  await picker.getByRole('button', { name: '移除 paste.jpg' }).click();
  await expect(picker.getByRole('button', { name: '添加图片' })).toBeVisible();

  await dialog.getByText('题目有误').click();
  await dialog.getByLabel('问题描述').fill('图里的数字看不清');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(page.getByText('已收到您的反馈，感谢')).toBeVisible();
  await page.goto('/myFeedback');
  await expect(page.getByRole('button', { name: /^查看图片/ })).toHaveCount(2);
  // As it was held, in the bytes themselves.
  const { list } = await call(page.request, 'GET /app/feedback/history', { pageNum: 1, pageSize: 10 });
  const stored = await page.request.get(list[0]?.feedbackImg ?? '');
  expect(await sharp(await stored.body()).metadata()).toMatchObject({ width: 200, height: 320 });
  await page.getByRole('button', { name: '查看图片 1' }).click();
  await expect(page.getByRole('dialog', { name: '图片 1' })).toBeVisible();
  await look(page, info, 'images-zoom');
});

test('an avatar is cut to a square, shown in the header, and taken away again', async ({ page }, info) => {
  await newStudent(page.request);
  await page.goto('/settings');
  const part = page.getByRole('region', { name: '头像' });
  const input = part.locator('input[type="file"]');
  const large = Buffer.concat([(await jpeg('x', '#00f')).buffer, Buffer.alloc(1024 * 1024)]);
  await input.setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: large });
  await expect(part.getByRole('alert')).toHaveText('上传头像图片大小不能超过 1MB!');
  await input.setInputFiles(await jpeg('me.jpg', '#c00', { width: 800, height: 400 }));
  const dialog = page.getByRole('dialog', { name: '裁剪头像' });
  // From the middle, half white, to the coloured end.
  const area = dialog.getByRole('button', { name: '拖动图片或按方向键选择头像的范围' });
  await area.focus();
  for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowRight');
  await look(page, info, 'avatar-crop');
  await dialog.getByRole('button', { name: '使用' }).click();
  await expect(page.getByText('头像已保存')).toBeVisible();
  await expect(part.locator('img')).toBeVisible();
  const { user } = await call(page.request, 'GET /api/user/info', {});
  const stored = sharp(await (await page.request.get(user?.avatarUrlExt ?? '')).body());
  expect(await stored.metadata()).toMatchObject({ width: 320, height: 320 });
  const { channels } = await stored.stats();
  expect(channels.map(({ mean }) => Math.round(mean / 25))).toEqual([8, 0, 0]);
  await look(page, info, 'avatar');
  await part.getByRole('button', { name: '恢复默认' }).press('Enter');
  await expect(page.getByText('已恢复默认头像')).toBeVisible();
  await expect(part.getByRole('button', { name: '更换头像' })).toBeFocused();
  await expect(part.locator('img')).toHaveCount(0);
});

test('a picture for Q&A is made smaller beside the page: upright, at most 1920, a JPEG of the same name @one-width', async ({
  page,
}) => {
  await openWith(page, 'web/lib/prepare-image.ts');
  /** What becomes of a file, with its size in points as a browser shows it. */
  const prepared = async (buffer: Buffer, name: string, type = 'image/jpeg') =>
    prepare(await given(buffer, name, type));
  const given = async (buffer: Buffer, name: string, type: string) => {
    const input = await page.evaluateHandle(() => document.body.appendChild(document.createElement('input')));
    await input.evaluate((node) => {
      node.type = 'file';
    });
    await input.setInputFiles({ name, mimeType: type, buffer });
    return input.evaluateHandle((node) => node.files?.[0] as File);
  };
  const prepare = (given: JSHandle<File>) =>
    given.evaluate(async (file) => {
      const { prepareImage } = (globalThis as unknown as { built: typeof import('#web/lib/prepare-image.ts') }).built;
      const done = await prepareImage(2, file, new AbortController().signal);
      if (!done.ok) return { msg: done.msg };
      const picture = await createImageBitmap(done.file);
      const { width, height } = picture;
      // Which of its corners are white.
      const pen = new OffscreenCanvas(16, 16).getContext('2d') as OffscreenCanvasRenderingContext2D;
      pen.drawImage(picture, 0, 0, 16, 16);
      const corners = [
        [2, 2],
        [13, 2],
        [2, 13],
        [13, 13],
      ] as const;
      const white = corners.map(([x, y]) => (pen.getImageData(x, y, 1, 1).data[0] ?? 0) > 230);
      return { name: done.file.name, type: done.file.type, size: done.file.size, width, height, white };
    });
  const noise = (width: number, height: number) =>
    sharp({
      create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    });
  const large = await noise(2600, 2000).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
  expect(large.length).toBeGreaterThan(3072 * 1024);
  const shrunk = await prepared(large, '很大的照片.jpg');
  expect(shrunk).toMatchObject({ name: '很大的照片.jpg', type: 'image/jpeg', width: 1477, height: 1920 });
  expect(shrunk.size).toBeLessThan(3072 * 1024);
  const small = await photo('#0a0').png().toBuffer();
  expect(await prepared(small, 'a.png', 'image/png')).toMatchObject({ type: 'image/png', size: small.length });
  // What the server does not take becomes a JPEG at any size.
  const webp = await photo('#0a0').webp().toBuffer();
  expect(await prepared(webp, 'a.webp', 'image/webp')).toMatchObject({ type: 'image/jpeg', width: 320, height: 200 });
  expect(await prepared(Buffer.alloc(5000, 7), 'IMG_1.HEIC', '')).toEqual({ msg: '图片处理失败，请重试' });
  expect(await prepared(Buffer.from('text'), 'a.txt', 'text/plain')).toEqual({ msg: '图片格式不正确' });
  // A sheet of paper with 27 million points is small as a file, and more than the server takes; nobody decodes 144 million.
  const paper = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#eee' }, limitInputPixels: false });
  const sheet = await paper(6000, 4500).withMetadata({ orientation: 8 }).jpeg().toBuffer();
  expect(sheet.length).toBeLessThan(3072 * 1024);
  expect(await prepared(sheet, '一张纸.jpg')).toMatchObject({ name: '一张纸.jpg', width: 1440, height: 1920 });
  const bomb = await paper(12_000, 12_000).png().toBuffer();
  expect(await prepared(bomb, 'bomb.png', 'image/png')).toEqual({
    msg: '图片的尺寸太大，请缩小到 2500 万像素以内再上传',
  });
  // Upright, however the camera was held: what is stored begins with the white quarter, and is seen with it in another corner.
  const corners = [0, 1, 3, 2, 0, 1, 3, 2];
  const quarter = { create: { width: 1300, height: 1000, channels: 3 as const, background: '#fff' } };
  const held = noise(2600, 2000).composite([{ input: quarter, left: 0, top: 0 }]);
  const bytes = await held
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
  expect(bytes.length).toBeGreaterThan(3072 * 1024);
  // The tag of orientation: one number of 16 bits, written with its small end first.
  const says = bytes.indexOf(Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0])) + 8;
  expect(bytes.readUInt16LE(says)).toBe(6);
  // Sent once and turned there: seven more of its megabytes are what a slow machine has no time for.
  const photograph = await given(bytes, 'turned.jpg', 'image/jpeg');
  for (const [at, corner] of corners.entries()) {
    const turned = await photograph.evaluateHandle(
      (file, [from, value]) =>
        new File([file.slice(0, from), new Uint8Array([value, 0]), file.slice(from + 2)], file.name, {
          type: file.type,
        }),
      [says, at + 1] as const,
    );
    expect(await prepare(turned), `orientation ${at + 1}`).toMatchObject({
      ...(at < 4 ? { width: 1920, height: 1477 } : { width: 1477, height: 1920 }),
      white: [0, 1, 2, 3].map((quarter) => quarter === corner),
    });
  }
  const tooLarge = Buffer.concat([small, Buffer.alloc(10_240 * 1024)]);
  expect(await prepared(tooLarge, 'b.png', 'image/png')).toEqual({ msg: '文件太大，请选择小于15MB的图片' });
});
