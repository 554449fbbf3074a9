import { describe, expect, it } from 'vitest';
import { decideAnswer, isDecided } from './answer.ts';

const [ME, OTHER] = [1, 2];
const waiting = { state: 0, answer: '', version: 0, answeredBy: null } as const;
const received = { state: 1, answer: '', version: 1, answeredBy: OTHER } as const;
const mended = { state: 2, answer: '已改', version: 2, answeredBy: OTHER } as const;
const declined = { state: 3, answer: '无误', version: 2, answeredBy: ME } as const;
const changed = { ok: true, changes: true };
const unchanged = { ok: true, changes: false };
const no = (why: string) => ({ ok: false, why });

describe('answering a report', () => {
  it.each([
    { now: waiting, state: 1, answer: '', says: changed },
    { now: waiting, state: 2, answer: '', says: changed },
    { now: waiting, state: 2, answer: '已改', says: changed },
    { now: waiting, state: 3, answer: '无误', says: changed },
    { now: waiting, state: 3, answer: '', says: no('reasonNeeded') },
    { now: received, state: 1, answer: '在查', says: changed },
    // Nothing new, though another teacher said it.
    { now: received, state: 1, answer: '', says: unchanged },
    { now: received, state: 2, answer: '', says: changed },
    { now: received, state: 3, answer: '无误', says: changed },
    { now: mended, state: 3, answer: '其实无误', says: changed },
    { now: mended, state: 2, answer: '已改正', says: changed },
    { now: mended, state: 1, answer: '', says: no('alreadyDecided') },
    { now: declined, state: 2, answer: '', says: changed },
    { now: declined, state: 1, answer: '无误', says: no('alreadyDecided') },
    { now: declined, state: 3, answer: '', says: no('reasonNeeded') },
    // Another teacher was there first.
    { now: received, version: 0, state: 2, answer: '', says: no('answeredMeanwhile') },
    { now: received, version: 0, state: 1, answer: '', says: no('answeredMeanwhile') },
    { now: declined, version: 1, state: 3, answer: '别的理由', says: no('answeredMeanwhile') },
    { now: waiting, version: 7, state: 1, answer: '', says: no('answeredMeanwhile') },
    // The reply to one's own answer was lost, and it is sent again.
    { now: declined, version: 1, state: 3, answer: '无误', says: unchanged },
  ] as const)('from $now.state (looked at $version) to $state "$answer"', ({ now, state, answer, says, ...looked }) => {
    const version = ('version' in looked ? looked.version : undefined) ?? now.version;
    expect(decideAnswer(now, { version, state, answer, teacherId: ME })).toEqual(says);
  });

  it.each([
    [0, false],
    [1, false],
    [2, true],
    [3, true],
  ] as const)('state %i is decided: %s', (state, decided) => {
    expect(isDecided(state)).toBe(decided);
  });
});
