/**
 * What course shows of exams. Course knows no exam: exam uses course, so server/app.ts passes exam's functions in.
 * Where packs are named, only those are counted.
 */
export interface ExamCounts {
  /** Questions on offer, by pack. */
  questionsByPack(packIds?: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Mock, past and timed papers on offer, by pack. */
  papersByPack(packIds?: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Questions that a student has answered at least once, by pack. */
  answeredByPack(userId: number, packIds?: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Questions on offer in a pack, by chapter. */
  questionsByChapter(packId: number): Promise<ReadonlyMap<number, number>>;
}

/** What course shows of lessons; play uses course, so it is passed in as well. */
interface LessonCounts {
  /** Lessons on offer, by pack. */
  lessonsByPack(packIds?: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

/** What course shows of other features. */
export type PackCounts = ExamCounts & LessonCounts;

/** Whether a student has sat an exam of one of these packs: what they saw then stays open to them. */
export type HasRecord = (userId: number, packIds: readonly number[]) => Promise<boolean>;
