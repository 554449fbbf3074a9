import { addPoints } from '#rules/exam/scoring.ts';
import { PairMap } from '../pair-map.ts';
import type { ContentQuestion } from '../paper/content.ts';

/** Which counters an answer belongs to. */
type CountedQuestion = Pick<ContentQuestion, 'questionId' | 'keyVersion' | 'chapterId'>;

/**
 * Increments of the counters that hang on correctness: how questions fared with everybody, a student in a chapter, all
 * takers in a chapter of an exam. They are written in the transaction that grades, never before.
 */
export class StatisticChanges {
  /** By question and version of its key: how often it was taken, and how often it was right. */
  readonly questions = new PairMap<{ taken: number; right: number }>();
  /** By exam and chapter: points that were earned, and that there were. */
  readonly chapters = new PairMap<{ earned: number; total: number }>();
  /** By student and chapter: answers that were graded, and that were right. */
  readonly progress = new PairMap<{ graded: number; right: number }>();

  /** Counts one graded answer for its question and for the student's chapter. */
  countAnswer(userId: number, question: CountedQuestion, right: boolean): void {
    this.#addAnswer(userId, question, 1, right ? 1 : 0);
  }

  /** Takes back what `countAnswer` counted. */
  uncountAnswer(userId: number, question: CountedQuestion, right: boolean): void {
    this.#addAnswer(userId, question, -1, right ? -1 : 0);
  }

  /** Moves an answer that was counted before from wrong to right (1), or back (-1), or nowhere (0). */
  changeAnswer(userId: number, question: CountedQuestion, right: number): void {
    this.#addAnswer(userId, question, 0, right);
  }

  /** Counts points of one question into the comparison by chapter. */
  countPoints(examId: number, chapterId: number, earned: number, total: number): void {
    const chapter = this.chapters.get(examId, chapterId);
    if (chapter) {
      chapter.earned = addPoints([chapter.earned, earned]);
      chapter.total = addPoints([chapter.total, total]);
    } else this.chapters.set(examId, chapterId, { earned, total });
  }

  #addAnswer(
    userId: number,
    { questionId, keyVersion, chapterId }: CountedQuestion,
    count: -1 | 0 | 1,
    right: number,
  ): void {
    const question = this.questions.get(questionId, keyVersion);
    if (question) {
      question.taken += count;
      question.right += right;
    } else this.questions.set(questionId, keyVersion, { taken: count, right });
    const progress = this.progress.get(userId, chapterId);
    if (progress) {
      progress.graded += count;
      progress.right += right;
    } else this.progress.set(userId, chapterId, { graded: count, right });
  }
}
