import { randomInt } from 'node:crypto';
import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import { solve } from '#server/user/work.test-kit.ts';
import { call } from './call.ts';

export const PASSWORD = 'lixue-demo';
/** The demo students of every demo installation (architecture §3). Journeys make a student of their own. */
export const students = { first: '13800000001', second: '13800000002' } as const;

/** The demo teacher. */
export const TEACHER = '13900000001';

/** Names of the demo packs. */
export const packs = {
  maths: '考研数学一 · 高等数学',
  accounting: '初级会计职称 · 会计实务与经济法基础',
  logic: '管理类联考 · 逻辑推理精讲',
} as const;

/** A number nobody has: a journey that signs in with it meets no record of another. */
export function freshPhone(): string {
  return `19${randomInt(10 ** 8, 10 ** 9)}`;
}

/** The server believes no drag that ends sooner than this after its challenge, in milliseconds (rules/user/captcha.ts). */
const A_HAND_NEEDS = 300;

/** Signs a new student in by SMS code without the screens; the page then has the session. @returns the phone */
export async function newStudent(request: APIRequestContext, phone = freshPhone()): Promise<string> {
  const { challengeId, work } = await call(request, 'GET /api/captcha/slider', { action: 'sms_code', phone });
  const serverTime = async () => (await call(request, 'GET /api/user/info', {})).now;
  const handedOut = await serverTime();
  await expect.poll(serverTime, { intervals: [50] }).toBeGreaterThan(handedOut + A_HAND_NEEDS);
  const track = Array.from({ length: 11 }, (_, step) => ({ at: step * 30, x: step * 100 }));
  const { ticket } = await call(request, 'POST /api/captcha/slider', { challengeId, track, work: solve(work) });
  const { demoCode } = await call(request, 'POST /api/user/sms_code', { phone, purpose: 'login', ticket });
  await call(request, 'POST /api/user/login', { phone, smsCode: demoCode ?? '' });
  await agreeToAll(request);
  return phone;
}

/** Agrees to what the school has published, so that no dialog asks for it. */
export async function agreeToAll(request: APIRequestContext): Promise<void> {
  const { list } = await call(request, 'GET /app/user/agreement', {});
  for (const { id, asked } of list)
    if (asked === 1) await call(request, 'POST /app/user/agreement_agree', { resourceId: id });
}

/** The id of the pack with this name; with `join` the student is enrolled in it. */
export async function findPack(request: APIRequestContext, name: string, { join = true } = {}): Promise<number> {
  const { list } = await call(request, 'GET /api/common/course_list', {});
  const pack = list.find(({ packageName }) => packageName === name);
  if (!pack) throw new Error(`no pack ${name}`);
  if (join) await call(request, 'POST /api/course/course_join', { packId: pack.packId });
  return pack.packId;
}

/** The id of a paper of a pack by its name. */
export async function findPaper(request: APIRequestContext, packId: number, name: string): Promise<number> {
  const { list } = await call(request, 'GET /api/exam/exam_list', { packId });
  const paper = list.find(({ examName }) => examName === name);
  if (!paper) throw new Error(`no paper ${name}`);
  return paper.examId;
}

/** Signs in by password on the login page and waits until the site knows it. */
export async function signIn(page: Page, phone: string, to = '/'): Promise<void> {
  await page.goto(`/login?ref=${encodeURIComponent(to)}`);
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(phone);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

export function slider(page: Page): Locator {
  return page.getByRole('slider', { name: '请按住滑块，拖动到最右边' });
}

/** Drags the slider with the mouse over this share of its way, and lets go. */
export async function drag(page: Page, share: number): Promise<void> {
  const grip = slider(page);
  await expect(grip).toBeVisible();
  // The dialog grows while it opens: measured once it rests.
  await grip.click({ trial: true });
  const rail = await grip.locator('..').boundingBox();
  const from = await grip.boundingBox();
  if (!rail || !from) throw new Error('the slider is not on the screen');
  const y = from.y + from.height / 2;
  const x = from.x + from.width / 2;
  const room = rail.width - from.width;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 24; step++) await page.mouse.move(x + ((room + 4) * share * step) / 24, y);
  if (share < 1) await page.mouse.up();
  else {
    await expect(grip).toHaveAttribute('aria-valuetext', /验证成功|0%/);
    await page.mouse.up();
  }
}
