import { describe, expect, it } from 'vitest';
import { type ChapterFacts, type ChapterRow, growTree, noFacts, type TreeNode } from './tree.ts';

const row = (id: number, parentId: number | null, level: number): ChapterRow => ({
  id,
  name: `c${id}`,
  courseId: 1,
  parentId,
  level,
});
const rows = [row(1, null, 1), row(2, 1, 2), row(3, 2, 3), row(4, 1, 2), row(5, null, 1)];
const facts = (some: Partial<ChapterFacts>): ChapterFacts => ({ ...noFacts, ...some });

function find(nodes: readonly TreeNode[], id: number): TreeNode {
  for (const node of nodes) {
    if (node.id === id) return node;
    const below = node.childes.length > 0 ? find(node.childes, id) : null;
    if (below?.id === id) return below;
  }
  return nodes[0] as TreeNode;
}

describe('growTree', () => {
  it('rolls counts up', () => {
    const tree = growTree(
      9,
      rows,
      new Map([
        [1, facts({ totalQuestion: 1, doneCount: 1, graded: 2, rightCount: 1 })],
        [3, facts({ totalQuestion: 10, doneCount: 4, graded: 4, rightCount: 2 })],
        [4, facts({ totalQuestion: 5 })],
      ]),
      null,
    );
    expect(tree.map((node) => node.id)).toEqual([1, 5]);
    expect(find(tree, 1)).toMatchObject({ totalQuestion: 16, doneCount: 5, rightRate: 0.5, level: 1, packId: 9 });
    expect(find(tree, 2)).toMatchObject({ totalQuestion: 10, doneCount: 4, rightRate: 0.5 });
    expect(find(tree, 4)).toMatchObject({ totalQuestion: 5, doneCount: 0, rightRate: null });
    expect(find(tree, 5)).toMatchObject({ totalQuestion: 0, childes: [] });
  });

  const done = { recordId: 1, open: false };
  const begun = { recordId: 2, open: true };
  it.each<[string, [number, Partial<ChapterFacts>][], number, 0 | 1 | 2]>([
    ['nothing begun', [[3, { totalQuestion: 1 }]], 1, 0],
    ['own practice open', [[1, { totalQuestion: 1, record: begun }]], 1, 1],
    [
      'own practice finished, something below open',
      [
        [1, { record: done }],
        [3, { totalQuestion: 1, record: begun }],
      ],
      1,
      2,
    ],
    ['something below open', [[3, { totalQuestion: 1, record: begun }]], 1, 1],
    [
      'one of two below finished',
      [
        [3, { totalQuestion: 1, record: done }],
        [4, { totalQuestion: 1 }],
      ],
      1,
      1,
    ],
    [
      'all below finished',
      [
        [3, { totalQuestion: 1, record: done }],
        [4, { totalQuestion: 1, record: done }],
      ],
      1,
      2,
    ],
    [
      'chapters without questions do not count',
      [
        [3, { totalQuestion: 1, record: done }],
        [4, {}],
      ],
      1,
      2,
    ],
  ])('last state: %s', (_, given, id, expected) => {
    const tree = growTree(9, rows, new Map(given.map(([at, some]) => [at, facts(some)])), null);
    expect(find(tree, id).lastState).toBe(expected);
  });

  it('a right rate is withheld where a question is in an open exam, and in everything above', () => {
    const right = { totalQuestion: 1, graded: 1, rightCount: 1 };
    const tree = growTree(
      9,
      rows,
      new Map([
        [3, facts({ ...right, inOpenExam: true })],
        [4, facts(right)],
        [5, facts(right)],
      ]),
      null,
    );
    expect([1, 2, 3, 4, 5].map((id) => find(tree, id).rightRate)).toEqual([null, null, null, 1, 1]);
  });

  it('opens the way to where the student was last', () => {
    const open = (last: number | null) => {
      const tree = growTree(9, rows, new Map(), last);
      return rows.map(({ id }) => id).filter((id) => find(tree, id).isShow === 1);
    };
    expect(open(3)).toEqual([1, 2, 3]);
    expect(open(5)).toEqual([5]);
    expect(open(null)).toEqual([1]);
  });

  it('says which practice stands at a chapter, and the newest record of it', () => {
    const tree = growTree(9, rows, new Map([[3, facts({ examId: 7, record: begun })]]), null);
    expect(find(tree, 3)).toMatchObject({ examId: 7, recordId: 2 });
    expect(find(tree, 1)).toMatchObject({ examId: null, recordId: null });
  });

  it('ends although two chapters stand under each other', () => {
    expect(growTree(9, [row(1, 2, 1), row(2, 1, 2)], new Map(), 2)).toEqual([]);
  });

  it('loses no chapter when a parent is missing, and takes an empty pack', () => {
    expect(growTree(9, [row(7, 99, 2)], new Map(), null).map((node) => node.id)).toEqual([7]);
    expect(growTree(9, [], new Map(), null)).toEqual([]);
  });
});
