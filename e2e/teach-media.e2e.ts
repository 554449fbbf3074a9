import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIRequestContext, expect, test } from '@playwright/test';
import { openDb } from '#server/db/open.ts';
import { call } from './call.ts';
import { makeSourceFilm } from './film.ts';
import { look } from './look.ts';
import { DATA_DIR } from './operator.ts';
import { PASSWORD, TEACHER } from './student.ts';

/** Three chunks of an upload. */
const BYTES = 20 * 1024 * 1024;

/** Makes an uploaded film the replay of a live lesson that was held by the caller, beside the running server. */
async function makeReplay(request: APIRequestContext, film: string, title: string): Promise<void> {
  const { list } = await call(request, 'GET /app/media/list', { keyword: film, pageNum: 1, pageSize: 1 });
  const { user } = await call(request, 'GET /api/user/info', {});
  const teacher = user?.studentId ?? 0;
  const now = Date.now();
  const db = await openDb({ kind: 'sqlite', path: join(import.meta.dirname, '..', DATA_DIR, 'lixue.db') }, now);
  try {
    const { id } = await db.query.selectFrom('packs').select('id').limit(1).executeTakeFirstOrThrow();
    const [starts, ends] = [now - 7_200_000, now - 3_600_000];
    await db.query
      .insertInto('live_lessons')
      .values({
        ...{ pack_id: id, teacher_id: teacher, title, live_platform: 0, live_url_pc: '', live_url_h5: '' },
        ...{ replay_url: '', starts_at: starts, ends_at: ends, started_at: starts, ended_at: ends, told_at: now },
        ...{ cancelled_at: null, created_by: teacher, client_id: null, created_at: now },
        ...{ replay_media_id: list[0]?.mediaId ?? 0 },
      })
      .execute();
  } finally {
    await db.close();
  }
}

test('a teacher uploads a film over a line that breaks, watches it, and gives it to a lesson', async ({
  page,
}, info) => {
  const name = `导论-${randomUUID().slice(0, 8)}.mp4`;
  const path = join(tmpdir(), name);
  await writeFile(path, await makeSourceFilm(4, BYTES));
  await call(page.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
  await page.goto('/teach/media');
  await expect(page.getByRole('heading', { level: 1, name: '视频与音频' })).toBeVisible();
  const uploads = page.getByRole('list', { name: '上传中的文件' }).getByRole('listitem').filter({ hasText: name });
  const picker = page.getByLabel('选择视频或音频文件');
  const media = page.getByRole('listitem').filter({ hasText: name }).filter({ hasText: '还没有课时使用它' });

  await test.step('the line breaks after the first chunk: it says so', async () => {
    let chunks = 0;
    await page.route('**/app/upload/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      chunks += 1;
      return chunks === 1 ? route.fallback() : route.abort('connectionfailed');
    });
    await picker.setInputFiles(path);
    // 8 MB go first, which take their time on a machine that does much else.
    await expect(uploads.getByText('网络断开了，恢复后自动继续')).toBeVisible({ timeout: 60_000 });
    await expect(uploads).toContainText('40%');
    await look(page, info, 'teach-media-cut');
  });

  await test.step('after a reload the same file goes on from there', async () => {
    const created: string[] = [];
    await page.reload();
    await expect(uploads.getByText('没有传完，请再选择同一个文件继续')).toBeVisible();
    // Not before: the page that was cut off would have gone on by itself.
    await page.unrouteAll();
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/app/upload')) created.push(request.url());
    });
    await picker.setInputFiles(path);
    await expect(media).toBeVisible({ timeout: 60_000 });
    expect(created).toEqual([]);
    await expect(uploads).toHaveCount(0);
  });

  await test.step('it is converted and plays', async () => {
    await expect(media.getByText(/^可播放/)).toBeVisible({ timeout: 90_000 });
    await expect(media).toContainText('00:04');
    await expect(media).toContainText('20.0 MB');
    await look(page, info, 'teach-media');
    await media.getByRole('button', { name: '预览' }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByRole('button', { name: '播放', exact: true }).first().click();
    await expect
      .poll(() => dialog.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
      .toBeGreaterThan(0.3);
    await look(page, info, 'teach-media-preview');
    await dialog.getByRole('button', { name: '关闭' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('a lesson shows it, and then it is not deleted; taken away, it can be', async () => {
    await media.getByRole('button', { name: '用于课时' }).click();
    const dialog = page.getByRole('dialog', { name: `用于课时：${name}` });
    const lesson = dialog.getByRole('listitem').first();
    await lesson.getByRole('button', { name: /^(使用|替换)$/ }).click();
    // A lesson of the demo pack may show something already.
    const replace = page.getByRole('dialog', { name: '替换课时的视频？' }).getByRole('button', { name: '替换' });
    const removed = lesson.getByRole('button', { name: '移除' });
    await expect(replace.or(removed)).toBeVisible();
    if (await replace.isVisible()) await replace.click();
    await expect(removed).toBeVisible();
    await look(page, info, 'teach-media-attach');
    await dialog.getByRole('button', { name: '完成' }).click();
    const used = page
      .getByRole('listitem')
      .filter({ hasText: name })
      .filter({ has: page.getByRole('button', { name: '预览' }) });
    await expect(used.getByText('还没有课时使用它')).toHaveCount(0);
    await expect(used.getByRole('button', { name: '删除' })).toHaveCount(0);
    await used.getByRole('button', { name: '用于课时' }).click();
    await removed.click();
    await page.getByRole('dialog', { name: '从课时中移除？' }).getByRole('button', { name: '移除' }).click();
    await expect(removed).toHaveCount(0);
    await dialog.getByRole('button', { name: '完成' }).click();
  });

  await test.step('as the replay of a live lesson it is deleted knowingly', async () => {
    const title = `答疑直播 ${randomUUID().slice(0, 8)}`;
    await makeReplay(page.request, name, title);
    await page.reload();
    const replay = page
      .getByRole('listitem')
      .filter({ hasText: name })
      .filter({ hasText: `直播“${title}”的回放` });
    const ask = page.getByRole('dialog', { name: '删除这个文件？' });
    await replay.getByRole('button', { name: '删除' }).click();
    await expect(ask).toContainText(`它是直播“${title}”的回放：删除后学员不能再看这场回放，也不能恢复。`);
    await look(page, info, 'teach-media-replay');
    await ask.getByRole('button', { name: '取消' }).click();
    await expect(ask).toBeHidden();
    await replay.getByRole('button', { name: '删除' }).click();
    await ask.getByRole('button', { name: '删除' }).click();
    await expect(page.getByText('已删除')).toBeVisible();
    await expect(replay).toHaveCount(0);
  });

  await test.step('what is no film is refused with the reason, before all of it was sent', async () => {
    const text = { name: '讲义.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(9_000_000, 'x') };
    await picker.setInputFiles(text);
    const refused = page
      .getByRole('list', { name: '上传中的文件' })
      .getByRole('listitem')
      .filter({ hasText: text.name });
    await expect(refused.getByRole('alert')).toContainText('不是可以识别的视频或音频文件');
    await look(page, info, 'teach-media-refused');
    await refused.getByRole('button', { name: '移除' }).click();
    await expect(refused).toHaveCount(0);
  });
  await rm(path, { force: true });
});
