import { type Selectable, sql } from 'kysely';
import type { DirectoryLesson } from '#rules/play/directory.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { Lessons } from '#server/db/schema.ts';

/** A lesson as it is stored. */
export type StoredLesson = Selectable<Lessons>;

const whatItShows = {
  lessons: [
    sql.ref('lessons.media_id'),
    sql.ref('lessons.body'),
    sql.ref('lessons.kind'),
    sql.ref('lessons.media_source'),
    sql.ref('lessons.next_media_id'),
  ],
  before: [
    sql.ref('before.media_id'),
    sql.ref('before.body'),
    sql.ref('before.kind'),
    sql.ref('before.media_source'),
    sql.ref('before.next_media_id'),
  ],
} as const;

/**
 * Whether a lesson waits for its media (or for a better one: what failed is one that is named), or has neither media nor text. Without parameters, for prepared queries.
 * @param table `lessons`, or `before` for the lesson before one; of a row that is not there it is null
 */
export function isUnready(table: keyof typeof whatItShows) {
  const [media, body, kind, source, next] = whatItShows[table];
  // SQLite says 1 or 0.
  return sql<
    boolean | number
  >`(${media} is null and (${body} = '' or ${kind} <> 'text' or ${source} <> '' or ${next} is not null))`;
}

/** The lessons on offer of a pack as the directory needs them, in order. */
export async function listLessons(query: Query, packId: number): Promise<(DirectoryLesson & { credits: number })[]> {
  const rows = await query
    .selectFrom('lessons')
    .select([
      'id',
      'name',
      'course_id',
      'chapter_id',
      'kind',
      'duration',
      'media_id',
      'elective',
      'trial',
      'after_id',
      'credits',
    ])
    .select(isUnready('lessons').as('unready'))
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    courseId: row.course_id,
    chapterId: row.chapter_id,
    kind: row.kind,
    duration: row.duration,
    mediaId: row.media_id,
    elective: row.elective === 1,
    trial: row.trial === 1,
    unready: Boolean(row.unready),
    afterId: row.after_id,
    credits: row.credits,
  }));
}

/** A lesson on offer of a pack; undefined where the pack has no such lesson. */
export async function findLesson(query: Query, packId: number, lessonId: number): Promise<StoredLesson | undefined> {
  return query
    .selectFrom('lessons')
    .selectAll()
    .where('id', '=', lessonId)
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .executeTakeFirst();
}

/** Names of lessons with their courses, archived ones too, by id. */
export async function readLessonNames(
  query: Query,
  lessonIds: readonly number[],
): Promise<Map<number, { name: string; packId: number; courseId: number }>> {
  const ids = padded([...new Set(lessonIds)]);
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('lessons')
    .select(['id', 'name', 'pack_id', 'course_id'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, { name: row.name, packId: row.pack_id, courseId: row.course_id }]));
}

/** Those of these lessons that are on offer. */
export async function readOfferedLessons(query: Query, lessonIds: readonly number[]): Promise<Set<number>> {
  if (lessonIds.length === 0) return new Set();
  const rows = await query
    .selectFrom('lessons')
    .select('id')
    .where('id', 'in', padded(lessonIds))
    .where('archived', '=', 0)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** A practice beside a lesson, by the stable key of its exam. */
interface LessonPractice {
  lessonId: number;
  exam: string;
  credits: number;
}

/** The practices of the lessons on offer of a pack, or of one of them, in order. */
export async function listLessonPractices(query: Query, packId: number, lessonId?: number): Promise<LessonPractice[]> {
  let rows = query
    .selectFrom('lesson_practices')
    .innerJoin('lessons', 'lessons.id', 'lesson_practices.lesson_id')
    .select(['lesson_practices.lesson_id', 'lesson_practices.exam_slug', 'lesson_practices.credits'])
    .where('lessons.pack_id', '=', packId)
    .where('lessons.archived', '=', 0);
  if (lessonId !== undefined) rows = rows.where('lessons.id', '=', lessonId);
  const found = await rows.orderBy('lessons.position').orderBy('lesson_practices.position').execute();
  return found.map((row) => ({ lessonId: row.lesson_id, exam: row.exam_slug, credits: row.credits }));
}

/** Lessons on offer, by pack. */
export async function countLessons(query: Query, packIds?: readonly number[]): Promise<Map<number, number>> {
  let rows = query.selectFrom('lessons').where('archived', '=', 0);
  if (packIds) rows = rows.where('pack_id', 'in', padded(packIds));
  const counts = await rows
    .select(({ fn }) => ['pack_id', fn.countAll<number>().as('count')])
    .groupBy('pack_id')
    .execute();
  return new Map(counts.map(({ pack_id, count }) => [pack_id, Number(count)]));
}

/** The packs in which lessons on offer show a video or an audio. */
export async function packsOfMedia(query: Query, mediaId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('lessons')
    .select('pack_id')
    .distinct()
    .where('media_id', '=', mediaId)
    .where('archived', '=', 0)
    .orderBy('pack_id')
    .execute();
  return rows.map(({ pack_id }) => pack_id);
}

/** The lessons on offer of a pack that have slides at this address. */
export async function lessonsWithSlides(query: Query, packId: number, address: string): Promise<Set<number>> {
  const rows = await query
    .selectFrom('lessons')
    .select('id')
    .where('pack_id', '=', packId)
    .where('ppt_url', '=', address)
    .where('archived', '=', 0)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Gives the lessons of a pack the addresses of their slides, by the file that each names.
 * @returns whether any of them is another one now
 */
export async function setSlides(trx: Trx, packId: number, addresses: ReadonlyMap<string, string>): Promise<boolean> {
  const lessons = await trx
    .selectFrom('lessons')
    .select(['id', 'slides_source', 'ppt_url'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  let changed = false;
  for (const { id, slides_source, ppt_url } of lessons) {
    const address = addresses.get(slides_source) ?? '';
    if (address === ppt_url) continue;
    await trx.updateTable('lessons').set({ ppt_url: address }).where('id', '=', id).execute();
    changed = true;
  }
  return changed;
}
