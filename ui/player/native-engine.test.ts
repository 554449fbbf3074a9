import { beforeEach, expect, it, vi } from 'vitest';
import { nativeEngine } from './native-engine.ts';

beforeEach(
  () => void vi.stubGlobal('MediaError', { MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3, MEDIA_ERR_SRC_NOT_SUPPORTED: 4 }),
);

/** An element that does what it is told to, and what it would be asked. */
function opened({ begins = 0, granted = true }: { begins?: number; granted?: boolean } = {}) {
  const did: string[] = [];
  const media = Object.assign(new EventTarget(), {
    ...{ src: '', currentTime: 0, paused: false, error: null as { code: number } | null },
    load: () => {
      media.error = null;
      media.currentTime = 0;
      did.push('load');
    },
    play: () => {
      did.push('play');
      return Promise.resolve();
    },
    removeAttribute: () => undefined,
  });
  const place = { begins };
  const engine = nativeEngine(
    media as unknown as HTMLMediaElement,
    {
      open: async () => ({ url: '/film.m3u8' }),
      renew: async () => {
        did.push('renew');
        return granted;
      },
    },
    () => place.begins,
    {
      onAttached: () => undefined,
      onQualities: () => undefined,
      onQuality: () => undefined,
      onFailure: (why) => void did.push(why),
    },
  );
  const tell = async (name: string) => {
    media.dispatchEvent(new Event(name));
    for (let turns = 0; turns < 4; turns += 1) await Promise.resolve();
  };
  const fail = (code: number) => {
    media.error = { code };
    return tell('error');
  };
  return { media, engine, did, place, tell, fail };
}

it('gets over each refusal of a long film, and is where it was all the time', async () => {
  const { media, did, place, tell, fail } = opened({ begins: 30 });
  await tell('loadedmetadata');
  expect(media.currentTime).toBe(30);
  for (const second of [400, 900]) {
    place.begins = second;
    await fail(2);
    expect(media.currentTime).toBe(second);
    await tell('loadedmetadata');
    expect(media.currentTime).toBe(second);
  }
  expect(did).toEqual(['renew', 'load', 'play', 'renew', 'load', 'play']);
});

it('says a failure where a new right does not help, though what lies before it plays, or there is none', async () => {
  const { media, engine, did, place, tell, fail } = opened();
  await tell('loadedmetadata');
  place.begins = 100;
  media.paused = true;
  await fail(4);
  await tell('loadedmetadata');
  await tell('playing');
  place.begins = 104;
  await fail(4);
  expect(did).toEqual(['renew', 'load', 'network']);
  // Whoever tries again has a new one asked for.
  engine.reopen();
  await fail(4);
  expect(did.slice(3)).toEqual(['load', 'renew', 'load']);
  const none = opened({ granted: false });
  await none.fail(2);
  expect(none.did).toEqual(['renew', 'network']);
  await none.fail(3);
  expect(none.did.at(-1)).toBe('decode');
});

it('goes where somebody jumped while it was loaded again, and says nothing once it is gone', async () => {
  const { media, engine, did, place, tell, fail } = opened();
  await tell('loadedmetadata');
  place.begins = 50;
  await fail(2);
  place.begins = 70;
  await tell('loadedmetadata');
  expect(media.currentTime).toBe(70);
  const late = fail(2);
  engine.destroy();
  await late;
  expect(did.filter((what) => what === 'load')).toHaveLength(2);
  expect(did.filter((what) => what === 'renew')).toHaveLength(2);
});
