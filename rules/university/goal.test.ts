import { describe, expect, it } from 'vitest';
import { chooseCompared, nearestExam } from './goal.ts';

describe('comparison', () => {
  it.each([
    [[], { ok: true, ids: [] }],
    [[3, 1, 2], { ok: true, ids: [3, 1, 2] }],
    [[3, 3, 1, 3], { ok: true, ids: [3, 1] }],
    [[1, 2, 3, 4], { ok: false, why: 'compareFull' }],
    [[1, 2, 3, 3, 2, 1], { ok: true, ids: [1, 2, 3] }],
  ])('%j', (ids, decided) => {
    expect(chooseCompared(ids)).toEqual(decided);
  });
});

describe('nearest exam', () => {
  const pack = (packId: number, examDate: string | null) => ({ packId, packageName: `包${packId}`, examDate });
  it.each([
    [[], null],
    [[pack(1, null)], null],
    [[pack(1, '2026-11-19')], null],
    [[pack(1, '2026-11-20')], 1],
    [[pack(1, '2027-06-07'), pack(2, '2026-12-19'), pack(3, '2026-11-01'), pack(4, null)], 2],
    [[pack(1, '2026-12-19'), pack(2, '2026-12-19')], 1],
  ])('%j', (packs, packId) => {
    expect(nearestExam(packs, '2026-11-20')?.packId ?? null).toBe(packId);
  });
});
