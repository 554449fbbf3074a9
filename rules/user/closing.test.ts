import { expect, it } from 'vitest';
import { closesAt, mayClose } from './closing.ts';

it('gives fifteen days', () => expect(closesAt(1000)).toBe(1000 + 15 * 24 * 3600 * 1000));

it.each([
  ['student', 0, true],
  ['teacher', 0, false],
  ['teacher', 1, true],
] as const)('%s with %i other teachers: %s', (role, otherTeachers, may) =>
  expect(mayClose({ role, otherTeachers })).toBe(may),
);
