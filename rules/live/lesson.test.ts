import { describe, expect, it } from 'vitest';
import { addressesNow, checkLive, liveEntry, liveState, mayBook } from './lesson.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('how a live lesson stands', () => {
  it.each([
    [99, '', 1],
    [100, '', 2],
    [199, '', 2],
    [200, '', 4],
    [200, 'https://a.cn/r', 3],
    // A replay that was entered early waits for the end.
    [150, 'https://a.cn/r', 2],
    [99, 'https://a.cn/r', 1],
  ])('at %d, replay %j: %d', (now, replayUrl, state) => {
    expect(liveState({ startTime: 100, endTime: 200, replayUrl }, now)).toBe(state);
    expect(mayBook(liveState({ startTime: 100, endTime: 200, replayUrl }, now))).toBe(now < 100);
  });
});

describe('what may be planned', () => {
  const now = 1000 * DAY;
  const asked = {
    livePlatform: 1 as 0 | 1,
    title: '考前冲刺',
    startTime: now + DAY,
    endTime: now + DAY + HOUR,
    liveUrlPc: 'https://live.example.cn/1',
  };
  const fault = (why: string, field: string) => ({ ok: false, why, field });
  it.each([
    [{}, { ok: true, title: '考前冲刺', liveUrlPc: 'https://live.example.cn/1', liveUrlH5: '', replayUrl: '' }],
    [{ title: ' 考前\u0000 \n冲刺 ' }, { ok: true, title: '考前 冲刺' }],
    [{ title: ' \u0000 ' }, fault('liveNoTitle', 'title')],
    [{ title: '😀'.repeat(60) }, { ok: true }],
    [{ title: '😀'.repeat(61) }, fault('textTooLong', 'title')],
    [{ endTime: now + DAY }, fault('liveTimes', 'endTime')],
    [{ endTime: now + DAY - 1 }, fault('liveTimes', 'endTime')],
    [{ endTime: now + DAY + 12 * HOUR }, { ok: true }],
    [{ endTime: now + DAY + 12 * HOUR + 1 }, fault('liveTimes', 'endTime')],
    [{ startTime: now + 366 * DAY, endTime: now + 366 * DAY + HOUR }, { ok: true }],
    [{ startTime: now + 366 * DAY + 1, endTime: now + 366 * DAY + HOUR }, fault('liveTimes', 'startTime')],
    // One that has begun can be planned: its teacher is late with it.
    [{ startTime: now - HOUR, endTime: now + 1 }, { ok: true }],
    [{ startTime: now - HOUR, endTime: now }, fault('liveOver', 'endTime')],
    [{ liveUrlPc: '' }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: 'http://a.cn' }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: 'javascript:alert(1)' }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: 'https://name:word@a.cn/' }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: 'https://a.cn/x y' }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: 'https://a.cn\\b' }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: `https://a.cn/${'x'.repeat(1000)}` }, fault('liveAddress', 'liveUrlPc')],
    [{ liveUrlPc: ' https://a.cn/1?x=2#3 ' }, { ok: true, liveUrlPc: 'https://a.cn/1?x=2#3' }],
    [{ liveUrlH5: 'https://m.a.cn/1' }, { ok: true, liveUrlH5: 'https://m.a.cn/1' }],
    [{ liveUrlH5: 'ftp://m.a.cn/1' }, fault('liveAddress', 'liveUrlH5')],
    [{ replayUrl: 'a.cn' }, fault('liveAddress', 'replayUrl')],
    // The room of this site has no address: what stands there is not looked at and not kept.
    [
      { livePlatform: 0, liveUrlPc: '' },
      { ok: true, liveUrlPc: '', replayUrl: '' },
    ],
    [
      { livePlatform: 0, liveUrlPc: 'nonsense', replayUrl: 'a.cn' },
      { ok: true, liveUrlPc: '', replayUrl: '' },
    ],
    [{ livePlatform: 0, title: '' }, fault('liveNoTitle', 'title')],
  ])('%j', (change, says) => {
    expect(checkLive({ ...asked, ...(change as Partial<typeof asked>) }, null, now)).toMatchObject(says);
  });

  it('lets what is over be changed in all but its times', () => {
    const was = { startTime: now - DAY, endTime: now - DAY + HOUR, startedAt: null, endedAt: null };
    const over = { ...asked, ...was, replayUrl: 'https://a.cn/replay' };
    expect(checkLive(over, was, now)).toMatchObject({ ok: true, replayUrl: 'https://a.cn/replay' });
    expect(checkLive({ ...over, endTime: over.endTime - 1 }, was, now)).toEqual(fault('liveOver', 'endTime'));
    // It went on for longer than planned.
    expect(checkLive({ ...over, endTime: now + HOUR, startTime: now - DAY + 14 * HOUR }, was, now).ok).toBe(true);
  });

  it.each([
    ['not started: to another day', null, null, { startTime: DAY, endTime: DAY + HOUR }, { ok: true }],
    ['started: to another day', -1, null, { startTime: DAY, endTime: DAY + HOUR }, fault('liveStarted', 'startTime')],
    ['started: a minute later', -1, null, { startTime: -HOUR + 60_000 }, fault('liveStarted', 'startTime')],
    ['started: for longer', -1, null, { endTime: 2 * HOUR }, { ok: true }],
    ['started: for less', -1, null, { endTime: 60_000 }, { ok: true }],
    ['started: until what is over', -1, null, { endTime: 0 }, fault('liveOver', 'endTime')],
    ['started: its title', -1, null, {}, { ok: true }],
    ['ended: to another day', -1, 0, { startTime: DAY, endTime: DAY + HOUR }, fault('liveEnded', 'startTime')],
    ['ended: for longer', -1, 0, { endTime: 2 * HOUR }, fault('liveEnded', 'endTime')],
    [
      'ended without a start: to another day',
      null,
      0,
      { startTime: DAY, endTime: DAY + HOUR },
      fault('liveEnded', 'startTime'),
    ],
    ['ended: its title', -1, 0, {}, { ok: true }],
  ])('of the room of this site, %s', (_, startedAt, endedAt, moved, says) => {
    const times = { startTime: -HOUR, endTime: HOUR };
    const to = { ...times, ...moved };
    const was = {
      ...{ startTime: now + times.startTime, endTime: now + times.endTime },
      ...{ startedAt: startedAt && now + startedAt, endedAt: endedAt === null ? null : now },
    };
    const change = { ...asked, livePlatform: 0 as const, startTime: now + to.startTime, endTime: now + to.endTime };
    expect(checkLive(change, was, now)).toMatchObject(says);
  });
});

describe('where a press leads', () => {
  it.each([
    [2, false, 0, 'login'],
    [4, false, 1, 'login'],
    [2, true, 0, 'join'],
    [1, true, 0, 'join'],
    [1, true, 1, 'wait'],
    [2, true, 1, 'open'],
    [3, true, 1, 'open'],
    [4, true, 1, 'over'],
  ] as const)('state %d, signed in %s, buyState %d: %s', (state, signedIn, buyState, leads) => {
    expect(liveEntry(state, { signedIn, buyState })).toBe(leads);
  });
});

describe('the addresses that are told', () => {
  const all = { liveUrlPc: 'https://pc', liveUrlH5: '', replayUrl: 'https://again' };
  it.each([
    [1, '', ''],
    [2, 'https://pc', 'https://pc'],
    [3, 'https://again', 'https://again'],
    [4, '', ''],
  ] as const)('state %d: %j, phones %j', (state, liveUrlPc, liveUrlH5) => {
    expect(addressesNow(all, state)).toEqual({ liveUrlPc, liveUrlH5 });
  });
  it('phones have their own', () => {
    expect(addressesNow({ ...all, liveUrlH5: 'https://h5' }, 2).liveUrlH5).toBe('https://h5');
  });
});
