import { expect, it } from 'vitest';
import { countBelow } from './wrong-tree.ts';

const chapter = (id: number, parentId: number | null, level: number) => ({ id, name: `${id}`, parentId, level });

it('counts each chapter with what lies below it, and leaves out those without anything', () => {
  const chapters = [chapter(1, null, 1), chapter(2, 1, 2), chapter(3, 2, 3), chapter(4, 1, 2), chapter(5, null, 1)];
  const counts = new Map([
    [1, 1],
    [3, 4],
  ]);
  expect(countBelow(chapters, counts)).toEqual([
    {
      id: 1,
      name: '1',
      level: 1,
      count: 5,
      childes: [
        { id: 2, name: '2', level: 2, count: 4, childes: [{ id: 3, name: '3', level: 3, count: 4, childes: [] }] },
      ],
    },
  ]);
});
