import { beforeEach, expect, it, vi } from 'vitest';
import { keepMarks, keptMarks } from './kept-marks.ts';

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    },
  });
});

const marks = (...of: [number, boolean][]) => new Map(of);
const kept = (recordId: number) => [...keptMarks(recordId)].sort();

it('a mark is kept until the server has it, by record', () => {
  keepMarks(9, marks(), marks([11, true]));
  keepMarks(9, marks([11, true]), marks([11, true], [12, false]));
  keepMarks(8, marks(), marks([11, false]));
  expect(kept(9)).toEqual([
    [11, true],
    [12, false],
  ]);
  keepMarks(9, marks([11, true], [12, false]), marks([12, false]));
  expect([kept(9), kept(8)]).toEqual([[[12, false]], [[11, false]]]);
  keepMarks(9, marks([12, false]), marks());
  keepMarks(8, marks([11, false]), marks());
  expect(stored.size, 'nothing is left').toBe(0);
});

it('an answer that comes late undoes nothing that was marked since', () => {
  keepMarks(9, marks(), marks([11, true]));
  keepMarks(9, marks(), marks([11, false]));
  keepMarks(9, marks([11, true]), marks());
  expect(kept(9)).toEqual([[11, false]]);
});

it('what is not as it was written counts as nothing', () => {
  stored.set('lixue.exam.marks', '[{"recordId":9,"questionId":"11","flag":true},null]');
  expect(kept(9)).toEqual([]);
  stored.set('lixue.exam.marks', '{');
  expect(kept(9)).toEqual([]);
});
