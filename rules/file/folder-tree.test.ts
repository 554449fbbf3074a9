import { describe, expect, it } from 'vitest';
import { categoriesOf, lookInto } from './folder-tree.ts';

const folders = [
  { id: 1, parentId: null, name: '讲义' },
  { id: 2, parentId: 1, name: '第一章' },
  { id: 3, parentId: null, name: '图' },
  { id: 4, parentId: null, name: '空' },
];
const counts = [
  { folderId: null, fileGroup: 0 as const, files: 2, newest: 5 },
  { folderId: 1, fileGroup: 0 as const, files: 1, newest: 10 },
  { folderId: 2, fileGroup: 0 as const, files: 3, newest: 30 },
  { folderId: 2, fileGroup: 1 as const, files: 4, newest: 20 },
  { folderId: 3, fileGroup: 1 as const, files: 5, newest: 7 },
];

describe('what a folder shows', () => {
  it.each([
    [
      'the top',
      null,
      undefined,
      [
        [1, 8, 30],
        [3, 5, 7],
      ],
      2,
      [],
    ],
    ['the top, of documents', null, 0, [[1, 4, 30]], 2, []],
    [
      'the top, of images',
      null,
      1,
      [
        [1, 4, 20],
        [3, 5, 7],
      ],
      0,
      [],
    ],
    ['a folder', 1, undefined, [[2, 7, 30]], 1, ['讲义']],
    ['a folder in it, of images', 2, 1, [], 4, ['讲义', '第一章']],
    ['an empty one', 4, undefined, [], 0, ['空']],
  ] as const)('%s', (_, at, group, listed, files, above) => {
    const found = lookInto(folders, counts, at, group);
    expect(found?.folders.map(({ id, fileCount, updateTime }) => [id, fileCount, updateTime])).toEqual(listed);
    expect(found?.files).toBe(files);
    expect(found?.above.map(({ name }) => name)).toEqual(above);
  });

  it('is nothing where there is no such folder, and ends where folders stand in each other', () => {
    expect(lookInto(folders, counts, 9)).toBeNull();
    const ring = [
      { id: 1, parentId: 2, name: 'a' },
      { id: 2, parentId: 1, name: 'b' },
    ];
    expect(lookInto(ring, [{ folderId: 1, fileGroup: 0, files: 1, newest: 1 }], 1)?.folders).toHaveLength(1);
  });
});

it('categories are the folders at the top that hold something, and what stands in none', () => {
  expect(categoriesOf(folders, counts, { loose: '其他' })).toEqual([
    { id: 0, name: '其他' },
    { id: 1, name: '讲义' },
    { id: 3, name: '图' },
  ]);
  expect(categoriesOf(folders, counts.slice(1), { loose: '其他' }).map(({ id }) => id)).toEqual([1, 3]);
  expect(categoriesOf([], [], { loose: '其他' })).toEqual([]);
});
