import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { freePort, startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { soldPack } from './order.test-kit.ts';
import { wechatServer } from './pay-server.test-kit.ts';

it('a server that is killed in the midst of a callback enrols after its next start, once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-pay-'));
  const wechat = await wechatServer();
  const files = { key: join(dataDir, 'key.pem'), platform: join(dataDir, 'platform.pem') };
  writeFileSync(files.key, wechat.settings.privateKey);
  writeFileSync(files.platform, wechat.settings.platformKeys[0]?.pem ?? '');
  const port = await freePort();
  const env = {
    PORT: String(port),
    PUBLIC_URL: `https://localhost:${port}`,
    WECHAT_PAY_MCH_ID: wechat.settings.mchId,
    WECHAT_PAY_APP_ID: wechat.settings.appId,
    WECHAT_PAY_API_V3_KEY: wechat.settings.apiV3Key,
    WECHAT_PAY_PRIVATE_KEY: files.key,
    WECHAT_PAY_CERT_SERIAL: wechat.settings.certSerial,
    WECHAT_PAY_PLATFORM_KEYS: `PUB_KEY_ID_0001=${files.platform}`,
    WECHAT_PAY_ENDPOINT: wechat.settings.endpoint,
  };
  const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, Date.now());
  const packId = await soldPack({ db, time: { now: Date.now() } });
  const { id: userId } = await db.query
    .insertInto('users')
    .values({ phone: '15000000000', password_hash: null, nickname: '学员', created_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { token } = await createSession(db.query, randomBytes, userId, Date.now());
  await db.close();
  const send = async <D>(path: string, body: object): Promise<D> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: D }).data;
  };

  const first = await startServer({ dataDir, env });
  const { orderId } = await send<{ orderId: number }>('/api/order/create_order', { packId, requestId: 'press-0001' });
  await send('/api/order/pay', { orderId, channel: 'wechat' });
  const [outTradeNo = ''] = [...wechat.trades.keys()];
  const trade = wechat.trades.get(outTradeNo);
  if (!trade) throw new Error('the provider does not know the attempt');
  trade.state = 'paid';
  wechat.fault = 'hangs';
  const { payload, headers } = wechat.paid(outTradeNo)(Date.now());
  const asked = () => wechat.asked.get('pay') ?? 0;
  const before = asked();
  const told = fetch(`http://127.0.0.1:${port}/notify/wechat`, { method: 'POST', headers, body: payload }).then(
    ({ status }) => status,
    () => 0,
  );
  // The provider has been asked and does not answer: the blow falls here.
  await expect.poll(asked).toBeGreaterThan(before);
  await first.kill();
  await told;
  wechat.fault = null;

  const second = await startServer({ dataDir, env });
  expect(await send('/api/order/query_order_state', { orderId })).toMatchObject({ state: 'paid' });
  expect(await send('/api/order/query_order_state', { orderId })).toMatchObject({ state: 'paid' });
  await second.stop();
  await wechat.close();
  const after = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, Date.now());
  const count = async (table: 'enrolments' | 'notices' | 'refunds' | 'payments') =>
    (await after.query.selectFrom(table).selectAll().execute()).length;
  expect([await count('enrolments'), await count('notices'), await count('refunds'), await count('payments')]).toEqual([
    1, 1, 0, 1,
  ]);
  await after.close();
  rmSync(dataDir, { recursive: true, force: true });
});
