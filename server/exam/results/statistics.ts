import type { DataOf } from '#contract/call.ts';
import type { ExamStatistics } from '#contract/exam.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { dateOf, dayOf } from '#rules/exam/schedule.ts';
import { percentOf } from '#rules/exam/scoring.ts';
import { listChapterTree, readChapterNames } from '#server/course/chapter-store.ts';
import type { StudyCount } from '../grading/study.ts';
import { readStudyDays } from '../grading/study-time-store.ts';
import type { VisibleGrades } from '../grading/visible-grades.ts';
import type { ExamParts } from '../parts.ts';

type Statistics = DataOf<typeof ExamStatistics>;

/** Records that the trend shows, and days of the calendar: 26 weeks. */
const RECORDS = 30;
const DAYS = 26 * 7;

/** A student's own figures of a pack. Everything is read from counters or a page of records, however much was answered. */
export async function readStatistics(
  parts: ExamParts,
  { userId, packId, now }: { userId: number; packId: number; now: number },
): Promise<Statistics> {
  const { query } = parts.db;
  const grades = parts.gradesFor(query, userId);
  const { counts, withheld } = await grades.studyCounts(packId);
  const byChapter = Map.groupBy(counts, ({ chapterId }) => chapterId);
  const inOrder = (await listChapterTree(query, packId)).map(({ id }) => id);
  // Those that the school has taken out stand at the end.
  const chapterIds = [...new Set([...inOrder, ...byChapter.keys()])].filter((id) => byChapter.has(id));
  const names = await readChapterNames(query, chapterIds);
  const days = await readStudyDays(query, { userId, packId, since: dayOf(now) - DAYS + 1 });
  return {
    packId,
    ...sumOf(counts),
    byChapter: chapterIds.map((chapterId) => ({
      chapterId,
      name: names.get(chapterId) ?? '',
      ...sumOf(byChapter.get(chapterId) ?? []),
    })),
    byType: grouped(counts, (count) => count.questionTypesId).map(([type, some]) => ({
      questionTypesId: type as QuestionType,
      ...sumOf(some),
    })),
    byDifficulty: grouped(counts, (count) => count.difficulty).map(([difficulty, some]) => ({
      difficulty,
      ...sumOf(some),
    })),
    records: await newestRecords(parts, grades, { userId, packId }),
    days: days.map(({ day, answered, seconds }) => ({ date: dateOf(day), answered, seconds })),
    withheld,
  };
}

async function newestRecords(
  { records }: ExamParts,
  grades: VisibleGrades,
  asked: { userId: number; packId: number },
): Promise<Statistics['records']> {
  const list = await records.list({ ...asked, state: 'closed' }, RECORDS, 0);
  const tallies = await grades.tallies(list);
  return list.reverse().flatMap((record) => {
    const tally = tallies.get(record.id);
    if (!tally || tally.withheld || record.submittedAt === null) return [];
    const { rightCount: right, wrongCount, score, pendingCount } = tally;
    if (right + wrongCount === 0) return [];
    return {
      recordId: record.id,
      examName: record.examName,
      kind: record.kind,
      submittedAt: record.submittedAt,
      graded: right + wrongCount,
      right,
      percent: percentOf(score, record.totalScore),
      pendingCount,
    };
  });
}

function grouped(counts: readonly StudyCount[], keyOf: (count: StudyCount) => number): [number, StudyCount[]][] {
  return [...Map.groupBy(counts, keyOf)].sort(([a], [b]) => a - b);
}

function sumOf(counts: readonly StudyCount[]) {
  const sum = { done: 0, right: 0, seconds: 0, total: 0, lost: 0 };
  for (const { done, right, seconds, points, lost } of counts) {
    sum.done += done;
    sum.right += right;
    sum.seconds += seconds;
    sum.total += points;
    sum.lost += lost;
  }
  return { ...sum, total: sum.total / 100, lost: sum.lost / 100 };
}
