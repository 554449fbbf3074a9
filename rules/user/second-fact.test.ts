import { expect, it } from 'vitest';
import { needsSecondFact } from './second-fact.ts';

const DAY = 86_400_000;
const NOW = 1000 * DAY;

it.each([
  [{ lastUsedAt: 0, knownDevice: false }, false],
  [{ lastUsedAt: NOW - 90 * DAY, knownDevice: false }, false],
  [{ lastUsedAt: NOW - 90 * DAY - 1, knownDevice: false }, true],
  [{ lastUsedAt: NOW - 90 * DAY - 1, knownDevice: true }, false],
  [{ lastUsedAt: 1, knownDevice: false }, true],
  [{ lastUsedAt: NOW + DAY, knownDevice: false }, false],
])('%j: %s', (of, needed) => expect(needsSecondFact({ ...of, now: NOW })).toBe(needed));
