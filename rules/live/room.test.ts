import { describe, expect, it } from 'vitest';
import { FORGOTTEN_AFTER, GONE_AFTER } from './publishing.ts';
import { beginsLesson, isSending, type RoomFacts, roomState, takesStream } from './room.ts';

const HOUR = 3_600_000;
const START = 1_795_000_000_000;
const none: RoomFacts = {
  ...{ startTime: START, endTime: START + 2 * HOUR, startedAt: null, endedAt: null, heardAt: null, overAt: null },
  hasReplay: false,
};

describe('a lesson in the room of this site', () => {
  it.each<[string, Partial<RoomFacts>, number, number, string]>([
    ['before it', {}, START - 1, 1, 'waiting'],
    ['a trial the day before', { heardAt: START - 20 * HOUR }, START - 20 * HOUR, 1, 'waiting'],
    ['a trial the day before, later', { heardAt: START - 20 * HOUR }, START - HOUR, 1, 'waiting'],
    ['its time has come, its teacher has not', {}, START, 2, 'waiting'],
    ['its teacher never came', {}, START + 2 * HOUR, 4, 'ended'],
    ['its teacher started it', { startedAt: START - 60_000 }, START - 30_000, 2, 'waiting'],
    ['started, and late', { startedAt: START }, START + HOUR, 2, 'waiting'],
    ['started, nothing came for hours', { startedAt: START }, START + FORGOTTEN_AFTER, 4, 'ended'],
    ['a stream', { startedAt: START, heardAt: START + HOUR }, START + HOUR + 40, 2, 'live'],
    ['past its planned end', { startedAt: START, heardAt: START + 3 * HOUR }, START + 3 * HOUR, 2, 'live'],
    ['the encoder stopped', { startedAt: START, heardAt: START + 9, overAt: START + 9 }, START + 10, 2, 'interrupted'],
    ['the server was killed', { startedAt: START, heardAt: START }, START + GONE_AFTER, 2, 'interrupted'],
    [
      'hours without a stream',
      { startedAt: START, heardAt: START + HOUR, overAt: START + HOUR },
      START + HOUR + FORGOTTEN_AFTER,
      4,
      'ended',
    ],
    [
      'ended, an encoder still sends',
      { startedAt: START, endedAt: START + 5, heardAt: START + 9 },
      START + 9,
      4,
      'ended',
    ],
    ['its replay is there', { startedAt: START, endedAt: START + 5, hasReplay: true }, START + 9, 3, 'ended'],
  ])('%s', (_, facts, now, state, stream) => {
    const room = { ...none, ...facts };
    expect(roomState(room, now)).toEqual({ state, stream });
    expect(takesStream(room, now)).toBe(stream !== 'ended');
  });

  it.each([
    [START - 30 * 60_000, true],
    [START - 30 * 60_000 - 1, false],
    [START + HOUR, true],
  ])('begins with a stream at %d: %s', (now, begins) => expect(beginsLesson(none, now)).toBe(begins));

  it.each<[Partial<RoomFacts>, boolean]>([
    [{}, false],
    [{ heardAt: START }, true],
    [{ heardAt: START, overAt: START }, false],
    [{ heardAt: START - GONE_AFTER }, false],
  ])('a stream comes in with %j: %s', (facts, sends) => expect(isSending({ ...none, ...facts }, START)).toBe(sends));
});
