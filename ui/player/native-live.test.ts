import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nativeLive } from './native-live.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An element that fails whenever it is told to. */
function element() {
  const loads: number[] = [];
  const media = Object.assign(new EventTarget(), {
    ...{ src: '', currentTime: 0, paused: false, ended: false, error: null as object | null },
    load: () => {
      media.error = null;
      loads.push(Date.now());
    },
    removeAttribute: () => {
      media.src = '';
    },
  });
  const fail = () => {
    media.error = {};
    media.dispatchEvent(new Event('error'));
  };
  return { media: media as unknown as HTMLVideoElement, loads, fail };
}

it('is loaded once when the stream comes back before a try that waits, and not after its end', () => {
  const { media, loads, fail } = element();
  const told = { onStream: () => undefined, onFailure: () => undefined, waitBefore: () => 5000 };
  const live = nativeLive(media, '/live.m3u8', told);
  live.comes(true);
  expect(loads).toHaveLength(1);
  fail();
  live.comes(false);
  live.comes(true);
  expect(loads).toHaveLength(2);
  live.destroy();
  expect(media.src).toBe('');
  vi.advanceTimersByTime(10_000);
  expect(media.src).toBe('');
});
