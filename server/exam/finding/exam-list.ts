import type { Static } from 'typebox';
import type { DataOf } from '#contract/call.ts';
import type { ListExams, Question as QuestionSchema } from '#contract/exam.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { type ExamKind, examModeOf, type InOpenExam } from '#rules/exam/reveal.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { figuresOf, listRecords, type RecordView } from '../record/visible-result.ts';

type ListedExam = DataOf<typeof ListExams>['list'][number];

/** Which papers of a pack are listed; without a kind all but chapter practice, which the chapter tree shows. */
interface PaperFilter {
  packId: number;
  kind?: ExamKind | undefined;
  year?: number | undefined;
  courseId?: number | undefined;
}

/** Most records of one student that a list of papers looks at. */
const MOST_RECORDS = 5_000;

/** Papers of a pack with where the student stands in each. */
export async function listPapers(
  query: Query,
  userId: number,
  filter: PaperFilter,
  inOpenExam: InOpenExam,
): Promise<ListedExam[]> {
  let rows = query.selectFrom('exams').selectAll().where('pack_id', '=', filter.packId).where('archived', '=', 0);
  rows = filter.kind === undefined ? rows.where('kind', '<>', 'chapter') : rows.where('kind', '=', filter.kind);
  if (filter.year !== undefined) rows = rows.where('year', '=', filter.year);
  if (filter.courseId !== undefined) rows = rows.where('course_id', '=', filter.courseId);
  const exams = await rows.orderBy('year', 'desc').orderBy('position').orderBy('id').execute();
  const takers = await countTakers(
    query,
    exams.map((exam) => exam.id),
  );
  const records = await listRecords(query, { userId, packId: filter.packId }, MOST_RECORDS, 0);
  const figures = await figuresOf(query, records, inOpenExam);
  const byExam = new Map<number, RecordView[]>();
  for (const record of records) byExam.set(record.examId, [...(byExam.get(record.examId) ?? []), record]);
  return exams.map((exam) => {
    const own = byExam.get(exam.id) ?? [];
    const open = own.find((record) => record.submittedAt === null);
    const closed = own.filter((record) => record.submittedAt !== null);
    const scoreOf = ({ recordId }: RecordView) => {
      const known = figures.get(recordId);
      return known && known.hiddenCount === 0 ? known.score : null;
    };
    const scores = closed.map(scoreOf).filter((score) => score !== null);
    return {
      examId: exam.id,
      examName: exam.name,
      kind: exam.kind,
      packId: exam.pack_id,
      courseId: exam.course_id,
      chapterId: exam.chapter_id,
      examMode: examModeOf(exam.kind),
      testType: exam.test_type,
      examTime: exam.exam_time,
      totalQuestion: exam.total_question,
      totalScore: exam.total_score,
      year: exam.year,
      takerCount: takers.get(exam.id) ?? 0,
      openRecordId: open?.recordId ?? null,
      endsAt: open?.endsAt ?? null,
      lastRecordId: closed[0]?.recordId ?? null,
      lastScore: closed[0] ? scoreOf(closed[0]) : null,
      bestScore: scores.length > 0 ? Math.max(...scores) : null,
    };
  });
}

async function countTakers(query: Query, examIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (let from = 0; from < examIds.length; from += 1000) {
    const rows = await query
      .selectFrom('exam_records')
      .select(({ fn }) => ['exam_id', fn.count<number>('user_id').distinct().as('count')])
      .where('exam_id', 'in', padded(examIds.slice(from, from + 1000)))
      .where('closed', 'in', ['submitted', 'timeUp'])
      .groupBy('exam_id')
      .execute();
    for (const row of rows) counts.set(row.exam_id, row.count);
  }
  return counts;
}

/** Years of the past papers of a pack, newest first. */
export async function listYears(query: Query, packId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('exams')
    .select('year')
    .distinct()
    .where('pack_id', '=', packId)
    .where('kind', '=', 'past')
    .where('archived', '=', 0)
    .where('year', 'is not', null)
    .orderBy('year', 'desc')
    .execute();
  return rows.map((row) => row.year ?? 0);
}

/** Questions of chapters without their keys, by chapter and place. `total` counts all pages. */
export async function listQuestions(
  query: Query,
  asked: { chapterIds: readonly number[]; questionTypesId: number; limit: number; offset: number },
): Promise<{ list: Static<typeof QuestionSchema>[]; total: number }> {
  let rows = query.selectFrom('questions').where('chapter_id', 'in', asked.chapterIds).where('archived', '=', 0);
  if (asked.questionTypesId !== 0) rows = rows.where('question_types_id', '=', asked.questionTypesId);
  const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  // The page is found from the index alone; only its own questions are then read whole.
  const ids = await rows
    .select('id')
    .orderBy('chapter_id')
    .orderBy('position')
    .orderBy('id')
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  if (ids.length === 0) return { list: [], total };
  const page = await query
    .selectFrom('questions')
    .select(['id', 'question_types_id', 'topic', 'options', 'score', 'chapter_id', 'case_id'])
    .where('id', 'in', padded(ids.map((row) => row.id)))
    .execute();
  const byId = new Map(page.map((row) => [row.id, row]));
  const list = ids.flatMap(({ id }) => {
    const row = byId.get(id);
    if (!row) return [];
    return {
      questionId: row.id,
      questionTypesId: row.question_types_id as QuestionType,
      topic: row.topic,
      options: JSON.parse(row.options) as Record<string, string>,
      score: row.score,
      chapterId: row.chapter_id,
      parentCaseStudyId: row.case_id,
    };
  });
  return { list, total };
}
