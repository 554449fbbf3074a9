import type { DataOf } from '#contract/call.ts';
import type { ListExams } from '#contract/exam.ts';
import { questionModes } from '#contract/values/exam.ts';
import { retakeState } from '#rules/exam/retake.ts';
import { examModeOf } from '#rules/exam/reveal.ts';
import { retakeRuleOf } from '../paper/retake-store.ts';
import type { ExamParts } from '../parts.ts';
import type { RecordView } from '../record/store.ts';
import { countTakers, listPapers, type PaperFilter } from './store.ts';

type ListedExam = DataOf<typeof ListExams>['list'][number];

/** Most records of one student that a list of papers looks at. */
const MOST_RECORDS = 5_000;

/** Papers of a pack with where the student stands in each. */
export async function readExamList(
  { db, records, gradesFor }: ExamParts,
  userId: number,
  filter: PaperFilter,
): Promise<ListedExam[]> {
  const exams = await listPapers(db.query, filter);
  const takers = await countTakers(
    db.query,
    exams.map((exam) => exam.id),
  );
  const own = await records.list({ userId, packId: filter.packId }, MOST_RECORDS, 0);
  const tallies = await gradesFor(db.query, userId).tallies(own);
  const scoreOf = ({ id }: RecordView) => {
    const tally = tallies.get(id);
    return tally && tally.hiddenCount === 0 ? tally.score : null;
  };
  const byExam = Map.groupBy(own, (record) => record.examId);
  return exams.map((exam) => {
    const taken = byExam.get(exam.id) ?? [];
    const open = taken.find((record) => record.submittedAt === null);
    const closed = taken.filter((record) => record.submittedAt !== null);
    const scores = closed.map(scoreOf).filter((score) => score !== null);
    return {
      examId: exam.id,
      examName: exam.name,
      kind: exam.kind,
      packId: exam.pack_id,
      courseId: exam.course_id,
      chapterId: exam.chapter_id,
      examMode: examModeOf(exam.kind),
      questionMode: questionModes.answer,
      testType: exam.test_type,
      examTime: exam.exam_time,
      totalQuestion: exam.total_question,
      totalScore: exam.total_score,
      year: exam.year,
      takerCount: takers.get(exam.id) ?? 0,
      openRecordId: open?.id ?? null,
      endsAt: open?.endsAt ?? null,
      lastRecordId: closed[0]?.id ?? null,
      retake: retakeState(retakeRuleOf(exam), {
        taken: taken.length,
        lastClosedAt: open ? null : (closed[0]?.submittedAt ?? null),
      }),
      lastScore: closed[0] ? scoreOf(closed[0]) : null,
      bestScore: scores.length > 0 ? Math.max(...scores) : null,
    };
  });
}
