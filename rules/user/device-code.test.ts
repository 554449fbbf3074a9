import { expect, it } from 'vitest';
import { deviceCodeTurns, digitsOf, readDeviceCode } from './device-code.ts';

const MINUTE = 60_000;

it('a code is taken for ten to twenty minutes', () => {
  const { newest, until } = deviceCodeTurns(1000 * MINUTE);
  expect(until).toBe(1020 * MINUTE);
  expect(deviceCodeTurns(until - 1).taken).toContain(newest);
  expect(deviceCodeTurns(until).taken).not.toContain(newest);
});

it.each([
  [0n, '00000000'],
  [7n, '00000007'],
  [123_456_789_012n, '56789012'],
])('%s gives %s', (signed, digits) => expect(digitsOf(signed)).toBe(digits));

it.each([
  ['1234 5678', '12345678'],
  ['１２３４-5678 ', '12345678'],
  ['', ''],
])('%s is read as %s', (typed, read) => expect(readDeviceCode(typed)).toBe(read));
