import type { DataOf } from '#contract/call.ts';
import type { ResultTip } from '#contract/exam.ts';
import type { QuestionType } from './answer.ts';
import { addPoints, percentOf } from './scoring.ts';

/** What to work on next, as a code with its numbers; the browser words it and knows where it leads. */
export type NextStep = DataOf<typeof ResultTip>['steps'][number];

/** Points of a part of a record, with those of its questions that stand in the wrong-question list for it. */
interface PartScore {
  earned: number;
  total: number;
  /** What of `total` still waits for a score (待评分). */
  pending: number;
  wrong: readonly number[];
}

/** What a record says of its student. */
interface RecordFacts {
  /** Questions that wait for the student's own score. */
  pendingCount: number;
  chapters: readonly (PartScore & { chapterId: number; name: string; practiceId: number | null })[];
  types: readonly (PartScore & { questionTypesId: QuestionType })[];
}

/** What there is to do beside the record; asked for only where the record alone gives too little. */
interface OtherFacts {
  /** Questions in today's review of the pack. */
  review: number;
  /** The score, and what would be a pass; null: the record may not be sat again now, or its score is not the whole one. */
  again: { score: number; pass: number } | null;
  /** Chapter practices that the student never began, in their order. */
  newChapters: readonly { examId: number; chapterName: string; totalQuestion: number }[];
  /** Papers that the student never began. */
  newPapers: number;
  /** Questions in the wrong-question list of the pack, for whatever record. */
  wrongOfPack: number;
  /** Questions that a random paper can be drawn from. */
  bank: number;
}

/** So many steps are named: more is no advice, but a list. */
export const STEPS = 3;
/** Percent under which a chapter is worth another practice. A paper is worth another try as long as it is no pass. */
const PRACTISE_BELOW = 80;

/**
 * What to work on next after a record: three steps, the one that brings most points first (issue: "three concrete
 * links"). First what the record itself says: scores to give, the mistakes of the chapter that lost most, a practice of the
 * weakest chapter, the mistakes of the type that lost most. Then what waits beside it, and at last, after a record without a mistake, what
 * there is always to do: older mistakes, further chapters, a random paper. Fewer only where nothing more is true.
 * @param other left out: only what the record says
 */
export function nextSteps({ pendingCount, chapters, types }: RecordFacts, other?: OtherFacts): NextStep[] {
  const steps: NextStep[] = [];
  if (pendingCount > 0) steps.push({ code: 'score', count: pendingCount });
  const chapter = mostLost(chapters);
  if (chapter)
    steps.push({
      code: 'wrongOfChapter',
      chapterId: chapter.chapterId,
      chapterName: chapter.name,
      count: chapter.wrong.length,
      lost: lostOf(chapter),
    });
  const weak = weakest(chapters);
  if (weak) steps.push(weak);
  const type = mostLost(types);
  // The same questions once more are no second step.
  if (type && !sameQuestions(type.wrong, chapter?.wrong ?? []))
    steps.push({
      code: 'wrongOfType',
      questionTypesId: type.questionTypesId,
      count: type.wrong.length,
      lost: lostOf(type),
    });
  if (other) {
    if (other.review > 0) steps.push({ code: 'review', count: other.review });
    if (other.again !== null && other.again.score < other.again.pass) steps.push({ code: 'again', ...other.again });
    const [first, ...further] = other.newChapters.map((chapter): NextStep => ({ code: 'newChapter', ...chapter }));
    if (first) steps.push(first);
    if (other.newPapers > 0) steps.push({ code: 'newPaper', count: other.newPapers });
    // The list of the pack has those of the record, too.
    const named = new Set([...(chapter?.wrong ?? []), ...(type?.wrong ?? [])]);
    if (other.wrongOfPack > named.size) steps.push({ code: 'wrongOfPack', count: other.wrongOfPack });
    steps.push(...further);
    if (other.bank > 0) steps.push({ code: 'random', count: other.bank });
  }
  return steps.slice(0, STEPS);
}

function sameQuestions(one: readonly number[], other: readonly number[]): boolean {
  const [ones, others] = [new Set(one), new Set(other)];
  return ones.size === others.size && [...ones].every((id) => others.has(id));
}

const lostOf = ({ earned, total, pending }: PartScore) => addPoints([total, -pending, -earned]);

/** Of the parts that have mistakes to work off, the one that lost most. */
function mostLost<P extends PartScore>(parts: readonly P[]): P | undefined {
  return parts
    .filter((part) => part.wrong.length > 0 && lostOf(part) > 0)
    .sort((a, b) => lostOf(b) - lostOf(a) || b.wrong.length - a.wrong.length)[0];
}

/** A practice of the chapter with the lowest share, of two alike that with more points. */
function weakest(chapters: RecordFacts['chapters']): NextStep | null {
  const [chapter] = chapters
    .flatMap(({ name, practiceId, earned, total, pending }) => {
      const scored = addPoints([total, -pending]);
      const percent = percentOf(earned, scored);
      return practiceId === null || scored <= 0 || percent >= PRACTISE_BELOW
        ? []
        : [{ examId: practiceId, chapterName: name, percent, scored }];
    })
    .sort((a, b) => a.percent - b.percent || b.scored - a.scored);
  if (!chapter) return null;
  const { examId, chapterName, percent } = chapter;
  return { code: 'practise', examId, chapterName, percent };
}
