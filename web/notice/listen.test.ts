import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NOTICE_BEAT } from '#contract/values/notice.ts';
import { type Unread, watchNotices } from './watch.ts';

let sockets: Socket[] = [];

/** A connection that opens at once, and may die without a word. */
class Socket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  constructor() {
    super();
    sockets.push(this);
    queueMicrotask(() => {
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
    });
  }
  say(unread: Unread): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(unread) }));
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

let page: EventTarget & { visibilityState: string };
let stop: () => void;
const heard = vi.fn();
const ask = vi.fn();
const open = () => sockets.filter(({ readyState }) => readyState < 2);
function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  heard.mockClear();
  ask.mockClear();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { protocol: 'http:', host: 'x' } }));
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('BroadcastChannel', undefined);
  stop = watchNotices(1, heard, ask);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('keeps a connection on which the server repeats itself', async () => {
  for (let beat = 0; beat < 10; beat += 1) {
    await vi.advanceTimersByTimeAsync(NOTICE_BEAT);
    open()[0]?.say({ count: 1, announced: 0 });
  }
  expect(sockets).toHaveLength(1);
  expect(heard).toHaveBeenCalledTimes(10);
});

it('takes another connection, and asks, where nothing came for longer than two beats', async () => {
  await vi.advanceTimersByTimeAsync(2 * NOTICE_BEAT);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(NOTICE_BEAT);
  expect(sockets).toHaveLength(2);
  expect(open()).toHaveLength(1);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('does so at once in a window that is seen again, when its connection had died before it was hidden', async () => {
  await vi.advanceTimersByTimeAsync(2.4 * NOTICE_BEAT);
  show('hidden');
  await vi.advanceTimersByTimeAsync(0.2 * NOTICE_BEAT);
  expect(sockets).toHaveLength(1);
  show('visible');
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets).toHaveLength(2);
  expect(ask).toHaveBeenCalledTimes(1);
});
