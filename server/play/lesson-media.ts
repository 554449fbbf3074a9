import type { DataOf, InputOf } from '#contract/call.ts';
import type { SetLessonMedia, TaughtLessons } from '#contract/play.ts';
import { readChapterNames } from '#server/course/chapter-store.ts';
import { listPacks } from '#server/course/pack-store.ts';
import { listCourses, readCourseNames, readPackNames } from '#server/course/store.ts';
import type { Db } from '#server/db/open.ts';
import type { LessonsOfMedia, LessonUsing } from '#server/media/lessons-of-media.ts';
import { readTitles, takeMedia } from '#server/media/store.ts';
import {
  findLessonMedia,
  forgetMedia,
  listLessonMedia,
  lockLessonMedia,
  readLessonsUsing,
  readTaughtPacks,
  readUsedMedia,
  showMedia,
  showNothing,
  showReadyMedia,
  waitForMedia,
} from './lesson-media-store.ts';
import { forgetRightsOf } from './right-store.ts';

/** The packs with lessons, and the lessons of one of them with what they show; null: there is no such pack. */
export async function readTaughtLessons(
  { query }: Db,
  { packId }: InputOf<typeof TaughtLessons>,
): Promise<DataOf<typeof TaughtLessons> | null> {
  const taught = await readTaughtPacks(query);
  const packs = (await listPacks(query)).filter((pack) => taught.has(pack.packId));
  const shown = packId === undefined ? packs[0] : packs.find((pack) => pack.packId === packId);
  if (!shown) return packId === undefined ? { packs, packId: null, courses: [] } : null;
  const lessons = await listLessonMedia(query, shown.packId);
  const chapters = await readChapterNames(
    query,
    lessons.flatMap(({ chapter_id }) => (chapter_id === null ? [] : [chapter_id])),
  );
  const titles = await readTitles(
    query,
    lessons.flatMap(({ media_id, next_media_id }) => [media_id, next_media_id].filter((id) => id !== null)),
  );
  const courses = await listCourses(query, shown.packId);
  return {
    packs,
    packId: shown.packId,
    courses: courses.flatMap(({ id, name }) => {
      const own = lessons.filter(({ course_id }) => course_id === id);
      if (own.length === 0) return [];
      return [
        {
          courseId: id,
          courseName: name,
          lessons: own.map((lesson) => ({
            firstVideoId: lesson.id,
            firstVideoName: lesson.name,
            chapterName: chapters.get(lesson.chapter_id ?? 0) ?? '',
            kind: lesson.kind,
            duration: lesson.duration,
            videoResourceId: lesson.media_id,
            videoTitle: titles.get(lesson.media_id ?? 0) ?? '',
            nextResourceId: lesson.next_media_id,
            nextTitle: titles.get(lesson.next_media_id ?? 0) ?? '',
            given: lesson.media_given === 1,
            packResourceId: lesson.pack_media_id,
          })),
        },
      ];
    }),
  };
}

type Given = { ok: true; waits: boolean } | { ok: false; why: 'notFound' | 'mediaFailed' };

/**
 * Gives a lesson a media, at once or when it is ready; or takes back what a teacher gave it, and it shows what its pack brings, also where
 * that changed meanwhile.
 */
export async function setLessonMedia(db: Db, input: InputOf<typeof SetLessonMedia>): Promise<Given> {
  const { firstVideoId, mediaId } = input;
  const given = await db.transaction(async (trx): Promise<Given | null> => {
    const asked = mediaId ?? (await findLessonMedia(trx, firstVideoId))?.pack_media_id ?? null;
    // Held before the lesson, as by the job that makes it ready and by imports: one of them comes after the other.
    const media = asked === null ? null : await takeMedia(trx, asked);
    const lesson = await lockLessonMedia(trx, firstVideoId);
    if (!lesson || (mediaId !== null && !media)) return { ok: false, why: 'notFound' };
    const by = mediaId === null ? 'pack' : 'teacher';
    // An import came in between.
    if (by === 'pack' && lesson.pack_media_id !== asked) return null;
    if (media?.duration != null && media.kind !== null) {
      await showMedia(trx, lesson, { mediaId: media.id, kind: media.kind, duration: media.duration }, by);
      return { ok: true, waits: false };
    }
    if (by === 'pack') {
      await showNothing(trx, lesson, media?.id ?? null);
      return { ok: true, waits: media !== null };
    }
    if (!media || media.state === 'failed') return { ok: false, why: 'mediaFailed' };
    await waitForMedia(trx, lesson.id, media.id);
    return { ok: true, waits: true };
  });
  return given ?? setLessonMedia(db, input);
}

/** How a lesson uses media. */
const usesOf = ({
  media_id,
  next_media_id,
  pack_media_id,
}: Pick<Awaited<ReturnType<typeof listLessonMedia>>[number], 'media_id' | 'next_media_id' | 'pack_media_id'>) =>
  new Map([
    ...(pack_media_id === null ? [] : [[pack_media_id, 'pack'] as const]),
    ...(next_media_id === null ? [] : [[next_media_id, 'waits'] as const]),
    ...(media_id === null ? [] : [[media_id, 'shows'] as const]),
  ]);

/** What lessons have to do with media, for the feature that makes them playable. */
export const lessonsOfMedia: LessonsOfMedia = {
  of: async (query, mediaIds) => {
    const lessons = await readLessonsUsing(query, mediaIds);
    const packs = await readPackNames(
      query,
      lessons.map(({ pack_id }) => pack_id),
    );
    const courses = await readCourseNames(
      query,
      lessons.map(({ course_id }) => course_id),
    );
    const found = new Map<number, LessonUsing[]>();
    for (const lesson of lessons)
      for (const [mediaId, use] of usesOf(lesson)) {
        const { id, name, pack_id, course_id } = lesson;
        const using = {
          ...{ firstVideoId: id, firstVideoName: name, packId: pack_id, use },
          ...{ packName: packs.get(pack_id) ?? '', courseName: courses.get(course_id) ?? '' },
        };
        found.set(mediaId, [...(found.get(mediaId) ?? []), using]);
      }
    return found;
  },
  used: readUsedMedia,
  usedBy: async (query, lessonId) => {
    const lesson = await findLessonMedia(query, lessonId);
    return new Set(lesson === null ? [] : usesOf(lesson).keys());
  },
  ready: showReadyMedia,
  gone: async (trx, mediaId) => {
    await forgetMedia(trx, mediaId);
    await forgetRightsOf(trx, mediaId);
  },
};
