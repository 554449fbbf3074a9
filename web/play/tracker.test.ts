import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const sent: [string, RequestInit][] = [];
const beacons: unknown[] = [];

vi.mock('#web/lib/site.ts', () => ({ readSite: () => ({ collector: 'https://collect.example/play' }) }));

beforeAll(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { sendBeacon: (...said: unknown[]) => beacons.push(said) });
  vi.stubGlobal('fetch', async (address: string, how: RequestInit) => {
    sent.push([address, how]);
    throw new TypeError('the collector is away');
  });
});
afterAll(() => vi.unstubAllGlobals());

it('tells the collector of the school what happened, and never who did it: no cookie of its host goes along', async () => {
  const { track } = await import('./tracker.ts');
  const heard: unknown[] = [];
  window.addEventListener('lixue:play', (event) => heard.push((event as CustomEvent).detail));
  track('video locked', { packId: 1, lessonId: 2 });
  expect(heard).toEqual([{ name: 'video locked', packId: 1, lessonId: 2 }]);
  const [[address, how] = ['', {}]] = sent;
  expect(address).toBe('https://collect.example/play');
  expect(how).toMatchObject({ method: 'POST', credentials: 'omit', keepalive: true, mode: 'no-cors' });
  expect(JSON.parse(String(how.body))).toMatchObject({ name: 'video locked', packId: 1, lessonId: 2 });
  expect(beacons).toEqual([]);
});
