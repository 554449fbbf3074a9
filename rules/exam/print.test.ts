import { describe, expect, it } from 'vitest';
import { mayPrint, type PrintFacts } from './print.ts';

const open = { submittedAt: null };
const closed = { submittedAt: 5 };
const [withKeys, without] = [
  { ok: true, keys: true },
  { ok: true, keys: false },
];
const notYet = { ok: false, why: 'printAfterStart' };
const none = { ok: false, why: 'notFound' };

describe('a paper is printed', () => {
  it.each<[string, Partial<PrintFacts>, object]>([
    ['practice, never begun', { kind: 'chapter' }, withKeys],
    ['practice, in progress', { kind: 'afterclass', record: open }, withKeys],
    ['mock, never begun', { kind: 'mock' }, notYet],
    ['past paper, never begun', { kind: 'past' }, notYet],
    ['mock, in progress', { kind: 'mock', record: open }, without],
    ['mock, handed in', { kind: 'mock', record: closed }, withKeys],
    ['timed test, handed in', { kind: 'timed', record: closed }, withKeys],
    ['mock, by a teacher', { kind: 'mock', teacher: true }, withKeys],
    ['own practice', { kind: 'own', of: 'me' }, withKeys],
    ['random paper, never begun', { kind: 'random', of: 'me' }, without],
    ['random paper, in progress', { kind: 'random', of: 'me', record: open }, without],
    ['random paper, handed in', { kind: 'random', of: 'me', record: closed }, withKeys],
    ['random paper of a teacher’s own, never begun', { kind: 'random', of: 'me', teacher: true }, without],
    ['random paper of somebody else', { kind: 'random', of: 'somebodyElse' }, none],
    ['own practice of a student, by a teacher', { kind: 'own', of: 'somebodyElse', teacher: true }, none],
  ])('%s', (_, facts, may) => {
    expect(mayPrint({ kind: 'mock', of: 'school', teacher: false, record: null, ...facts })).toEqual(may);
  });
});
