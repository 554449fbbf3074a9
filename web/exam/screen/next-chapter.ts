import type { Data } from '#web/lib/send.ts';

type Tree = Data<'GET /app/question/index'>;
/** The part of a chapter node that is needed here, at every level. */
export interface TreeNode {
  id: number;
  name: string;
  examId: number | null;
  totalQuestion: number;
  childes: readonly (TreeNode | null)[];
}

/** All chapters of the pack in reading order, parents before their children. */
function chaptersOf(tree: Tree): TreeNode[] {
  const all: TreeNode[] = [];
  const walk = (nodes: readonly (TreeNode | null)[]) => {
    for (const node of nodes) {
      if (node === null) continue;
      all.push(node);
      walk(node.childes);
    }
  };
  for (const course of tree.courses) walk(course.chapters);
  return all;
}

/** A chapter to go on with. */
interface NextChapter extends TreeNode {
  /** Its course, where that is another one than before; else null. */
  courseName: string | null;
}

/**
 * The practice after `examId` in reading order that has questions, or null at the end. What lies below the current
 * chapter is skipped: its questions were part of it.
 */
export function nextChapter(tree: Tree, examId: number): NextChapter | null {
  const all = chaptersOf(tree);
  const at = all.findIndex((node) => node.examId === examId);
  const here = all[at];
  if (!here) return null;
  const inside = new Set<TreeNode>();
  const collect = (node: TreeNode) => {
    for (const child of node.childes) {
      if (child === null) continue;
      inside.add(child);
      collect(child);
    }
  };
  collect(here);
  const next = all.slice(at + 1).find((node) => node.examId !== null && node.totalQuestion > 0 && !inside.has(node));
  if (!next) return null;
  const courseOf = (chapter: TreeNode) =>
    tree.courses.find((course) => chaptersOf({ ...tree, courses: [course] }).includes(chapter));
  const course = courseOf(next);
  return { ...next, courseName: course && course !== courseOf(here) ? course.name : null };
}
