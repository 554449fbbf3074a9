import { describe, expect, it } from 'vitest';
import { chapterPractices, type PracticeChapter } from './chapter-practice.ts';

const chapter = (id: number, parentId: number | null): PracticeChapter => ({
  id,
  courseId: 1,
  parentId,
  slug: `c-${id}`,
  name: `第 ${id} 章`,
});
const inChapter = (chapterId: number, ...ids: number[]) =>
  ids.map((questionId) => ({ questionId, chapterId, score: questionId / 2 }));
const shown = (...input: Parameters<typeof chapterPractices>) =>
  chapterPractices(...input).map(({ chapter: { id }, position, questions }) => ({
    id,
    position,
    questions: questions.map(({ questionId }) => questionId),
  }));

describe('chapter practices', () => {
  it('hold the questions of a chapter and then those below it, in the order of the tree', () => {
    const chapters = [chapter(1, null), chapter(2, null), chapter(3, 1), chapter(4, 1), chapter(5, 3)];
    const questions = [...inChapter(4, 40), ...inChapter(5, 50, 51), ...inChapter(1, 10), ...inChapter(3, 30)];
    expect(shown(chapters, questions)).toEqual([
      { id: 5, position: 3, questions: [50, 51] },
      { id: 3, position: 2, questions: [30, 50, 51] },
      { id: 4, position: 4, questions: [40] },
      { id: 1, position: 1, questions: [10, 30, 50, 51, 40] },
    ]);
    expect(chapterPractices(chapters, questions)[0]?.questions).toEqual([
      { questionId: 50, score: 25 },
      { questionId: 51, score: 25.5 },
    ]);
  });

  it('are none for chapters without questions, which keep their place in the order', () => {
    expect(shown([chapter(1, null), chapter(2, null)], inChapter(2, 20))).toEqual([
      { id: 2, position: 2, questions: [20] },
    ]);
    expect(shown([], inChapter(9, 90))).toEqual([]);
  });

  it('stand at the top where the chapter above is archived', () => {
    expect(shown([chapter(2, 1)], inChapter(2, 20))).toEqual([{ id: 2, position: 1, questions: [20] }]);
  });
});
