import type { ChapterRow } from './tree.ts';

interface CountedChapter {
  id: number;
  name: string;
  level: number;
  /** With everything below it. */
  count: number;
  childes: CountedChapter[];
}

/**
 * The chapters of a course that have something to count, as a tree; each with what lies below it.
 * @param chapters in the order of the tree @param counts of each chapter itself, by id
 */
export function countBelow(
  chapters: readonly Omit<ChapterRow, 'courseId'>[],
  counts: ReadonlyMap<number, number>,
): CountedChapter[] {
  const byParent = Map.groupBy(chapters, ({ parentId }) => parentId);
  const grow = (parentId: number | null): CountedChapter[] =>
    (byParent.get(parentId) ?? []).flatMap(({ id, name, level }) => {
      const childes = grow(id);
      const count = childes.reduce((sum, child) => sum + child.count, counts.get(id) ?? 0);
      return count === 0 ? [] : [{ id, name, level, count, childes }];
    });
  return grow(null);
}
