import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Watch, watchRecord } from './watch.ts';

/** The network as the page sees it: what becomes of a connection that is asked for. */
let network: 'open' | 'refuses' | 'hangs' = 'open';
let sockets: Socket[] = [];

class Socket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  constructor() {
    super();
    sockets.push(this);
    const now = network;
    queueMicrotask(() => {
      if (now === 'open') {
        this.readyState = 1;
        this.dispatchEvent(new Event('open'));
      }
      if (now === 'refuses') this.close();
    });
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

let page: EventTarget & { visibilityState: string };
let net: EventTarget;
let watch: Watch;
let answers = true;
const again = vi.fn(async () => answers);
const open = () => sockets.filter(({ readyState }) => readyState < 2).length;

function begin(): void {
  watch = watchRecord(9, 'window-a', () => undefined, again);
}

beforeEach(() => {
  vi.useFakeTimers();
  // The middle of the spread of pauses.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  network = 'open';
  sockets = [];
  answers = true;
  again.mockClear();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  net = Object.assign(new EventTarget(), { location: { protocol: 'http:', host: 'x' } });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', net);
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('BroadcastChannel', undefined);
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  vi.mocked(Math.random).mockRestore();
  vi.unstubAllGlobals();
});

it('asks the server every 1.5 s while no connection stands, and not while the page is hidden', async () => {
  network = 'refuses';
  begin();
  await vi.advanceTimersByTimeAsync(6000);
  expect(again).toHaveBeenCalledTimes(4);
  page.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(again).toHaveBeenCalledTimes(4);
});

it('a connection that never opens is none', async () => {
  network = 'hangs';
  begin();
  await vi.advanceTimersByTimeAsync(3000);
  expect(again).toHaveBeenCalledTimes(2);
});

it('asks every 6 s where the server does not answer either, and every 1.5 s again once it does', async () => {
  network = 'refuses';
  answers = false;
  begin();
  await vi.advanceTimersByTimeAsync(60_000);
  again.mockClear();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(again).toHaveBeenCalledTimes(2);
  answers = true;
  await vi.advanceTimersByTimeAsync(6000);
  again.mockClear();
  await vi.advanceTimersByTimeAsync(3000);
  expect(again).toHaveBeenCalledTimes(2);
});

it('asks seldom while a connection stands, which may be dead without a word', async () => {
  begin();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(again).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(again).toHaveBeenCalledTimes(1);
});

it('asks at once when a connection is back', async () => {
  begin();
  await vi.advanceTimersByTimeAsync(100);
  sockets[0]?.close();
  await vi.advanceTimersByTimeAsync(1490);
  expect(sockets).toHaveLength(2);
  expect(again).toHaveBeenCalledTimes(1);
});

it('connections that end at once are tried ever more slowly', async () => {
  begin();
  const times: number[] = [];
  for (let last = sockets.length; times.length < 6; ) {
    sockets.at(-1)?.close();
    const from = Date.now();
    while (sockets.length === last) await vi.advanceTimersByTimeAsync(100);
    last = sockets.length;
    await vi.advanceTimersByTimeAsync(10);
    times.push(Date.now() - from);
  }
  expect(times.at(-1)).toBeGreaterThan(9000);
});

it('takes another connection when the network is back', async () => {
  begin();
  await vi.advanceTimersByTimeAsync(100);
  net.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(100);
  expect([sockets.length, open(), again.mock.calls.length]).toEqual([2, 1, 1]);
});

it('takes another connection after a sleep', async () => {
  begin();
  await vi.advanceTimersByTimeAsync(100);
  vi.setSystemTime(Date.now() + 600_000);
  await vi.advanceTimersByTimeAsync(1500);
  expect([sockets.length, open()]).toEqual([2, 1]);
  expect(again).toHaveBeenCalled();
});

it('after the end it neither asks nor connects', async () => {
  network = 'refuses';
  begin();
  await vi.advanceTimersByTimeAsync(100);
  watch.stop();
  net.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sockets.length, again.mock.calls.length]).toEqual([1, 0]);
});
