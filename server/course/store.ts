import type { Static } from 'typebox';
import type { PackCourse as CourseSchema, Pack as PackSchema } from '#contract/course.ts';
import type { Query } from '#server/db/open.ts';

type Pack = Static<typeof PackSchema>;

/** Which packs are read: all, one by id, or those a student is enrolled in. */
interface PackFilter {
  packId?: number;
  enrolledOnly?: boolean;
}

/** What only the one who asks for a single pack, or for own packs, sees beside the brief. */
interface PackRow extends Pack {
  description: string;
  enrol: 'open' | 'closed';
  joinedAt: number | null;
  lastStudiedAt: number | null;
}

/** The packs of this school as one person sees them; a visitor (`null`) has bought and done nothing. */
export async function readPacks(query: Query, userId: number | null, filter: PackFilter = {}): Promise<PackRow[]> {
  const asked = userId ?? 0;
  let packs = query
    .selectFrom('packs')
    .leftJoin('enrolments', (join) =>
      join.onRef('enrolments.pack_id', '=', 'packs.id').on('enrolments.user_id', '=', asked),
    )
    .selectAll('packs')
    .select(['enrolments.created_at as joined_at', 'enrolments.last_studied_at'])
    .where('packs.archived', '=', 0);
  if (filter.packId !== undefined) packs = packs.where('packs.id', '=', filter.packId);
  if (filter.enrolledOnly) packs = packs.where('enrolments.user_id', 'is not', null);
  const rows = await packs.orderBy('packs.position').orderBy('packs.id').execute();
  if (rows.length === 0) return [];
  const questions = await countQuestions(query, filter.packId);
  const exams = await countPapers(query, filter.packId);
  const done = userId === null ? new Map<number, number>() : await countDone(query, userId, filter.packId);
  return rows.map((row) => ({
    packId: row.id,
    packageName: row.name,
    summary: row.summary,
    buyState: row.joined_at === null ? 0 : 1,
    examDate: row.exam_date,
    questionCount: questions.get(row.id) ?? 0,
    examCount: exams.get(row.id) ?? 0,
    doneCount: done.get(row.id) ?? 0,
    description: row.description,
    enrol: row.enrol,
    joinedAt: row.joined_at,
    lastStudiedAt: row.last_studied_at,
  }));
}

const asMap = (rows: readonly { pack_id: number; count: number }[]) =>
  new Map(rows.map((row) => [row.pack_id, row.count]));

async function countQuestions(query: Query, packId: number | undefined): Promise<Map<number, number>> {
  return asMap(
    await query
      .selectFrom('questions')
      .select(({ fn }) => ['pack_id', fn.countAll<number>().as('count')])
      .where('archived', '=', 0)
      .$if(packId !== undefined, (rows) => rows.where('pack_id', '=', packId ?? 0))
      .groupBy('pack_id')
      .execute(),
  );
}

async function countPapers(query: Query, packId: number | undefined): Promise<Map<number, number>> {
  return asMap(
    await query
      .selectFrom('exams')
      .select(({ fn }) => ['pack_id', fn.countAll<number>().as('count')])
      .where('archived', '=', 0)
      .where('kind', 'in', ['mock', 'past', 'timed'])
      .$if(packId !== undefined, (rows) => rows.where('pack_id', '=', packId ?? 0))
      .groupBy('pack_id')
      .execute(),
  );
}

/** Questions that the student has answered at least once, by pack. */
async function countDone(query: Query, userId: number, packId: number | undefined): Promise<Map<number, number>> {
  return asMap(
    await query
      .selectFrom('exam_records')
      .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
      .innerJoin('questions', 'questions.id', 'exam_answers.question_id')
      .select(({ fn }) => ['exam_records.pack_id', fn.count<number>('exam_answers.question_id').distinct().as('count')])
      .where('exam_records.user_id', '=', userId)
      .where('exam_answers.answer', '<>', '')
      .where('questions.archived', '=', 0)
      .$if(packId !== undefined, (rows) => rows.where('exam_records.pack_id', '=', packId ?? 0))
      .groupBy('exam_records.pack_id')
      .execute(),
  );
}

/** The courses of a pack with how many questions each has. */
export async function readCourses(query: Query, packId: number): Promise<Static<typeof CourseSchema>[]> {
  const courses = await query
    .selectFrom('courses')
    .select(['id', 'name'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const counts = await query
    .selectFrom('questions')
    .innerJoin('chapters', 'chapters.id', 'questions.chapter_id')
    .select(({ fn }) => ['chapters.course_id', fn.countAll<number>().as('count')])
    .where('questions.pack_id', '=', packId)
    .where('questions.archived', '=', 0)
    .groupBy('chapters.course_id')
    .execute();
  const byCourse = new Map(counts.map((row) => [row.course_id, row.count]));
  return courses.map((row) => ({ courseId: row.id, name: row.name, questionCount: byCourse.get(row.id) ?? 0 }));
}

/** Enrols a person; joining twice is the same as once. */
export async function enrol(query: Query, userId: number, packId: number, now: number): Promise<void> {
  await query
    .insertInto('enrolments')
    .values({ user_id: userId, pack_id: packId, created_at: now, last_studied_at: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doNothing())
    .execute();
}
