import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptAnswer,
  CLOSE_AFTER,
  closing,
  endOf,
  GRACE,
  highestSeq,
  isOverdue,
  mayChange,
  mayMark,
  notedSeconds,
  type RecordBounds,
  type StoredAnswer,
  timeLeft,
  usedSeconds,
} from './attempt.ts';

const START = 1_000_000;
const END = START + 60_000;
const open: RecordBounds = { startedAt: START, endsAt: END, submittedAt: null, closed: null, windowId: 'window-1' };
const untimed: RecordBounds = { ...open, endsAt: null };
const handedIn: RecordBounds = { ...open, submittedAt: START + 30_000, closed: 'submitted' };
const timeUp: RecordBounds = { ...open, submittedAt: END, closed: 'timeUp' };
const stored = (seq: number, answer: string | null = 'A', shownAt: number | null = null): StoredAnswer => ({
  seq,
  answer,
  shownAt,
});

it('endOf', () => {
  expect(endOf(START, 1)).toBe(END);
  expect(endOf(START, null)).toBeNull();
});

it.each([
  [open, START, 60_000],
  [open, END - 1, 1],
  [open, END, 0],
  [open, END + 5_000, 0],
  [untimed, END + 1e9, null],
])('timeLeft %#', (attempt, now, left) => {
  expect(timeLeft(attempt, now)).toBe(left);
});

describe('mayChange', () => {
  it.each<[string, RecordBounds, string | undefined, number, string]>([
    ['in time', open, 'window-1', START + 1, 'ok'],
    ['at the end', open, 'window-1', END, 'ok'],
    ['in the last millisecond of the grace', open, 'window-1', END + GRACE, 'ok'],
    ['after the grace', open, 'window-1', END + GRACE + 1, 'tooLate'],
    ['no limit, years later', untimed, 'window-1', START + 1e12, 'ok'],
    ['another window', open, 'window-2', START + 1, 'takenOver'],
    ['no window named, but one has it', open, undefined, START + 1, 'takenOver'],
    ['no window named, none has it', { ...open, windowId: null }, undefined, START + 1, 'ok'],
    ['a window named, started without one', { ...open, windowId: null }, 'window-1', START + 1, 'takenOver'],
    ['handed in', handedIn, 'window-1', START + 40_000, 'alreadySubmitted'],
    ['handed in, long after the end', handedIn, 'window-1', END + 1e6, 'alreadySubmitted'],
    ['closed by time, arrived in the grace', timeUp, 'window-1', END + GRACE, 'tooLate'],
    ['handed in within the grace', { ...timeUp, submittedAt: END + 5 }, 'window-1', END + 6, 'tooLate'],
    ['closed by the server, arrived later', timeUp, 'window-1', END + GRACE + 1, 'tooLate'],
    ['closed unanswered, arrived later', { ...timeUp, closed: 'unanswered' }, 'window-1', END + 1e6, 'tooLate'],
    ['too late and another window', open, 'window-2', END + GRACE + 1, 'tooLate'],
  ])('%s', (_, attempt, windowId, now, expected) => {
    const may = mayChange(attempt, windowId, now);
    expect(may.ok ? 'ok' : may.why).toBe(expected);
  });
});

describe('mayMark', () => {
  it.each<[string, RecordBounds, string | undefined, number, string]>([
    ['in time', open, 'window-1', START + 1, 'ok'],
    ['in the last millisecond of the grace', open, 'window-1', END + GRACE, 'ok'],
    ['after the grace, not closed yet', open, 'window-1', END + GRACE + 1, 'tooLate'],
    ['another window while it is open', open, 'window-2', START + 1, 'takenOver'],
    ['no window named while one has it', open, undefined, START + 1, 'takenOver'],
    ['no limit, years later', untimed, 'window-1', START + 1e12, 'ok'],
    ['handed in', handedIn, 'window-1', START + 40_000, 'ok'],
    ['handed in, another window', handedIn, 'window-2', START + 40_000, 'ok'],
    ['handed in, no window named', handedIn, undefined, END + 1e9, 'ok'],
    ['closed by time', timeUp, 'window-1', END + 1e6, 'ok'],
    ['closed unanswered, another window', { ...timeUp, closed: 'unanswered' }, 'window-2', END + 1e6, 'ok'],
  ])('%s', (_, attempt, windowId, now, expected) => {
    const may = mayMark(attempt, windowId, now);
    expect(may.ok ? 'ok' : may.why).toBe(expected);
  });
});

describe('acceptAnswer', () => {
  const now = START + 1_000;
  it.each<[string, { answer: string; seq?: number }, StoredAnswer | null, object]>([
    ['first', { answer: 'A', seq: 1 }, null, { ok: true, write: true, stale: false, seq: 1 }],
    ['newer', { answer: 'B', seq: 6 }, stored(5), { ok: true, write: true, stale: false, seq: 6 }],
    [
      'newer, the same answer again',
      { answer: 'A', seq: 6 },
      stored(5),
      { ok: true, write: true, stale: false, seq: 6 },
    ],
    ['older (a late retry)', { answer: 'B', seq: 4 }, stored(5), { ok: true, write: false, stale: true, seq: 5 }],
    [
      'number 0, which is below every first one',
      { answer: 'A', seq: 0 },
      null,
      { ok: true, write: false, stale: true, seq: 0 },
    ],
    ['repeated', { answer: 'A', seq: 5 }, stored(5), { ok: true, write: false, stale: false, seq: 5 }],
    ['same number, another answer', { answer: 'B', seq: 5 }, stored(5), { ok: false, why: 'seqTaken' }],
    [
      'the highest there is room for',
      { answer: 'B', seq: highestSeq(now) },
      stored(5),
      { ok: true, write: true, stale: false, seq: highestSeq(now) },
    ],
    ['above it', { answer: 'B', seq: highestSeq(now) + 1 }, stored(5), { ok: false, why: 'badInput' }],
    ['cleared', { answer: '', seq: 6 }, stored(5), { ok: true, write: true, stale: false, seq: 6 }],
    [
      'after a mark without an answer',
      { answer: 'A', seq: 1 },
      stored(0, null),
      { ok: true, write: true, stale: false, seq: 1 },
    ],
    ['key shown', { answer: 'B', seq: 6 }, stored(5, 'A', now), { ok: false, why: 'answerShown' }],
    ['key shown, older save', { answer: 'B', seq: 4 }, stored(5, 'A', now), { ok: false, why: 'answerShown' }],
    [
      'key shown, repetition of the stored one',
      { answer: 'A', seq: 5 },
      stored(5, 'A', now),
      { ok: true, write: false, stale: false, seq: 5 },
    ],
    ['no number', { answer: 'B' }, stored(5), { ok: true, write: true, stale: false, seq: now }],
    [
      'no number after a high one',
      { answer: 'B' },
      stored(now + 50),
      { ok: true, write: true, stale: false, seq: now + 51 },
    ],
    [
      'number at the limit',
      { answer: 'B' },
      stored(Number.MAX_SAFE_INTEGER),
      { ok: true, write: false, stale: true, seq: Number.MAX_SAFE_INTEGER },
    ],
  ])('%s', (_, save, before, expected) => {
    expect(acceptAnswer(open, { ...save, windowId: 'window-1' }, before, now)).toEqual(expected);
  });

  it.each<[string, RecordBounds, { answer: string; seq?: number }, object]>([
    ['a repetition', open, { answer: 'A', seq: 5 }, { ok: true, write: false, stale: false, seq: 5 }],
    ['a repetition, closed by time', timeUp, { answer: 'A', seq: 5 }, { ok: true, write: false, stale: false, seq: 5 }],
    ['a repetition, handed in', handedIn, { answer: 'A', seq: 5 }, { ok: false, why: 'alreadySubmitted' }],
    ['another answer', open, { answer: 'B', seq: 5 }, { ok: false, why: 'tooLate' }],
    ['a newer one', timeUp, { answer: 'A', seq: 6 }, { ok: false, why: 'tooLate' }],
    ['without a number', timeUp, { answer: 'A' }, { ok: false, why: 'tooLate' }],
  ])('after the end: %s', (_, attempt, save, expected) => {
    expect(acceptAnswer(attempt, { ...save, windowId: 'window-1' }, stored(5), END + GRACE + 1)).toEqual(expected);
  });

  it('whatever order saves arrive in, and however often, the highest number is kept', () => {
    const saves = fc.uniqueArray(
      fc.record({ seq: fc.integer({ min: 1, max: 50 }), answer: fc.constantFrom('A', 'B', 'C', '') }),
      {
        selector: (save) => save.seq,
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(saves, fc.array(fc.nat(), { maxLength: 30 }), (all, again) => {
        const arrivals = [...all, ...again.map((at) => all[at % all.length])];
        let state: StoredAnswer | null = null;
        for (const save of arrivals) {
          if (!save) continue;
          const accepted = acceptAnswer(untimed, { ...save, windowId: 'window-1' }, state, now);
          if (accepted.ok && accepted.write) state = { answer: save.answer, seq: accepted.seq, shownAt: null };
          if (accepted.ok) expect(accepted.seq).toBeGreaterThanOrEqual(save.seq);
        }
        const newest = all.reduce((a, b) => (a.seq > b.seq ? a : b));
        expect(state).toMatchObject(newest);
      }),
    );
  });

  it('nothing is taken after end and grace, nothing after hand-in, at any time and number', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1 }), (after, seq) => {
        const save = { answer: 'A', seq, windowId: 'window-1' };
        expect(acceptAnswer(open, save, null, END + GRACE + 1 + after).ok).toBe(false);
        expect(acceptAnswer(handedIn, save, null, START + after).ok).toBe(false);
        expect(acceptAnswer(timeUp, save, null, START + after).ok).toBe(false);
      }),
    );
  });
});

it.each([
  ['open, in the grace', open, END + GRACE, false],
  ['open, just before the server closes', open, END + CLOSE_AFTER, false],
  ['open, over', open, END + CLOSE_AFTER + 1, true],
  ['handed in', handedIn, END + 1e6, false],
  ['no limit', untimed, END + 1e9, false],
])('isOverdue: %s', (_, attempt, now, expected) => {
  expect(isOverdue(attempt, now)).toBe(expected);
});

it('no save can still be taken from a record that is overdue', () => {
  fc.assert(
    fc.property(fc.integer({ min: START, max: END + 100_000 }), (now) => {
      if (isOverdue(open, now)) expect(mayChange(open, 'window-1', now).ok).toBe(false);
    }),
  );
});

it.each([
  ['before the end', open, true, START + 20_000, { closed: 'submitted', submittedAt: START + 20_000 }],
  ['before the end, empty', open, false, START + 20_000, { closed: 'submitted', submittedAt: START + 20_000 }],
  ['at the end', open, true, END, { closed: 'timeUp', submittedAt: END }],
  ['in the grace', open, true, END + 900, { closed: 'timeUp', submittedAt: END + 900 }],
  ['hours later', open, true, END + 7_200_000, { closed: 'timeUp', submittedAt: END }],
  ['at the end, empty', open, false, END, { closed: 'unanswered', submittedAt: END }],
  ['no limit', untimed, true, END + 1e9, { closed: 'submitted', submittedAt: END + 1e9 }],
])('closing: %s', (_, attempt, answered, now, expected) => {
  expect(closing(attempt, answered, now)).toEqual(expected);
});

it.each([
  ['timed', open, START + 45_400, 10, 45],
  ['timed, in the grace', open, END + 900, 0, 60],
  ['no limit, as reported', untimed, START + 86_400_000, 300, 300],
  ['no limit, reported more than the clock allows', untimed, START + 10_000, 300, 10],
  ['no limit, nothing reported', untimed, START + 10_000, 0, 10],
])('usedSeconds: %s', (_, attempt, submittedAt, reported, expected) => {
  expect(usedSeconds({ ...attempt, submittedAt }, reported)).toBe(expected);
});

it.each([
  ['more than before', 40, 60, 60, 100_000],
  ['less than before takes nothing back', 40, 30, 40, 100_000],
  ['in whole seconds', 0, 59.9, 59, 100_000],
  ['never more than the record has been open', 0, 300, 100, 100_000],
  ['a clock that went back', 40, 300, 40, -5_000],
])('notedSeconds: %s', (_, totalTime, counted, expected, after) => {
  expect(notedSeconds({ startedAt: START, totalTime }, counted, START + after)).toBe(expected);
});

it('highestSeq leaves room for the next number a moment later, and holds counts, milliseconds and microseconds', () => {
  const now = Date.UTC(2026, 10, 20);
  expect(highestSeq(now + 1)).toBeGreaterThan(highestSeq(now) + 500);
  // Microseconds of a clock that is ahead by less than a day.
  expect(highestSeq(now)).toBeGreaterThan((now + 23 * 3_600_000) * 1000);
  expect(Number.isSafeInteger(highestSeq(Date.UTC(2200, 0)))).toBe(true);
});
