import { expect, it } from 'vitest';
import { nextChapter, type TreeNode } from './next-chapter.ts';

const node = (id: number, examId: number | null, totalQuestion = 5, childes: TreeNode[] = []): TreeNode => ({
  id,
  name: `第 ${id} 章`,
  examId,
  totalQuestion,
  childes,
});
const tree = (...chapters: TreeNode[]) => ({ packName: '', courses: [{ courseId: 1, name: '', chapters }] });
type Tree = Parameters<typeof nextChapter>[0];
const of = (...chapters: TreeNode[]) => tree(...chapters) as unknown as Tree;

it.each([
  ['the next one', of(node(1, 11), node(2, 12)), 11, 2],
  ['the next with questions', of(node(1, 11), node(2, 12, 0), node(3, 13)), 11, 3],
  ['the next with a practice', of(node(1, 11), node(2, null), node(3, 13)), 11, 3],
  ['what lies below is part of it', of(node(1, 11, 9, [node(2, 12), node(3, 13)]), node(4, 14)), 11, 4],
  ['from a section to the next section', of(node(1, 11, 9, [node(2, 12), node(3, 13)]), node(4, 14)), 12, 3],
  ['from the last section to the next chapter', of(node(1, 11, 9, [node(2, 12)]), node(4, 14)), 12, 4],
  ['nothing behind the last', of(node(1, 11), node(2, 12)), 12, undefined],
  ['nothing for an exam that is no chapter', of(node(1, 11)), 99, undefined],
])('%s', (_, of, examId, id) => {
  expect(nextChapter(of, examId)?.id).toBe(id);
});

it('names the course of the next chapter where it is another one', () => {
  const both = {
    packName: '',
    courses: [
      { courseId: 1, name: '高等数学', chapters: [node(1, 11), node(2, 12)] },
      { courseId: 2, name: '线性代数', chapters: [node(3, 13)] },
    ],
  } as unknown as Tree;
  expect([nextChapter(both, 11)?.courseName, nextChapter(both, 12)?.courseName]).toEqual([null, '线性代数']);
});
