import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type Db, openDb } from '#server/db/open.ts';
import { makeRoom } from '#server/live/talk/talk.test-kit.ts';
import { call } from './call.ts';
import { look } from './look.ts';
import { DATA_DIR } from './operator.ts';
import { agreeToAll, findPack, newStudent, packs, signIn, TEACHER } from './student.ts';

let db: Db;
test.beforeAll(async () => {
  db = await openDb({ kind: 'sqlite', path: join(import.meta.dirname, '..', DATA_DIR, 'lixue.db'), busyMs: 5000 }, 0);
});
test.afterAll(() => db.close());

/** A lesson in the room of this site, with a teacher and a student in it. */
async function inRoom(teaching: Page, page: Page) {
  await signIn(teaching, TEACHER);
  await agreeToAll(teaching.request);
  // The page of a lesson is for who has its pack.
  await findPack(teaching.request, packs.accounting);
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.accounting);
  const { teachers } = await call(teaching.request, 'GET /app/live/teach_list', { pageNum: 1, pageSize: 1 });
  const { now } = await call(page.request, 'GET /api/user/info', {});
  const liveId = await makeRoom({ db, time: { now: now - 11 * 60_000 } }, { packId, teacherId: teachers[0]?.id ?? 0 });
  for (const one of [teaching, page]) await one.goto(`/livePage/index.html?liveId=${liveId}&state=2`);
  const talk = (of: Page) => of.getByRole('region', { name: '讨论' });
  await expect(talk(page).getByText('2 人在线')).toBeVisible();
  const write = (of: Page) => talk(of).getByRole('textbox', { name: '发言' });
  const say = async (of: Page, text: string) => {
    await write(of).fill(text);
    await write(of).press('Enter');
  };
  const lines = (of: Page) => talk(of).getByRole('log').getByRole('listitem');
  return { liveId, talk, write, say, lines };
}

test('a class talks: at once, in order, also over a lost network; the teacher keeps order', async ({
  browser,
  page,
}, info) => {
  const teaching = await (await browser.newContext({ viewport: page.viewportSize() })).newPage();
  const { liveId, talk, write, say, lines } = await inRoom(teaching, page);
  await expect(talk(page).getByText('还没有人发言。')).toBeVisible();
  await look(page, info, 'live-talk-empty');

  await test.step('what is said is text, whatever it looks like, and has its author', async () => {
    const nasty = `<img src=x onerror="document.title='坏'"> 【听到了】 ${'长'.repeat(60)}`;
    await say(page, nasty);
    await say(teaching, '同学们好，今天讲极限。');
    for (const of of [page, teaching]) {
      await expect(lines(of)).toHaveCount(2);
      await expect(lines(of).first()).toContainText(nasty);
      await expect(lines(of).nth(1)).toContainText('老师');
      expect(await of.title()).not.toBe('坏');
    }
  });

  await test.step('an input method’s Enter sends nothing', async () => {
    await write(page).fill('nihao');
    await write(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await expect(write(page)).toHaveValue('nihao');
    await write(page).fill('');
  });

  await test.step('what is written without a network arrives in its order, once', async () => {
    await page.context().setOffline(true);
    for (const text of ['甲', '乙', '丙']) await say(page, text);
    await expect(lines(page).filter({ hasText: '暂时发不出去' }).first()).toBeVisible();
    await look(page, info, 'live-talk-offline');
    await say(teaching, '断网时老师说的话');
    await page.context().setOffline(false);
    await expect(lines(teaching)).toHaveCount(6, { timeout: 20_000 });
    await expect(lines(page)).toHaveCount(6, { timeout: 20_000 });
    const texts = (await lines(teaching).allInnerTexts()).join(' ');
    expect(texts).toMatch(/甲.*乙.*丙/s);
    expect((await lines(page).allInnerTexts()).join(' ')).toContain('断网时老师说的话');
  });

  await test.step('a notice, a hand, a poll', async () => {
    const mine = lines(teaching).filter({ hasText: '同学们好' });
    await mine.getByRole('button', { name: /这条消息的操作/ }).click();
    await teaching.getByRole('menuitem', { name: '置顶' }).click();
    await expect(talk(page).getByRole('img', { name: '置顶' })).toBeVisible();
    await talk(page).getByRole('button', { name: '举手' }).click();
    await expect(talk(page).getByRole('button', { name: '放下手' })).toBeVisible();
    await talk(teaching)
      .getByRole('button', { name: /1 人举手/ })
      .click();
    await expect(teaching.getByRole('button', { name: '放下', exact: true })).toBeVisible();
    await look(teaching, info, 'live-talk-hands');
    await teaching.getByRole('button', { name: '放下', exact: true }).click();
    await expect(talk(page).getByRole('button', { name: '举手' })).toBeVisible();
    await teaching.keyboard.press('Escape');
    await talk(teaching).getByRole('button', { name: '发起投票' }).click();
    const form = teaching.getByRole('dialog', { name: '发起投票' });
    await form.getByLabel('问题').fill('这一步听懂了吗？');
    await form.getByLabel('选项 1').fill('听懂了');
    await form.getByLabel('选项 2').fill('再讲一遍');
    await look(teaching, info, 'live-talk-ask');
    await form.getByRole('button', { name: '发起投票' }).click();
    await look(page, info, 'live-talk-poll');
    const beside = await page.context().newPage();
    await beside.goto(page.url());
    await expect(talk(beside).getByRole('button', { name: '再讲一遍' })).toBeVisible();
    await talk(page).getByRole('button', { name: '听懂了' }).click();
    await expect(talk(page).getByText('您的选择')).toBeVisible();
    // Another window of theirs says so at the next press, and shows what was chosen.
    await talk(beside).getByRole('button', { name: '再讲一遍' }).click();
    await expect(beside.getByText('您已经投过票，不能再改')).toBeVisible();
    await expect(talk(beside).getByRole('listitem').filter({ hasText: '您的选择' })).toContainText('听懂了');
    await beside.close();
    await expect(talk(teaching).getByText('1 人已投票')).toBeVisible();
    await look(teaching, info, 'live-talk-result');
    await talk(teaching).getByRole('button', { name: '结束投票' }).click();
    await expect(talk(page).getByText('投票结束，共 1 人投票')).toBeVisible();
    await talk(page).getByRole('button', { name: '收起投票' }).press('Enter');
    await expect(talk(page).getByRole('log')).toBeFocused();
  });

  await test.step('whoever reads back stays there and hears of new messages', async () => {
    for (let at = 0; at < 14; at += 1)
      await call(teaching.request, 'POST /app/live/talk_say', {
        liveId,
        text: `第 ${at} 步`,
        clientId: `step-0000${at}`,
      });
    await expect(lines(page).filter({ hasText: '第 13 步' })).toBeInViewport();
    await talk(page)
      .getByRole('log')
      .evaluate((list) => {
        list.scrollTop = 0;
      });
    await say(teaching, '新的一句');
    const fresh = talk(page).getByRole('button', { name: '1 条新消息' });
    await expect(fresh).toBeVisible();
    await look(page, info, 'live-talk-read-back');
    await fresh.click();
    await expect(lines(page).filter({ hasText: '新的一句' })).toBeInViewport();
    await expect(fresh).toHaveCount(0);
  });

  await test.step('who is muted reads so and cannot write; a deleted message is gone', async () => {
    await lines(teaching)
      .filter({ hasText: '丙' })
      .getByRole('button', { name: /这条消息的操作/ })
      .click();
    await teaching.getByRole('menuitem', { name: '禁言' }).click();
    await expect(talk(page).getByText('老师已将您禁言，暂时不能发言。')).toBeVisible();
    await expect(write(page)).toBeDisabled();
    await look(page, info, 'live-talk-muted');
    await lines(teaching)
      .filter({ hasText: '丙' })
      .getByRole('button', { name: /这条消息的操作/ })
      .click();
    await teaching.getByRole('menuitem', { name: '删除' }).click();
    await expect(lines(page).filter({ hasText: '丙' })).toHaveCount(0);
    await page.reload();
    await expect(write(page)).toBeDisabled();
    await expect(lines(page).filter({ hasText: '丙' })).toHaveCount(0);
  });
  await db.query.updateTable('live_lessons').set({ cancelled_at: 1 }).where('id', '=', liveId).execute();
  await teaching.context().close();
});
