import type { PackLesson } from '#content/pack/reader.ts';
import { lessonsBefore } from '#rules/play/directory.ts';
import type { TreeIds, WantedCourse } from '#server/course/chapter-sync-store.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Trx } from '#server/db/open.ts';
import { type BroughtMedia, syncTracks } from './lesson-media-store.ts';
import type { StoredLesson } from './lesson-store.ts';

/** What an import did to lessons. */
export interface LessonChanges {
  added: number;
  changed: number;
  unchanged: number;
  archived: number;
  /** Media that the pack brought before and names no more. */
  dropped: number[];
}

/** What of a lesson says which media it shows. */
type Shown = Pick<
  StoredLesson,
  'kind' | 'pack_kind' | 'media_id' | 'next_media_id' | 'pack_media_id' | 'media_given' | 'duration'
>;

/**
 * What a lesson shows after an import. Only another file than before changes it: the one it shows goes on until that is ready. What a
 * teacher gave it stays whatever its pack brings, until they take it back (docs/decisions/036-uploads.md).
 */
function shownAfter(old: Shown | undefined, kind: StoredLesson['kind'], brought: BroughtMedia | undefined): Shown {
  const pack_media_id = brought?.mediaId ?? null;
  if (old?.media_given === 1) {
    const { media_id, next_media_id, duration } = old;
    const kinds = old.pack_kind === '' ? { kind, pack_kind: '' as const } : { kind: old.kind, pack_kind: kind };
    return { ...kinds, media_id, next_media_id, pack_media_id, media_given: 1, duration };
  }
  const packs = { kind, pack_kind: '' as const, pack_media_id, media_given: 0 as const };
  const before = old ?? { media_id: null, next_media_id: null, pack_media_id: null, duration: 0 };
  const { media_id, next_media_id, duration } = before;
  if (!brought)
    return before.pack_media_id === null
      ? { ...packs, media_id, next_media_id, duration }
      : { ...packs, media_id: null, next_media_id: null, duration: 0 };
  const { mediaId } = brought;
  const same = before.pack_media_id === mediaId && next_media_id !== mediaId;
  if (same) return { ...packs, media_id, next_media_id, duration };
  if (brought.duration === null) return { ...packs, media_id, next_media_id: mediaId, duration };
  return { ...packs, media_id: mediaId, next_media_id: null, duration: Math.floor(brought.duration / 1000) };
}

/**
 * Writes the lessons of a pack by their slugs, so that what students have seen stays attached to them; those it no longer
 * has are archived. What a job stored of a lesson (its media, length and slides) stays while the pack names the same file; what a
 * teacher gave it to show stays until they take it back.
 * @param brought what the pack brings for its lessons, by slug
 */
export async function syncLessons(
  trx: Trx,
  packId: number,
  courses: readonly WantedCourse[],
  wanted: readonly PackLesson[],
  tree: TreeIds,
  brought: ReadonlyMap<string, BroughtMedia>,
): Promise<LessonChanges> {
  // Held, so that what a teacher gives a lesson in this moment comes before or after, and is not lost.
  const held = trx.updateTable('lessons').set(({ ref }) => ({ name: ref('name') }));
  const rows = await held.where('pack_id', '=', packId).returningAll().execute();
  const stored = new Map(rows.map((row) => [row.slug, row]));
  const placed = inDirectoryOrder(courses, wanted);
  const before = lessonsBefore(placed.map(({ lesson, course }) => ({ ...lesson, course })));
  const changes: LessonChanges = { added: 0, changed: 0, unchanged: 0, archived: 0, dropped: [] };
  const ids = new Map<string, number>();
  const practices: { lesson_id: number; position: number; exam_slug: string; credits: number }[] = [];
  for (const [at, { lesson, course, level }] of placed.entries()) {
    const old = stored.get(lesson.slug);
    const media = brought.get(lesson.slug);
    const shown = shownAfter(old, lesson.kind, media);
    if (old && old.pack_media_id !== null && old.pack_media_id !== shown.pack_media_id)
      changes.dropped.push(old.pack_media_id);
    const row = {
      course_id: tree.courses.get(course) ?? 0,
      chapter_id: lesson.chapter === null ? null : (tree.chapters.get(lesson.chapter) ?? null),
      name: lesson.name,
      level,
      position: at + 1,
      elective: lesson.elective ? 1 : 0,
      trial: lesson.trial ? 1 : 0,
      credits: lesson.credits,
      profile: lesson.profile,
      body: lesson.text,
      media_source: lesson.media,
      slides_source: lesson.slides,
      poster: lesson.poster,
      ...shown,
      ppt_url: old?.slides_source === lesson.slides ? old.ppt_url : '',
      // A lesson comes after the one before it, which is written already.
      after_id: ids.get(before.get(lesson.slug) ?? '') ?? null,
      archived: 0,
    };
    let id = old?.id;
    const tracksDiffer = id !== undefined && (await syncTracks(trx, id, media ?? null, shown.media_id));
    if (id === undefined) {
      const values = { ...row, pack_id: packId, slug: lesson.slug };
      id = (await trx.insertInto('lessons').values(values).returning('id').executeTakeFirstOrThrow()).id;
      await syncTracks(trx, id, media ?? null, shown.media_id);
      changes.added += 1;
    } else if (old && differs(row, old)) {
      await trx.updateTable('lessons').set(row).where('id', '=', id).execute();
      changes.changed += 1;
    } else if (tracksDiffer) changes.changed += 1;
    else changes.unchanged += 1;
    ids.set(lesson.slug, id);
    for (const [place, { exam, credits }] of lesson.practices.entries())
      practices.push({ lesson_id: id, position: place + 1, exam_slug: exam, credits });
  }
  const gone = [...stored.values()].filter(({ slug, archived }) => archived === 0 && !ids.has(slug));
  for (const some of batches(gone))
    await trx
      .updateTable('lessons')
      .set({ archived: 1 })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
  changes.archived = gone.length;
  const other = await syncPractices(trx, [...ids.values()], practices);
  if (other && changes.added + changes.changed === 0) {
    changes.changed = 1;
    changes.unchanged -= 1;
  }
  return changes;
}

/** The lessons as the directory shows them, top-down: those of a course or a chapter first, then those of what is below. */
function inDirectoryOrder(
  courses: readonly WantedCourse[],
  lessons: readonly PackLesson[],
): { lesson: PackLesson; course: string; level: number }[] {
  const below = (
    chapters: WantedCourse['chapters'],
    course: string,
    level: number,
  ): ReturnType<typeof inDirectoryOrder> =>
    chapters.flatMap((chapter) => [
      ...lessons
        .filter((lesson) => lesson.chapter === chapter.slug)
        .map((lesson) => ({ lesson, course, level: level + 1 })),
      ...below(chapter.chapters, course, level + 1),
    ]);
  return courses.flatMap(({ slug, chapters }) => [
    ...lessons.filter((lesson) => lesson.course === slug).map((lesson) => ({ lesson, course: slug, level: 1 })),
    ...below(chapters, slug, 1),
  ]);
}

/** @returns whether any of them reads otherwise now */
async function syncPractices(
  trx: Trx,
  lessonIds: readonly number[],
  wanted: readonly { lesson_id: number; position: number; exam_slug: string; credits: number }[],
): Promise<boolean> {
  const stored = [];
  for (const ids of batches(lessonIds))
    stored.push(...(await trx.selectFrom('lesson_practices').selectAll().where('lesson_id', 'in', ids).execute()));
  const line = (row: (typeof wanted)[number]) => `${row.lesson_id} ${row.position} ${row.exam_slug} ${row.credits}`;
  if (stored.map(line).sort().join('\n') === wanted.map(line).sort().join('\n')) return false;
  for (const ids of batches(lessonIds))
    await trx.deleteFrom('lesson_practices').where('lesson_id', 'in', ids).execute();
  for (const rows of batches(wanted)) await trx.insertInto('lesson_practices').values(rows).execute();
  return true;
}
