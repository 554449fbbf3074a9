import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const DAY = 86_400_000;
/** How far the server's clock is ahead of the device's in these tests. */
const AHEAD = 3 * DAY;

/** The server's clock: unlike the device's monotonic one, it runs while the device sleeps. */
let serverTime = 0;
let online = true;
const asked = vi.fn();

const reply = () =>
  new Response(JSON.stringify({ code: 200, msg: '', data: { now: serverTime } }), { status: 200 }) as Response;

/** Lets time pass on an awake machine. */
async function pass(ms: number): Promise<void> {
  serverTime += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

/** The machine sleeps: the wall clock goes on, the monotonic one and all timers stand still. */
function sleep(ms: number): void {
  serverTime += ms;
  vi.setSystemTime(Date.now() + ms);
}

let page: EventTarget & { visibilityState: string };
let net: EventTarget;
let stop: () => void;
let clock: typeof import('./clock.ts');

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  net = new EventTarget();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', net);
  online = true;
  serverTime = Date.now() + AHEAD;
  asked.mockReset().mockImplementation(async () => {
    if (!online) throw new TypeError('no network');
    return reply();
  });
  vi.stubGlobal('fetch', asked);
  clock = await import('./clock.ts');
  const { keepClock } = await import('./keep-clock.ts');
  stop = keepClock();
  clock.serverClock.sample(serverTime, performance.now(), performance.now());
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Milliseconds by which this page is behind the server. */
const behind = () => Math.abs(serverTime - clock.serverNow());

it('asks nothing while nothing is in doubt', async () => {
  await pass(60_000);
  expect(asked).not.toHaveBeenCalled();
  expect(behind()).toBeLessThan(50);
});

it('after a sleep the server is asked within 500 ms and the time is right with its reply', async () => {
  await pass(5000);
  sleep(600_000);
  expect(behind(), 'the monotonic clock did not see the sleep').toBe(600_000);
  await pass(500);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(behind()).toBeLessThan(50);
  await pass(10_000);
  expect(asked).toHaveBeenCalledTimes(1);
});

it('a question that finds no network yet is repeated at every look for the first seconds, then every 2 s', async () => {
  sleep(600_000);
  online = false;
  await pass(3000);
  expect(asked).toHaveBeenCalledTimes(6);
  online = true;
  await pass(500);
  expect(behind()).toBeLessThan(50);

  sleep(600_000);
  online = false;
  await pass(11_000);
  asked.mockClear();
  await pass(10_000);
  expect(asked).toHaveBeenCalledTimes(5);
});

it('the event "online" asks at once, also right after a question that failed or hangs', async () => {
  sleep(600_000);
  online = false;
  await pass(20_000);
  online = true;
  asked.mockClear();
  net.dispatchEvent(new Event('online'));
  expect(asked).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(behind()).toBeLessThan(50);

  sleep(600_000);
  asked.mockImplementationOnce(
    (_url: string, { signal }: RequestInit) =>
      new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(new Error('aborted')))),
  );
  await pass(500);
  expect(behind()).toBeGreaterThan(50);
  net.dispatchEvent(new Event('online'));
  await pass(1);
  expect(behind()).toBeLessThan(50);
});

it('a question that hung before the sleep does not keep the next one waiting', async () => {
  sleep(60_000);
  asked.mockImplementationOnce(() => new Promise(() => undefined));
  await pass(500);
  sleep(600_000);
  await pass(500);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(behind()).toBeLessThan(50);
});

it('a refusal is no reason to hurry, and a hidden page asks when it is looked at', async () => {
  asked.mockImplementation(
    async () => new Response(JSON.stringify({ code: 401, msg: '请先登录', data: { why: 'notSignedIn' } })),
  );
  sleep(600_000);
  await pass(500);
  await pass(2000);
  expect(asked).toHaveBeenCalledTimes(2);

  asked.mockClear();
  page.visibilityState = 'hidden';
  await pass(10_000);
  expect(asked).not.toHaveBeenCalled();
  asked.mockImplementation(async () => reply());
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await pass(1);
  expect(behind()).toBeLessThan(50);
});
