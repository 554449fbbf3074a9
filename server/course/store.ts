import type { Static } from 'typebox';
import type { PackCourse as CourseSchema, Pack as PackSchema } from '#contract/course.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { categoryNames } from './category.ts';
import { readCategories } from './category-store.ts';
import type { ExamCounts, PackCounts } from './exam-counts.ts';

type Pack = Static<typeof PackSchema>;

/** Which packs are read: some by their ids, or those that a student is enrolled in. */
type PackFilter = { packIds: readonly number[] } | { enrolledOnly: true };

/** What only the one who asks for a single pack, or for own packs, sees beside the brief. */
interface PackRow extends Pack {
  description: string;
  enrol: 'open' | 'closed';
  joinedAt: number | null;
  lastStudiedAt: number | null;
  seats: number | null;
  saleFrom: number | null;
  saleUntil: number | null;
}

/** The packs of this school as one person sees them; a visitor (`null`) has bought and done nothing. */
export async function readPacks(
  query: Query,
  counts: PackCounts,
  userId: number | null,
  filter: PackFilter,
): Promise<PackRow[]> {
  const asked = userId ?? 0;
  if ('packIds' in filter && filter.packIds.length === 0) return [];
  let packs = query
    .selectFrom('packs')
    .leftJoin('enrolments', (join) =>
      join.onRef('enrolments.pack_id', '=', 'packs.id').on('enrolments.user_id', '=', asked),
    )
    .selectAll('packs')
    .select(['enrolments.created_at as joined_at', 'enrolments.last_studied_at'])
    .where('packs.archived', '=', 0);
  if ('packIds' in filter) packs = packs.where('packs.id', 'in', padded(filter.packIds));
  else packs = packs.where('enrolments.user_id', 'is not', null);
  const rows = await packs.orderBy('packs.position').orderBy('packs.id').execute();
  if (rows.length === 0) return [];
  const packIds = rows.map(({ id }) => id);
  const questions = await counts.questionsByPack(packIds);
  const papers = await counts.papersByPack(packIds);
  const lessons = await counts.lessonsByPack(packIds);
  const answered = userId === null ? null : await counts.answeredByPack(userId, packIds);
  const categories = categoryNames(await readCategories(query));
  return rows.map((row) => ({
    packId: row.id,
    packageName: row.name,
    summary: row.summary,
    buyState: row.joined_at === null ? 0 : 1,
    scoreState: row.score_state === 1 ? 1 : 0,
    examDate: row.exam_date,
    questionCount: questions.get(row.id) ?? 0,
    examCount: papers.get(row.id) ?? 0,
    doneCount: answered?.get(row.id) ?? 0,
    lessonCount: lessons.get(row.id) ?? 0,
    price: row.price,
    originalPrice: row.original_price,
    categoryId: row.category_id,
    categoryName: (categories.get(row.category_id ?? 0) ?? []).join(' · '),
    description: row.description,
    seats: row.seats,
    saleFrom: row.sale_from,
    saleUntil: row.sale_until,
    enrol: row.enrol,
    joinedAt: row.joined_at,
    lastStudiedAt: row.last_studied_at,
  }));
}

/** The courses of a pack with how many questions each has. */
export async function readCourses(
  query: Query,
  counts: ExamCounts,
  packId: number,
): Promise<Static<typeof CourseSchema>[]> {
  const courses = await listCourses(query, packId);
  // Archived chapters too: a question in one is still on offer in papers.
  const chapters = await query
    .selectFrom('chapters')
    .select(['id', 'course_id'])
    .where('pack_id', '=', packId)
    .execute();
  const byChapter = await counts.questionsByChapter(packId);
  const byCourse = new Map<number, number>();
  for (const { id, course_id } of chapters) {
    byCourse.set(course_id, (byCourse.get(course_id) ?? 0) + (byChapter.get(id) ?? 0));
  }
  return courses.map(({ id, name }) => ({ courseId: id, name, questionCount: byCourse.get(id) ?? 0 }));
}

/** The courses on offer of a pack in order, or the one asked for. */
export async function listCourses(
  query: Query,
  packId: number,
  courseId?: number,
): Promise<{ id: number; name: string }[]> {
  let courses = query
    .selectFrom('courses')
    .select(['id', 'name'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0);
  if (courseId !== undefined) courses = courses.where('id', '=', courseId);
  return courses.orderBy('position').orderBy('id').execute();
}

/** Whether a course belongs to a pack. */
export async function isCourseOf(query: Query, packId: number, courseId: number): Promise<boolean> {
  const row = await query
    .selectFrom('courses')
    .select('id')
    .where('id', '=', courseId)
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The names of packs, archived ones too, by id. */
export async function readPackNames(query: Query, packIds: readonly number[]): Promise<Map<number, string>> {
  const ids = padded([...new Set(packIds)]);
  if (ids.length === 0) return new Map();
  const rows = await query.selectFrom('packs').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The names of courses, archived ones too, by id. */
export async function readCourseNames(query: Query, courseIds: readonly number[]): Promise<Map<number, string>> {
  const ids = padded([...new Set(courseIds)]);
  if (ids.length === 0) return new Map();
  const rows = await query.selectFrom('courses').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** Names and dates of the exam of those of these packs that a student may open, by pack. */
export async function readExamDates(
  query: Query,
  userId: number,
  packIds: readonly number[],
): Promise<Map<number, { name: string; examDate: string | null }>> {
  if (packIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('packs')
    .innerJoin('enrolments', 'enrolments.pack_id', 'packs.id')
    .select(['packs.id', 'packs.name', 'packs.exam_date'])
    .where('packs.id', 'in', padded(packIds))
    .where('packs.archived', '=', 0)
    .where('enrolments.user_id', '=', userId)
    .execute();
  return new Map(rows.map((row) => [row.id, { name: row.name, examDate: row.exam_date }]));
}

/** The pack on offer with this slug. */
export async function findPackBySlug(query: Query, slug: string): Promise<{ id: number } | undefined> {
  return query.selectFrom('packs').select('id').where('slug', '=', slug).where('archived', '=', 0).executeTakeFirst();
}

/** The packs on offer that a student may open. */
export async function packsOpenTo(query: Query, userId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('enrolments')
    .innerJoin('packs', 'packs.id', 'enrolments.pack_id')
    .select('packs.id')
    .where('enrolments.user_id', '=', userId)
    .where('packs.archived', '=', 0)
    .orderBy('packs.id')
    .execute();
  return rows.map(({ id }) => id);
}
