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

const flags = (...of: [number, boolean][]) => ({ flag: new Map(of), guess: new Map() });
const guesses = (...of: [number, boolean][]) => ({ flag: new Map(), guess: new Map(of) });
const kept = (recordId: number) => [...keptMarks(recordId).flag].sort();
const keptGuesses = (recordId: number) => [...keptMarks(recordId).guess].sort();

it('a mark is kept until the server has it, by record', () => {
  keepMarks(9, flags(), flags([11, true]));
  keepMarks(9, flags([11, true]), flags([11, true], [12, false]));
  keepMarks(8, flags(), flags([11, false]));
  expect(kept(9)).toEqual([
    [11, true],
    [12, false],
  ]);
  keepMarks(9, flags([11, true], [12, false]), flags([12, false]));
  expect([kept(9), kept(8)]).toEqual([[[12, false]], [[11, false]]]);
  keepMarks(9, flags([12, false]), flags());
  keepMarks(8, flags([11, false]), flags());
  expect(stored.size, 'nothing is left').toBe(0);
});

it('two kinds of marks of one question stand beside each other', () => {
  keepMarks(9, flags(), flags([11, true]));
  keepMarks(9, guesses(), guesses([11, false]));
  expect([kept(9), keptGuesses(9)]).toEqual([[[11, true]], [[11, false]]]);
  keepMarks(9, flags([11, true]), flags());
  expect([kept(9), keptGuesses(9)]).toEqual([[], [[11, false]]]);
});

it('an answer that comes late undoes nothing that was marked since', () => {
  keepMarks(9, flags(), flags([11, true]));
  keepMarks(9, flags(), flags([11, false]));
  keepMarks(9, flags([11, true]), flags());
  expect(kept(9)).toEqual([[11, false]]);
});

it('what an earlier version kept is there', () => {
  stored.set('lixue.exam.marks', '[{"recordId":9,"questionId":11,"flag":true}]');
  expect([kept(9), keptGuesses(9)]).toEqual([[[11, true]], []]);
});

it('what is not as it was written counts as nothing', () => {
  stored.set(
    'lixue.exam.marks',
    '[{"recordId":9,"questionId":"11","flag":true},{"recordId":9,"questionId":11,"guess":1},null]',
  );
  expect([kept(9), keptGuesses(9)]).toEqual([[], []]);
  stored.set('lixue.exam.marks', '{');
  expect(kept(9)).toEqual([]);
});
