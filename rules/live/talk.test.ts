import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TALK_BEFORE, TALK_OPEN, TALK_OVER } from '#contract/values/live-talk.ts';
import { attended, SAME_STRETCH } from './attendance.ts';
import { checkPoll, checkSaid, isTold, latelyFrom, mayDelete, maySay, talkStage } from './talk.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('a message', () => {
  it.each([
    ['is kept as it was typed', '第 3 题选 B？', '第 3 题选 B？'],
    ['loses what is around it', '  好\n', '好'],
    ['keeps its lines, without empty ones', '一\r\n\r\n \n二', '一\n二'],
    ['is text, whatever it looks like', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['keeps joined pictures', '👩‍🏫', '👩‍🏫'],
    ['turns no direction', '好\u202Egnp.exe', '好gnp.exe'],
    ['has 200 code points', '😀'.repeat(200), '😀'.repeat(200)],
    ['counts CRLF as LF', `${'一\r\n'.repeat(99)}二二`, `${'一\n'.repeat(99)}二二`],
  ])('%s', (_, typed, text) => expect(checkSaid(typed)).toEqual({ ok: true, text }));

  it.each([
    ['blank', ' \n\t', 'commentEmpty'],
    ['of nothing that is seen', '\u200B\u2060\u200D', 'commentEmpty'],
    ['of an empty letter', '\u3164', 'commentEmpty'],
    ['of NUL', '\u0000', 'commentEmpty'],
    ['of 201 code points', '😀'.repeat(201), 'textTooLong'],
  ])('%s is none', (_, typed, why) => expect(checkSaid(typed)).toEqual({ ok: false, why }));

  it('is at most 200 code points, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (typed) => {
        const said = checkSaid(typed);
        if (!said.ok) return;
        expect([...said.text].length).toBeLessThanOrEqual(200);
        expect(said.text.isWellFormed()).toBe(true);
        expect(checkSaid(said.text)).toEqual(said);
      }),
    );
  });
});

describe('who may speak', () => {
  const student: Parameters<typeof maySay>[0] = {
    teacher: false,
    stage: TALK_OPEN,
    muted: false,
    mutedAll: false,
    lately: 0,
  };
  it.each([
    ['a student while the room is open', {}, null],
    ['nobody before', { stage: TALK_BEFORE }, 'liveNotNow'],
    ['nobody after, a teacher neither', { stage: TALK_OVER, teacher: true }, 'liveNotNow'],
    ['not who is muted', { muted: true }, 'liveMuted'],
    ['nobody of the students where all are muted', { mutedAll: true }, 'liveMutedAll'],
    ['a teacher though all are muted', { mutedAll: true, teacher: true }, null],
    ['the fifth message in ten seconds', { lately: 4 }, null],
    ['not the sixth', { lately: 5 }, 'liveTooFast'],
    ['a teacher as fast as they like', { lately: 50, teacher: true }, null],
  ] as [string, Partial<typeof student>, string | null][])('%s', (_, more, why) =>
    expect(maySay({ ...student, ...more })).toEqual(why === null ? { ok: true } : { ok: false, why }),
  );
  it('counts ten seconds', () => expect(latelyFrom(50_000)).toBe(40_000));

  it.each([
    [-30 * MINUTE - 1, TALK_BEFORE],
    [-30 * MINUTE, TALK_OPEN],
    [0, TALK_OPEN],
    [HOUR - 1, TALK_OPEN],
    [HOUR, TALK_OVER],
  ])('%d ms after the beginning the room stands at %d', (since, stage) =>
    expect(talkStage({ startTime: 5 * HOUR, endTime: 6 * HOUR }, 5 * HOUR + since)).toBe(stage),
  );

  it('takes its own message out of sight, a teacher any', () => {
    expect(mayDelete({ teacher: false, userId: 1 }, 1)).toBe(true);
    expect(mayDelete({ teacher: false, userId: 1 }, 2)).toBe(false);
    expect(mayDelete({ teacher: true, userId: 1 }, 2)).toBe(true);
  });
});

it.each([
  ['said', false, 9, true],
  ['pinned', false, 9, true],
  ['mutedAll', false, 9, true],
  ['muted', false, 9, false],
  ['muted', false, 7, true],
  ['muted', true, 9, true],
  ['unmuted', false, 9, false],
  ['handRaised', false, 9, false],
  ['handRaised', false, 7, true],
  ['handLowered', true, 9, true],
] as const)('%s of person 7 is told (teacher: %s) to person %d: %s', (kind, teacher, userId, told) =>
  expect(isTold({ kind, toUserId: 7 }, { teacher, userId })).toBe(told),
);

describe('a poll', () => {
  it('is a question with options, in one line each', () =>
    expect(checkPoll(' 听懂\n了吗 ', ['懂了', ' 没有 '])).toEqual({
      ok: true,
      question: '听懂 了吗',
      options: ['懂了', '没有'],
    }));
  it.each([
    ['without a question', ' ', ['a', 'b'], 'pollEmpty'],
    ['with an empty option', '问', ['a', ' '], 'pollEmpty'],
    ['with one option', '问', ['a'], 'pollEmpty'],
    ['with seven', '问', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'pollEmpty'],
    ['with the same option twice', '问', ['a', ' a'], 'pollEmpty'],
    ['with a long question', '问'.repeat(61), ['a', 'b'], 'textTooLong'],
    ['with a long option', '问', ['a'.repeat(31), 'b'], 'textTooLong'],
  ])('%s is none', (_, question, options, why) => expect(checkPoll(question, options)).toEqual({ ok: false, why }));
});

describe('attendance', () => {
  const held = { from: HOUR, until: 2 * HOUR };
  const at = (minutes: number) => HOUR + minutes * MINUTE;
  const of = (...stretches: [number, number][]) =>
    attended(
      stretches.map(([from, until]) => ({ from: at(from), until: at(until) })),
      held,
    );
  it.each([
    ['nobody who was never there', [], null],
    ['nobody who left before it began', [[-20, 0]], null],
    ['from the beginning, not before', [[-20, 10]], [0, 10, 10, 1]],
    ['up to the end, not after', [[50, 90]], [50, 60, 10, 1]],
    [
      'two windows once',
      [
        [0, 30],
        [10, 20],
      ],
      [0, 30, 30, 1],
    ],
    [
      'two stretches, without what is between',
      [
        [40, 50],
        [0, 10],
      ],
      [0, 50, 20, 2],
    ],
    [
      'one stretch over a server that started again',
      [
        [0, 10],
        [10.5, 20],
      ],
      [0, 20, 20, 1],
    ],
    ['whole minutes', [[0, 1.9]], [0, 1.9, 1, 1]],
  ] as const)('counts %s', (_, stretches, found) =>
    expect(of(...(stretches as unknown as [number, number][]))).toEqual(
      found && { fromAt: at(found[0]), untilAt: at(found[1]), minutes: found[2], times: found[3] },
    ),
  );

  it('is never more than from first to last, nor than the lesson, and does not depend on the order', () => {
    const stretch = fc.tuple(fc.integer({ min: 0, max: 3 * HOUR }), fc.integer({ min: 0, max: HOUR }));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 20 }), (made) => {
        const stretches = made.map(([from, long]) => ({ from, until: from + long }));
        const found = attended(stretches, held);
        expect(attended(stretches.toReversed(), held)).toEqual(found);
        if (found === null) return;
        expect(found.minutes * MINUTE).toBeLessThanOrEqual(found.untilAt - found.fromAt);
        expect(found.fromAt).toBeGreaterThanOrEqual(held.from);
        expect(found.untilAt).toBeLessThanOrEqual(held.until);
        const gaps = found.untilAt - found.fromAt - found.minutes * MINUTE;
        if (found.times > 1) expect(gaps).toBeGreaterThan(SAME_STRETCH);
      }),
    );
  });
});
