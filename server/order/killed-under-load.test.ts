import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type DbTarget, openDb } from '#server/db/open.ts';
import { postgresPrograms, startCluster } from '#server/db/postgres-cluster.test-kit.ts';
import { assemble, type TestApp, type TestUser } from '#server/test-kit.ts';
import { freePort, startServer } from '#server/test-process.ts';
import { checkBooks } from './books.test-kit.ts';
import { addKeeper } from './desk-store.ts';
import { addProvider, buyer, makeCoupon, soldPack } from './order.test-kit.ts';
import { wechatServer } from './pay-server.test-kit.ts';

/*
 * Kills the server in the midst of ordering, paying and refunding, several times, and compares what its database holds in the end with what
 * the provider holds. `PAY_KILLS=50` kills that often.
 */
const KILLS = Number(process.env.PAY_KILLS ?? 2);
const STUDENTS = 12;
const SEATS = 8;
const timeout = 600_000 + KILLS * 60_000;

const pick = (below: number) => Math.floor(Math.random() * below);

async function killAndCompare(target: DbTarget, dataDir: string, databaseUrl?: string): Promise<void> {
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
  const inProcess = async (): Promise<TestApp> => {
    const time = { now: Date.now() };
    const open = () => openDb(target, time.now);
    const kit = await assemble(await open(), dataDir, time, false, open);
    addProvider(kit, wechat.provider());
    return kit;
  };

  const before = await inProcess();
  const packId = await soldPack(before, { seats: SEATS });
  const keeper = await before.user('teacher');
  await addKeeper(before.db.query, keeper.userId, before.time.now);
  const people: { as: TestUser; coupons: number[] }[] = [];
  for (let at = 0; at < STUDENTS; at += 1) {
    const as = await before.user();
    const own = buyer(before, as);
    const free = await makeCoupon(before, { kind: 'percent', off: 100 });
    people.push({ as, coupons: [await own.coupon(await makeCoupon(before)), await own.coupon(free)] });
  }
  await before.close();

  let presses = 0;
  let answered = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startServer({ dataDir, env, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    let dead = false;
    /** What was answered; null: nothing came back, and nobody knows what was done. */
    const send = async <D>(as: TestUser, path: string, body: object): Promise<D | null> => {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const said = (await answer.json()) as { code: number; data: D };
        // Whatever is refused, no call falls over.
        expect(said.code).not.toBe(500);
        answered += 1;
        return said.code === 200 ? said.data : null;
      } catch (error) {
        if (!dead) throw error;
        return null;
      }
    };
    const student = async ({ as, coupons }: (typeof people)[number]) => {
      const known: number[] = [];
      while (!dead) {
        const orderId = known[pick(known.length)] ?? 0;
        const what = pick(8);
        presses += 1;
        if (what <= 1 || orderId === 0) {
          const userCouponId = [null, ...coupons][pick(3)] ?? null;
          const asked = { packId, userCouponId, requestId: `press-${presses}` };
          const made = await send<{ orderId: number }>(as, '/api/order/create_order', asked);
          if (made) known.push(made.orderId);
          else await sleep(20);
        } else if (what === 2) await send(as, '/api/order/pay', { orderId, channel: 'wechat' });
        else if (what === 3) await send(as, '/api/order/zero_pay', { orderId });
        else if (what === 4) await send(as, '/api/order/query_order_state', { orderId });
        else if (what === 5 && pick(3) === 0) await send(as, '/api/order/cancel', { orderId });
        else if (what === 6 && pick(3) === 0) {
          const asked = { orderId, amount: pick(2) === 0 ? null : 1 + pick(9_000), reason: '退款' };
          await send(keeper, '/api/order/desk_refund', { ...asked, requestId: `back-${presses}` });
        }
      }
    };
    /** Students pay at the provider, which tells the server, often more than once. */
    const provider = async () => {
      while (!dead) {
        await sleep(5);
        const open = [...wechat.trades].filter(([, { state }]) => state === 'open');
        const [no, trade] = open[pick(open.length)] ?? [];
        if (!no || !trade || pick(4) > 0) continue;
        trade.state = 'paid';
        const { payload, headers } = wechat.paid(no)(Date.now());
        const tell = () => fetch(`http://127.0.0.1:${port}/notify/wechat`, { method: 'POST', headers, body: payload });
        await Promise.allSettled([tell(), tell()]);
      }
    };
    const all = Promise.all([...people.map(student), provider()]);
    await sleep(700 + pick(1500));
    dead = true;
    await server.kill();
    await all;
  }
  expect(answered).toBeGreaterThan(KILLS * 10);
  expect([...wechat.trades.values()].filter(({ state }) => state === 'paid').length).toBeGreaterThan(0);

  const after = await inProcess();
  for (let end = 0; end < 4; end += 1) {
    after.time.now += 31 * 60_000;
    for (const chore of ['ask for payments', 'close orders', 'send refunds']) await after.chore(chore);
  }
  const students = people.map((one) => ({ ...one, joined: buyer(after, one.as).joined }));
  const ended = await checkBooks(after, { packId, seats: SEATS, students, trades: { wechat: wechat.trades } });
  expect(ended.paid + ended.refunded).toBeGreaterThan(0);
  await after.close();
  await wechat.close();
}

it('SQLite: killed while students order, pay and get money back, the books agree with the provider', {
  timeout,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-pay-'));
  await killAndCompare({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

const programs = postgresPrograms();

it.skipIf(programs === null)(
  `PostgreSQL: the same${programs === null ? ' (initdb is not installed here)' : ''}`,
  { timeout },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lixue-pay-'));
    const cluster = await startCluster(programs ?? '');
    try {
      await killAndCompare({ kind: 'postgres', url: cluster.url }, dataDir, cluster.url);
    } finally {
      await cluster.remove();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
