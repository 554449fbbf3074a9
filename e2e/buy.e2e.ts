import { expect, test } from '@playwright/test';
import { another } from './another-window.ts';
import { call } from './call.ts';
import { look } from './look.ts';
import { findPack, newStudent, PASSWORD, packs, TEACHER } from './student.ts';

/** A code of every demo installation (server/order/demo.ts). */
const CODE = 'LIXUE20';

test('a pack is bought with a coupon at the cashier that moves no money, and refunded by the school @one-width', async ({
  page,
  browser,
}, info) => {
  const phone = await newStudent(page.request);
  const packId = await findPack(page.request, packs.logic, { join: false });

  await page.goto(`/course/${packId}`);
  await expect(page.getByText('¥99.00')).toBeVisible();
  await page.getByRole('link', { name: '立即购买' }).click();

  await test.step('a code gives a coupon, which the order then uses', async () => {
    await page.getByLabel('兑换码').fill('NOT-THERE');
    await page.getByRole('button', { name: '兑换' }).click();
    await expect(page.getByText('兑换码不正确')).toBeVisible();
    await page.getByLabel('兑换码').fill(CODE.toLowerCase());
    await page.getByRole('button', { name: '兑换' }).click();
    await expect(page.getByRole('radio', { name: /新学员立减 20 元/ })).toBeChecked();
    await expect(page.getByRole('region', { name: '应付' })).toContainText('¥79.00');
    await look(page, info, 'buy-confirm', { whole: true });
  });
  await page.getByRole('button', { name: '提交订单' }).click();
  await expect(page.getByRole('heading', { name: '支付订单' })).toBeVisible();
  const address = page.url();
  await expect(page.getByRole('button', { name: '模拟支付 ¥79.00' })).toBeVisible();
  await look(page, info, 'buy-pay', { whole: true });

  await test.step('back and the address of the order page lead to the same order', async () => {
    await page.goto(`/order/confirm?packId=${packId}`);
    await expect(page).toHaveURL(address);
    const { total } = await call(page.request, 'GET /api/order/list', { pageNum: 1, pageSize: 10 });
    expect(total).toBe(1);
  });

  await test.step('a second window learns by itself that it was paid in the first', async () => {
    const second = await page.context().newPage();
    await second.goto(address);
    await expect(second.getByRole('button', { name: '模拟支付 ¥79.00' })).toBeVisible();
    await page.getByRole('button', { name: '模拟支付 ¥79.00' }).click();
    await expect(page.getByRole('heading', { name: '支付成功' })).toBeVisible();
    await expect(second.getByRole('heading', { name: '支付成功' })).toBeVisible();
    await second.close();
  });
  await look(page, info, 'buy-paid', { whole: true });
  await page.getByRole('link', { name: '开始学习' }).click();
  await expect(page).toHaveURL(new RegExp(`/course/play/${packId}`));

  await test.step('an invoice needs a right tax number, and a refund is asked for', async () => {
    await page.goto('/personCenter/orders');
    await page.getByRole('link', { name: packs.logic }).click();
    await page.getByRole('button', { name: '申请发票' }).click();
    const form = page.getByRole('form', { name: '申请发票' });
    await form.getByRole('radio', { name: '单位' }).check();
    await form.getByLabel('单位名称').fill('福州某某教育有限公司');
    await form.getByLabel('税号').fill('91350100M000100Y44');
    await form.getByLabel('接收发票的邮箱').fill('fapiao@example.cn');
    await form.getByRole('button', { name: '提交申请' }).click();
    await expect(form.getByText('税号不正确')).toBeVisible();
    await look(page, info, 'buy-invoice', { whole: true });
    await form.getByLabel('税号').fill('9135 0100 m000100y43');
    await form.getByRole('button', { name: '提交申请' }).click();
    await expect(page.getByText('等待学校开具')).toBeVisible();
    await page.getByRole('button', { name: '申请退款' }).click();
    await page.getByRole('form', { name: '申请退款' }).getByRole('textbox').fill('报错了班');
    await page.getByRole('button', { name: '提交申请' }).click();
    await expect(page.getByText('等待学校处理')).toBeVisible();
  });

  const teacher = await another(browser, page);
  await test.step('the teacher finds the order by the phone and gives the money back', async () => {
    await call(teacher.request, 'POST /api/user/login', { phone: TEACHER, password: PASSWORD });
    await teacher.goto('/teach/orders');
    await teacher.getByLabel('查找').fill(phone);
    await teacher.getByRole('button', { name: '查找' }).click();
    const found = teacher.getByRole('link', { name: new RegExp(packs.logic) });
    await expect(found).toHaveCount(1);
    await look(teacher, info, 'buy-teach-list', { whole: true });
    await found.click();
    await expect(teacher.getByText('报错了班').first()).toBeVisible();
    await teacher.getByRole('button', { name: '同意并退款' }).click();
    await expect(teacher.getByText(/退回 ¥79\.00，还能再退 ¥0\.00。学员会失去这个课程包/)).toBeVisible();
    await look(teacher, info, 'buy-teach-order', { whole: true });
    await teacher.getByRole('button', { name: '确认退款' }).click();
    await expect(teacher.getByText('已原路退回')).toBeVisible();
  });

  await test.step('access is gone, the coupon is back', async () => {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: '已全部退款' })).toBeVisible();
    const details = await call(page.request, 'GET /api/common/course_details', { packId });
    expect(details.buyState).toBe(0);
    await page.goto('/personCenter/coupons');
    await expect(page.getByText('新学员立减 20 元')).toBeVisible();
    await expect(page.getByText(/前有效（含当天）/)).toBeVisible();
    await look(page, info, 'buy-coupons', { whole: true });
  });

  await test.step('the teacher’s coupons and comparisons', async () => {
    await teacher.goto('/teach/orders?tab=coupons');
    await expect(teacher.getByText('新学员立减 20 元').first()).toBeVisible();
    await teacher.getByRole('button', { name: '新建优惠券' }).click();
    await look(teacher, info, 'buy-teach-coupons', { whole: true });
    await teacher.goto('/teach/orders?tab=checks');
    await teacher.getByRole('button', { name: '现在核对' }).click();
    await expect(teacher.getByText('没有出入').first()).toBeVisible();
    await look(teacher, info, 'buy-teach-checks', { whole: true });
  });
  await teacher.context().close();
});

test('by keyboard, what takes the place of a pressed button has the focus: payments, their forms, the own account @one-width', async ({
  page,
}) => {
  await newStudent(page.request);
  const packId = await findPack(page.request, packs.logic, { join: false });
  const { orderId } = await call(page.request, 'POST /api/order/create_order', {
    packId,
    requestId: `keyboard-${Date.now()}`,
  });
  // A school that takes WeChat, too: only what it is answered is made up.
  await page.route('**/api/order/query_order?*', async (route) => {
    const answer = await route.fetch();
    const said = (await answer.json()) as { data: { channels: string[] } };
    if (said.data.channels.length > 0) said.data.channels = ['wechat', ...said.data.channels];
    await route.fulfill({ response: answer, json: said });
  });
  const data = {
    channel: 'wechat',
    codeUrl: 'weixin://wxpay/bizpayurl?pr=1',
    payUrl: null,
    amount: 9900,
    expiresAt: 1,
  };
  await page.route('**/api/order/pay', (route) =>
    (route.request().postDataJSON() as { channel: string }).channel === 'wechat'
      ? route.fulfill({ json: { code: 200, msg: '', data } })
      : route.continue(),
  );
  await page.goto(`/order/${orderId}`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await press('支付 ¥99.00');
  await expect(page.locator(':focus')).toContainText('请用微信“扫一扫”支付');
  await page.getByRole('radio', { name: /模拟支付/ }).check();
  await press('模拟支付 ¥99.00');
  await expect(page.getByRole('heading', { name: '支付成功' })).toBeFocused();

  await press('申请退款');
  const reason = page.getByRole('form', { name: '申请退款' }).getByRole('textbox');
  await expect(reason).toBeFocused();
  await press('取消');
  await expect(button('申请退款')).toBeFocused();

  await press('申请发票');
  const invoice = page.getByRole('form', { name: '申请发票' });
  await expect(invoice.getByRole('radio', { name: '个人' })).toBeFocused();
  await invoice.getByLabel('姓名').fill('王小明');
  await invoice.getByLabel('接收发票的邮箱').fill('fapiao@example.cn');
  await press('提交申请');
  await expect(button('修改')).toBeFocused();

  await page.goto('/settings');
  await press('更换');
  await expect(page.getByRole('region', { name: '更换手机号' }).getByRole('textbox').first()).toBeFocused();
  await press('取消');
  await expect(button('更换')).toBeFocused();
  await page.goto('/personCenter/data');
  await press('注销账号');
  await expect(page.getByRole('textbox', { name: /^发送到 .* 的验证码$/ })).toBeFocused();
  await press('取消');
  await expect(button('注销账号')).toBeFocused();
});
