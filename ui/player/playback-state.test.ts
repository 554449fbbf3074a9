import { describe, expect, it } from 'vitest';
import { hasReachedEnd, type Playback, type PlaybackEvent, playbackAtStart, playbackNext } from './playback-state.ts';

const atStart = playbackAtStart({ duration: 60, position: 0, rate: 1, volume: 1 });
const having = (...events: PlaybackEvent[]): Playback => events.reduce(playbackNext, atStart);
const moved = (position: number): PlaybackEvent => ({
  type: 'moved',
  position,
  loadedTo: position + 5,
  at: position * 1000,
});
const played: PlaybackEvent = { type: 'played', at: 0, waiting: false };

describe('what a player shows', () => {
  it.each<[string, PlaybackEvent[], Partial<Playback>]>([
    ['plays', [played, moved(1)], { playing: true, waiting: false, position: 1, loadedTo: 6 }],
    [
      'waits from the press on where there is nothing yet',
      [{ type: 'played', at: 0, waiting: true }],
      { waiting: true },
    ],
    ['waits until it moves', [played, { type: 'waiting' }], { waiting: true }],
    ['waits no more once it moved', [played, { type: 'waiting' }, moved(1)], { waiting: false }],
    [
      'does not take loading for moving',
      [played, moved(1), { type: 'waiting' }, { type: 'moved', position: 1, loadedTo: 9, at: 1500 }],
      { waiting: true, loadedTo: 9 },
    ],
    [
      'waits no more once it goes on, before it moved',
      [played, moved(1), { type: 'waiting' }, { type: 'goesOn', position: 1, loadedTo: 9, at: 7000 }],
      { waiting: false, position: 1, readAt: 7000 },
    ],
    [
      'says when its place was read, and when play was pressed there',
      [played, moved(1), { type: 'paused' }, { type: 'played', at: 9000, waiting: false }],
      { position: 1, readAt: 9000 },
    ],
    ['a pause waits for nothing', [played, { type: 'waiting' }, { type: 'paused' }], { waiting: false }],
    ['what is paused does not begin to wait', [{ type: 'waiting' }], { waiting: false }],
    ['ends', [played, moved(60), { type: 'ended' }], { playing: false, ended: true }],
    ['goes back after its end', [played, moved(60), { type: 'ended' }, moved(3)], { ended: false }],
    ['keeps the known length where the stream has none', [{ type: 'length', duration: Infinity }], { duration: 60 }],
    ['takes the length of the film', [{ type: 'length', duration: 60.04 }], { duration: 60.04 }],
    ['is shown as failed', [played, { type: 'failed', why: 'network' }], { failure: 'network' }],
    ['is tried again', [{ type: 'failed', why: 'network' }, { type: 'reopened' }], { failure: null }],
  ])('%s', (_name, events, expected) => {
    expect(having(...events)).toMatchObject(expected);
  });

  it('is not drawn anew by a wait that it knows of', () => {
    const waits = having({ type: 'played', at: 0, waiting: true });
    expect(playbackNext(waits, { type: 'waiting' })).toBe(waits);
  });

  it.each([
    ['at the end', 59.6, true],
    ['at its length', 60, true],
    ['before', 59.4, false],
  ])('a film that stands has ended: %s', (_name, position, ended) => {
    expect(hasReachedEnd(having(played, moved(position)))).toBe(ended);
    expect(hasReachedEnd(having(moved(position)))).toBe(false);
  });
});
