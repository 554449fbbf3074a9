import { describe, expect, it } from 'vitest';
import { hasReachedEnd, type Playback, type PlaybackEvent, playbackAtStart, playbackNext } from './playback-state.ts';

const atStart = playbackAtStart({ duration: 60, position: 0, rate: 1, volume: 1 });
const having = (...events: PlaybackEvent[]): Playback => events.reduce(playbackNext, atStart);
const moved = (position: number): PlaybackEvent => ({ type: 'moved', position, loadedTo: position + 5 });

describe('what a player shows', () => {
  it.each<[string, PlaybackEvent[], Partial<Playback>]>([
    ['plays', [{ type: 'played' }, moved(1)], { playing: true, waiting: false, position: 1, loadedTo: 6 }],
    ['waits until it moves', [{ type: 'played' }, { type: 'waiting' }], { waiting: true }],
    ['waits no more once it moved', [{ type: 'played' }, { type: 'waiting' }, moved(1)], { waiting: false }],
    [
      'does not take loading for moving',
      [{ type: 'played' }, moved(1), { type: 'waiting' }, { type: 'moved', position: 1, loadedTo: 9 }],
      { waiting: true, loadedTo: 9 },
    ],
    ['a pause waits for nothing', [{ type: 'played' }, { type: 'waiting' }, { type: 'paused' }], { waiting: false }],
    ['what is paused does not begin to wait', [{ type: 'waiting' }], { waiting: false }],
    ['ends', [{ type: 'played' }, moved(60), { type: 'ended' }], { playing: false, ended: true }],
    ['goes back after its end', [{ type: 'played' }, moved(60), { type: 'ended' }, moved(3)], { ended: false }],
    ['keeps the known length where the stream has none', [{ type: 'length', duration: Infinity }], { duration: 60 }],
    ['takes the length of the film', [{ type: 'length', duration: 60.04 }], { duration: 60.04 }],
    ['is shown as failed', [{ type: 'played' }, { type: 'failed', why: 'network' }], { failure: 'network' }],
    ['is tried again', [{ type: 'failed', why: 'network' }, { type: 'reopened' }], { failure: null }],
  ])('%s', (_name, events, expected) => {
    expect(having(...events)).toMatchObject(expected);
  });

  it.each([
    ['at the end', 59.6, true],
    ['at its length', 60, true],
    ['before', 59.4, false],
  ])('a film that stands has ended: %s', (_name, position, ended) => {
    expect(hasReachedEnd(having({ type: 'played' }, moved(position)))).toBe(ended);
    expect(hasReachedEnd(having(moved(position)))).toBe(false);
  });
});
