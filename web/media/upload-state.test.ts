import { describe, expect, it } from 'vitest';
import {
  AT_ONCE,
  goesOn,
  nextToSend,
  speedOf,
  type UploadAction,
  type UploadItem,
  uploadsAfter,
  waitAfterCut,
} from './upload-state.ts';

const run = (...actions: UploadAction[]) => actions.reduce(uploadsAfter, [] as readonly UploadItem[]);
const add = (key: string): UploadAction => ({ do: 'add', key, fileName: `${key}.mp4`, bytes: 1000 });

describe('uploads of a window', () => {
  it('begin in their order, so many at once', () => {
    const keys = ['a', 'b', 'c'];
    let items = run(...keys.map(add));
    expect(nextToSend(items)).toBeNull();
    for (const key of keys) items = uploadsAfter(items, { do: 'queue', key });
    const begun: string[] = [];
    for (let next = nextToSend(items); next; next = nextToSend(items)) {
      begun.push(next.key);
      items = uploadsAfter(items, { do: 'begin', key: next.key });
    }
    expect(begun).toEqual(keys.slice(0, AT_ONCE));
    items = uploadsAfter(items, { do: 'remove', key: 'a' });
    expect(nextToSend(items)?.key).toBe('c');
  });

  it('go on from what the server has, and keep their place through pause and cut', () => {
    const items = run(add('a'), { do: 'found', key: 'a', address: '/x', received: 400 }, { do: 'queue', key: 'a' });
    expect(items).toMatchObject([{ address: '/x', sent: 400, phase: 'waiting' }]);
    const sending = [{ do: 'begin', key: 'a' }, { do: 'progress', key: 'a', sent: 700, at: 0 }] as const; // biome-ignore format: a row
    const paused = [...sending, { do: 'pause', key: 'a' } as const].reduce(uploadsAfter, items);
    expect(paused).toMatchObject([{ sent: 700, phase: 'paused' }]);
    expect(uploadsAfter(paused, { do: 'progress', key: 'a', sent: 900, at: 1 })).toEqual(paused);
    const cut = [...sending, { do: 'cut', key: 'a', msg: 'x' } as const].reduce(uploadsAfter, items);
    expect(cut).toMatchObject([{ sent: 700, phase: 'cut', msg: 'x', cuts: 1 }]);
    const again = [{ do: 'begin', key: 'a' } as const, { do: 'cut', key: 'a', msg: 'x' } as const].reduce(
      uploadsAfter,
      cut,
    );
    expect(again).toMatchObject([{ cuts: 2 }]);
    const moved = [{ do: 'begin', key: 'a' }, { do: 'progress', key: 'a', sent: 701, at: 0 }] as const; // biome-ignore format: a row
    expect(moved.reduce(uploadsAfter, again)).toMatchObject([{ cuts: 0, msg: '' }]);
  });

  it('say how fast they are', () => {
    expect(speedOf({ samples: [] })).toBeNull();
    expect(speedOf({ samples: [[0, 0], [100, 50]] })).toBeNull(); // biome-ignore format: a row
    expect(speedOf({ samples: [[0, 100], [1000, 300], [2000, 500]] })).toBe(200); // biome-ignore format: a row
    const items = run(add('a'), { do: 'begin', key: 'a' });
    const many = Array.from(
      { length: 50 },
      (_, at): UploadAction => ({ do: 'progress', key: 'a', sent: at, at: at * 1000 }),
    );
    expect(many.reduce(uploadsAfter, items)[0]?.samples).toHaveLength(7);
  });

  it.each([
    [0, true],
    [408, true],
    [409, true],
    [423, true],
    [429, true],
    [460, true],
    [500, true],
    [503, true],
    [507, false],
    [401, false],
    [410, false],
    [413, false],
    [422, false],
  ])('refused with %i go on by themselves: %s', (status, on) => expect(goesOn(status)).toBe(on));

  it('wait longer each time', () => {
    expect([1, 2, 3, 6, 99].map(waitAfterCut)).toEqual([1000, 2000, 4000, 30_000, 30_000]);
  });
});
