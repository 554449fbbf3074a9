import { beforeEach, expect, it, vi } from 'vitest';
import { forgetPlace, type Place, recallPlace, rememberPlace, whereOneWas } from './place.ts';
import { answer, paper } from './session.test-kit.ts';

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

const place = (questionId: number, seq: number): Place => ({ recordId: 9, questionId, seq });
const local = (questionId: number, seq: number) => ({ questionId, answer: 'A', seq });

it.each([
  ['nothing is known', [], [], null, 0],
  ['it was left at a question, nothing answered', [], [], place(14, 0), 3],
  ['another device: the newest change', [answer(11, 'A', 20), answer(13, 'A', 30), answer(12, 'A', 25)], [], null, 2],
  ['another device: clearing is a change too', [answer(11, 'A', 20), answer(13, '', 30)], [], null, 2],
  ['a mark alone is none', [answer(13, '', 0, { flag: 1 })], [], null, 0],
  ['a crash: what is unsent here is newer', [answer(11, 'A', 20)], [local(15, 40)], null, 4],
  ['left here after the newest change', [answer(11, 'A', 20)], [], place(14, 20), 3],
  ['left here with a change that is not sent', [answer(11, 'A', 20)], [local(12, 40)], place(14, 40), 3],
  ['answered elsewhere since', [answer(11, 'A', 20), answer(15, 'A', 50)], [], place(14, 20), 4],
  ['the question was removed by the school', [answer(12, 'A', 20)], [], place(99, 20), 1],
  ['both were removed', [answer(99, 'A', 20)], [], place(98, 20), 0],
] as const)('%s', (_, answers, unsent, remembered, index) => {
  const snapshot = { answers: [...answers], place: null, totalTime: 0 };
  expect(whereOneWas(paper, snapshot, [...unsent], remembered)).toBe(index);
});

it.each([
  ['another browser', { questionId: 13, seq: 20 }, 50, null, 2],
  ['this one left it before', { questionId: 13, seq: 20 }, 50, { ...place(14, 20), spent: 40 }, 2],
  [
    'this one left it then, or later without a network',
    { questionId: 13, seq: 20 },
    50,
    { ...place(14, 20), spent: 50 },
    3,
  ],
  [
    'this one left it later, and has changed something',
    { questionId: 13, seq: 20 },
    50,
    { ...place(14, 21), spent: 51 },
    3,
  ],
  ['answered since, untold', { questionId: 13, seq: 19 }, 50, null, 0],
  ['answered since, and read on here', { questionId: 13, seq: 19 }, 50, { ...place(14, 20), spent: 40 }, 3],
  ['the question was removed by the school', { questionId: 99, seq: 20 }, 50, null, 0],
] as const)('the server was told of a place: %s', (_, told, totalTime, remembered, index) => {
  const snapshot = { answers: [answer(11, 'A', 20)], place: told, totalTime };
  expect(whereOneWas(paper, snapshot, [], remembered)).toBe(index);
});

it('a place is remembered for each record, the latest thirty, and forgotten', () => {
  for (let recordId = 1; recordId <= 31; recordId++) rememberPlace({ recordId, questionId: recordId * 10, seq: 1 });
  expect(recallPlace(1)).toBeNull();
  expect(recallPlace(2)).toEqual({ recordId: 2, questionId: 20, seq: 1 });
  rememberPlace({ recordId: 2, questionId: 21, seq: 5 });
  expect(recallPlace(2)).toEqual({ recordId: 2, questionId: 21, seq: 5 });
  forgetPlace(2);
  expect([recallPlace(2), recallPlace(3)?.questionId]).toEqual([null, 30]);
  for (let recordId = 3; recordId <= 31; recordId++) forgetPlace(recordId);
  expect(stored.size, 'nothing stays').toBe(0);
});

it.each(['', '{', 'null', '7', '[null, 3, {"recordId": 9}, {"recordId": "9", "questionId": 1, "seq": 1}]'])(
  'what is not a place counts as nothing: %s',
  (text) => {
    stored.set('lixue.exam.places', text);
    expect(recallPlace(9)).toBeNull();
    rememberPlace(place(11, 1));
    expect(recallPlace(9)).toEqual(place(11, 1));
  },
);
