import { expect, test } from '@playwright/test';
import { call } from './call.ts';
import { look } from './look.ts';
import { agreeToAll, findPack, newStudent, packs, signIn, TEACHER } from './student.ts';

const ADDRESS = 'https://live.example.cn/room/1';

test('a teacher plans a live lesson; a student books it, hears that it begins, and enters; a visitor signs in first', async ({
  browser,
  page,
}, info) => {
  const title = `考前冲刺 ${info.project.name} ${Date.now()}`;
  const teaching = await (await browser.newContext()).newPage();
  await signIn(teaching, TEACHER, '/teach/live');
  await agreeToAll(teaching.request);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);

  // By the call, so that it begins within the test; the form plans another one below.
  const { now } = await call(teaching.request, 'GET /api/user/info', {});
  const { teachers } = await call(teaching.request, 'GET /app/live/teach_list', { pageNum: 1, pageSize: 1 });
  const { id } = await call(teaching.request, 'POST /app/live/save', {
    ...{ packId, teacherId: teachers[0]?.id ?? 0, title, liveUrlPc: ADDRESS },
    ...{ startTime: now + 6000, endTime: now + 3_600_000 },
  });
  await page.goto(`/live?packId=${packId}`);
  const row = page.getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button', { name: '预约', exact: true }).click();
  await expect(page.getByText('预约成功')).toBeVisible();
  await expect(row.getByRole('button', { name: '取消预约' })).toBeVisible();
  await look(page, info, 'live-booked');

  // On another page meanwhile: the reminder finds them there.
  await page.goto('/courses');
  const reminder = page.getByRole('status').filter({ hasText: `直播开始了：${title}` });
  // For half a minute after a server began its clock is in doubt, and nothing is announced.
  await expect(reminder).toBeVisible({ timeout: 60_000 });
  await look(page, info, 'live-begins');
  await reminder.getByRole('link', { name: '去看直播' }).click();
  await expect(page).toHaveURL(`/livePage/index.html?liveId=${id}&state=2`);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(reminder).toHaveCount(0);
  const enter = page.getByRole('link', { name: '进入直播' });
  await expect(enter).toHaveAttribute('href', ADDRESS);
  await expect(enter).toHaveAttribute('rel', /noopener/);
  await look(page, info, 'live-page');

  const visiting = await (await browser.newContext()).newPage();
  await visiting.goto('/live');
  await visiting.getByRole('listitem').filter({ hasText: title }).getByRole('button', { name: '直播中' }).click();
  await expect(visiting).toHaveURL('/login?ref=%2Flive');
  await visiting.context().close();

  const stranger = await (await browser.newContext()).newPage();
  await newStudent(stranger.request);
  await stranger.goto(`/live?packId=${packId}`);
  await stranger.getByRole('listitem').filter({ hasText: title }).getByRole('button', { name: '直播中' }).click();
  await expect(stranger.getByText('请先报名该课程')).toBeVisible();
  await stranger.context().close();
  // Other journeys look at this pack, too.
  await call(teaching.request, 'POST /app/live/cancel', { id });
  await teaching.context().close();
});

test('a teacher plans a live lesson by the form, moves it, and calls it off @one-width', async ({ page }, info) => {
  const title = `考点串讲 ${Date.now()}`;
  await signIn(page, TEACHER, '/teach/live');
  await agreeToAll(page.request);
  await page.reload();
  const plan = page.getByRole('button', { name: '安排直播' });
  await plan.click();
  await expect(page.getByText('请填写日期和时间')).toBeVisible();
  await page.getByLabel('标题').fill(title);
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('开始（北京时间）').fill(`${day}T19:00`);
  await page.getByLabel('结束（北京时间）').fill(`${day}T21:00`);
  await page.getByLabel('上课方式').selectOption('其他平台');
  await page.getByLabel('直播地址', { exact: true }).fill('http://a.cn');
  await plan.click();
  await expect(page.getByText('请输入以 https:// 开头的完整地址')).toBeVisible();
  await look(page, info, 'teach-live-wrong', { whole: true });
  await page.getByLabel('直播地址', { exact: true }).fill(ADDRESS);
  await plan.click();
  await expect(page.getByText('直播已安排')).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: title });
  await expect(row).toContainText('19:00–21:00');
  await row.getByRole('button', { name: '修改' }).click();
  // Until its heading changes, the same fields are those of a new lesson.
  await expect(page.getByRole('heading', { name: '修改直播' })).toBeVisible();
  await page.getByLabel('开始（北京时间）').fill(`${day}T20:00`);
  await page.getByRole('button', { name: '保存' }).click();
  await expect(row).toContainText('20:00–21:00');
  await look(page, info, 'teach-live', { whole: true });
  await row.getByRole('button', { name: '取消直播' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '取消直播' }).click();
  await expect(page.getByText('直播已取消')).toBeVisible();
  await expect(row.getByRole('button')).toHaveCount(0);
});
