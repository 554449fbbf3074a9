import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { batches, inLists } from './batches.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('a list cut for statements', () => {
  it('keeps its order, and each piece is as long as a statement takes', () => {
    expect([...batches(numbers(5), 2)]).toEqual([[0, 1], [2, 3], [4]]);
    expect([...batches([])]).toEqual([]);
    expect([...batches(numbers(1001))].map(({ length }) => length)).toEqual([500, 500, 1]);
  });

  it('for `in (…)` names every value, in lists of few lengths', () => {
    expect([...inLists([])]).toEqual([]);
    expect([...inLists([7, 8, 9])]).toEqual([[7, 8, 9, 9]]);
    const lists = [...inLists(numbers(2005))];
    expect(lists.map(({ length }) => length)).toEqual([1024, 1024, 16]);
    expect([...new Set(lists.flat())]).toEqual(numbers(2005));
  });

  it('is cut here and in no store', () => {
    const stores = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /[/-]store\.ts$/.test(name))
      .map((name) => join(import.meta.dirname, '..', name));
    expect(stores.length).toBeGreaterThan(10);
    expect(stores.filter((file) => /\.slice\((\w+), \1 \+/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
