import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EASIEST, HARDEST, hasZeroBits, type Pressure, workBits, workText } from './work.ts';

const none: Pressure = { number: 0, failures: 0, tickets: 0, sent: 0 };

describe('workBits', () => {
  it.each<[string, Partial<Pressure>, number]>([
    ['nothing happened', {}, EASIEST],
    ['somebody mistyped three times', { number: 3 }, EASIEST],
    ['the fourth failure', { number: 4 }, 14],
    ['a number under attack', { number: 60 }, HARDEST],
    ['more of it', { number: 100_000 }, HARDEST],
    ['typing errors of a campus', { failures: 49 }, EASIEST],
    ['1,100 wrong codes from an address', { failures: 1100 }, 19],
    ['a class signs in within the minute', { tickets: 59 }, EASIEST],
    ['a campus does', { tickets: 600 }, 17],
    ['a tenth of the codes of an address', { sent: 0.1 }, 14],
    ['all of them', { sent: 1 }, HARDEST],
    ['the hardest reason counts', { number: 8, failures: 50, sent: 0.5 }, 18],
  ])('%s', (_what, pressure, bits) => expect(workBits({ ...none, ...pressure })).toBe(bits));

  it('never falls as anything grows', () => {
    const count = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(count, count, fc.constantFrom('number', 'failures', 'tickets', 'sent'), (less, more, reason) => {
        const of = (value: number) => workBits({ ...none, [reason]: reason === 'sent' ? value / 2000 : value });
        expect(of(less + more)).toBeGreaterThanOrEqual(of(less));
        expect(of(less)).toBeLessThanOrEqual(HARDEST);
      }),
    );
  });
});

describe('hasZeroBits', () => {
  it.each<[number[], number, boolean]>([
    [[0xff], 0, true],
    [[0x80], 1, false],
    [[0x7f], 1, true],
    [[0x01, 0xff], 7, true],
    [[0x01, 0xff], 8, false],
    [[0x00, 0xff], 8, true],
    [[0x00, 0x0f], 12, true],
    [[0x00, 0x1f], 12, false],
    [[0x00, 0x00, 0x07], 21, true],
    [[0x00, 0x00, 0x08], 21, false],
  ])('%j has %i: %s', (bytes, bits, has) => expect(hasZeroBits(Uint8Array.from(bytes), bits)).toBe(has));
});

it('seed and number fit one block of SHA-256 (55 bytes)', () => {
  expect(workText('a'.repeat(43), 99_999_999_999).length).toBeLessThanOrEqual(55);
});
