import type { DataOf } from '#contract/call.ts';
import type { ListExams } from '#contract/exam.ts';
import { questionModes } from '#contract/values/exam.ts';
import { accommodationIn, minutesAdded } from '#rules/exam/accommodation.ts';
import { retakeState } from '#rules/exam/retake.ts';
import { examModeOf } from '#rules/exam/reveal.ts';
import { inLists } from '#server/db/batches.ts';
import { retakeRuleOf } from '../paper/retake-store.ts';
import type { ExamParts } from '../parts.ts';
import type { RecordView } from '../record/store.ts';
import { countTakers, listPapers, type PaperFilter } from './store.ts';

type ListedExam = DataOf<typeof ListExams>['list'][number];

/** Open records of one student in a pack at most: one an exam. */
const MOST_OPEN = 5_000;

/** Papers of a pack with where the student stands in each. */
export async function readExamList(
  { db, records, gradesFor, accommodations }: ExamParts,
  userId: number,
  filter: PaperFilter,
): Promise<ListedExam[]> {
  const exams = await listPapers(db.query, filter);
  const takers = await countTakers(
    db.query,
    exams.map((exam) => exam.id),
  );
  const { packId } = filter;
  const grades = gradesFor(db.query, userId);
  const standings = await grades.standings(packId);
  const open = await records.list({ userId, packId, state: 'open' }, MOST_OPEN, 0);
  const looked = new Set(exams.map(({ id }) => standings.get(id)?.lastRecordId ?? 0));
  const closed: RecordView[] = [];
  for (const ids of inLists([...looked])) closed.push(...(await records.list({ userId, packId, ids }, ids.length, 0)));
  const tallies = await grades.tallies(closed);
  const scoreOf = (recordId: number | null) => {
    const tally = recordId === null ? undefined : tallies.get(recordId);
    return tally?.score ?? null;
  };
  const own = accommodationIn((await accommodations.inForce(db.query, [userId])).get(userId) ?? [], packId);
  const openByExam = new Map(open.map((record) => [record.examId, record]));
  return exams.map((exam) => {
    const openRecord = openByExam.get(exam.id);
    const standing = standings.get(exam.id);
    const lastRecordId = standing?.lastRecordId ?? null;
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
      ownTime: exam.exam_time === null ? null : exam.exam_time + minutesAdded(exam.exam_time, own),
      totalQuestion: exam.total_question,
      totalScore: exam.total_score,
      year: exam.year,
      takerCount: takers.get(exam.id) ?? 0,
      openRecordId: openRecord?.id ?? null,
      endsAt: openRecord?.endsAt ?? null,
      lastRecordId,
      retake: retakeState(retakeRuleOf(exam), {
        taken: standing?.taken ?? 0,
        lastClosedAt: openRecord ? null : (standing?.lastClosedAt ?? null),
      }),
      lastScore: scoreOf(lastRecordId),
      bestScore: standing?.bestScore ?? null,
      withheld: standing?.withheld ?? false,
    };
  });
}
