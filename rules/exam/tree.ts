/** A chapter as it is stored: a row, in the order of the tree. */
export interface ChapterRow {
  id: number;
  name: string;
  courseId: number;
  parentId: number | null;
  level: number;
}

/** What is known of one chapter itself, without what lies below it. */
export interface ChapterFacts {
  totalQuestion: number;
  /** Questions that the student has answered at least once. */
  doneCount: number;
  graded: number;
  rightCount: number;
  /** The practice that stands at this chapter. */
  examId: number | null;
  /** The student's newest record of it. */
  record: { recordId: number; open: boolean } | null;
  /** A question of it is in a scored exam that the student sits right now: no right rate (decisions §3). */
  inOpenExam: boolean;
}

export interface TreeNode {
  id: number;
  name: string;
  courseId: number;
  packId: number;
  level: number;
  childes: TreeNode[];
  isShow: 0 | 1;
  totalQuestion: number;
  doneCount: number;
  /** 0 never opened · 1 in progress · 2 finished. */
  lastState: 0 | 1 | 2;
  rightRate: number | null;
  examId: number | null;
  recordId: number | null;
}

/** The facts of a chapter about which nothing is known. */
export const noFacts: Readonly<ChapterFacts> = {
  totalQuestion: 0,
  doneCount: 0,
  graded: 0,
  rightCount: 0,
  examId: null,
  record: null,
  inOpenExam: false,
};

interface Grown {
  node: TreeNode;
  graded: number;
  rightCount: number;
  inOpenExam: boolean;
}

/**
 * The chapter tree with its counts rolled up: a chapter counts its own questions and everything below it. Its last state
 * is that of its own practice; without one it is in progress when something below is begun, finished when all below is.
 * The chapter where the student was last (`lastChapterId`, else the first) is open on the screen with those above it.
 * A row whose parent is missing stands at the top.
 */
export function growTree(
  packId: number,
  rows: readonly ChapterRow[],
  facts: ReadonlyMap<number, ChapterFacts>,
  lastChapterId: number | null,
): TreeNode[] {
  const ids = new Set(rows.map((row) => row.id));
  const below = new Map<number | null, ChapterRow[]>();
  for (const row of rows) {
    const parent = row.parentId !== null && ids.has(row.parentId) ? row.parentId : null;
    const list = below.get(parent);
    if (list) list.push(row);
    else below.set(parent, [row]);
  }
  const shown = new Set<number>();
  const parents = new Map(rows.map((row) => [row.id, row.parentId]));
  for (let id = lastChapterId ?? rows[0]?.id ?? null; id !== null && !shown.has(id); id = parents.get(id) ?? null) {
    shown.add(id);
  }

  function grow(row: ChapterRow): Grown {
    const own = facts.get(row.id) ?? noFacts;
    const children = (below.get(row.id) ?? []).map(grow);
    const sum = (of: (child: Grown) => number, start: number) =>
      children.reduce((all, child) => all + of(child), start);
    const graded = sum((child) => child.graded, own.graded);
    const rightCount = sum((child) => child.rightCount, own.rightCount);
    const inOpenExam = own.inOpenExam || children.some((child) => child.inOpenExam);
    const childes = children.map((child) => child.node);
    return {
      graded,
      rightCount,
      inOpenExam,
      node: {
        id: row.id,
        name: row.name,
        courseId: row.courseId,
        packId,
        level: row.level,
        childes,
        isShow: shown.has(row.id) ? 1 : 0,
        totalQuestion: sum((child) => child.node.totalQuestion, own.totalQuestion),
        doneCount: sum((child) => child.node.doneCount, own.doneCount),
        lastState: own.record ? (own.record.open ? 1 : 2) : stateBelow(childes),
        rightRate: graded === 0 || inOpenExam ? null : rightCount / graded,
        examId: own.examId,
        recordId: own.record?.recordId ?? null,
      },
    };
  }
  return (below.get(null) ?? []).map((row) => grow(row).node);
}

function stateBelow(childes: readonly TreeNode[]): 0 | 1 | 2 {
  const withQuestions = childes.filter((child) => child.totalQuestion > 0);
  if (withQuestions.every((child) => child.lastState === 0)) return 0;
  return withQuestions.every((child) => child.lastState === 2) ? 2 : 1;
}
