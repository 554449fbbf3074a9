/** A chapter as far as its practice needs it; `parentId` null: it stands at the top of its course. */
export interface PracticeChapter {
  id: number;
  courseId: number;
  parentId: number | null;
  slug: string;
  name: string;
}

/** A question with the chapter it stands in and the points it gives outside a paper. */
export interface PlacedQuestion {
  questionId: number;
  chapterId: number;
  score: number;
}

/** The practice of one chapter: its own questions, then those of the chapters below. */
export interface ChapterPractice {
  chapter: PracticeChapter;
  /** From 1, in the order of the tree; chapters without questions have a place in it too. */
  position: number;
  questions: { questionId: number; score: number }[];
}

/** @returns above: a chapter and those that it stands in; among: the highest of them and all that stand in it */
export function aroundChapter(
  chapters: readonly PracticeChapter[],
  chapterId: number,
): { above: Set<number>; among: number[] } {
  const known = new Map(chapters.map((chapter) => [chapter.id, chapter]));
  const wayUp = (id: number): number[] => {
    const chapter = known.get(id);
    return chapter ? [id, ...wayUp(chapter.parentId ?? 0)] : [];
  };
  const above = wayUp(chapterId);
  const top = above.at(-1);
  return { above: new Set(above), among: chapters.filter(({ id }) => wayUp(id).at(-1) === top).map(({ id }) => id) };
}

interface Node {
  chapter: PracticeChapter;
  below: Node[];
  own: ChapterPractice['questions'];
}

/**
 * Which chapter practices a pack has: every chapter with questions in it or below it has one.
 * @param chapters those of one parent in their order
 * @param questions in their order; those of a chapter that is not among the chapters are left out
 * @returns a chapter's practice behind those of the chapters below it
 */
export function chapterPractices(
  chapters: readonly PracticeChapter[],
  questions: readonly PlacedQuestion[],
): ChapterPractice[] {
  const nodes = new Map<number, Node>(chapters.map((chapter) => [chapter.id, { chapter, below: [], own: [] }]));
  const top: Node[] = [];
  for (const node of nodes.values()) (nodes.get(node.chapter.parentId ?? 0)?.below ?? top).push(node);
  for (const { questionId, chapterId, score } of questions) nodes.get(chapterId)?.own.push({ questionId, score });

  const practices: ChapterPractice[] = [];
  let position = 0;
  function collect({ chapter, below, own }: Node): ChapterPractice['questions'] {
    position += 1;
    const practice: ChapterPractice = { chapter, position, questions: [...own] };
    for (const node of below) for (const question of collect(node)) practice.questions.push(question);
    if (practice.questions.length > 0) practices.push(practice);
    return practice.questions;
  }
  for (const node of top) collect(node);
  return practices;
}
