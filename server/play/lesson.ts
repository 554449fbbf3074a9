import type { DataOf, InputOf } from '#contract/call.ts';
import { PLAY_BYTES } from '#contract/media.ts';
import type { ExamOptions, MyCredits, PlayChapters, ReadLesson } from '#contract/play.ts';
import { practiceKinds, schoolScoredKinds } from '#contract/values/exam.ts';
import { nodeState } from '#contract/values/play.ts';
import { subtitlesPart } from '#rules/media/playlist.ts';
import { isPracticeDone, sumCredits } from '#rules/play/credits.ts';
import {
  foldersAbove,
  growDirectory,
  lessonsIn,
  nearestOf,
  openLessons,
  resumeAt,
  type Viewer,
} from '#rules/play/directory.ts';
import { nodeStateOf, shareOf, startOf } from '#rules/play/report.ts';
import type { PackAccess } from '#server/course/access.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import { listCourses } from '#server/course/store.ts';
import type { Db } from '#server/db/open.ts';
import { countPapersByKind, listPractices, readPracticeProgress } from '#server/exam/finding/store.ts';
import { fileCategories } from '#server/file/course-file.ts';
import { findMedia } from '#server/media/store.ts';
import { readTracks } from './lesson-media-store.ts';
import { findLesson, listLessonPractices, listLessons, type StoredLesson } from './lesson-store.ts';
import { readProgress, readSeen } from './progress-store.ts';

/** What the reading calls of course play need. */
export interface LessonParts {
  db: Db;
  access: PackAccess;
}

/** Who asks; null: a visitor. */
type Asker = { userId: number } | null;

/** What decides which lessons of a pack somebody may open. */
export async function viewerOf(
  { db: { query }, access }: LessonParts,
  asker: Asker,
  { packId, sequential }: { packId: number; sequential: boolean },
): Promise<Viewer> {
  const enrolled = asker !== null && (await access.mayOpen(asker.userId, packId)).ok;
  return { enrolled, sequential, progress: enrolled ? await readProgress(query, asker.userId, packId) : new Map() };
}

/** The directory of a pack for one person; null: there is no such pack or course. */
export async function readDirectory(
  parts: LessonParts,
  asker: Asker,
  { packId, courseId }: InputOf<typeof PlayChapters>,
): Promise<DataOf<typeof PlayChapters> | null> {
  const { query } = parts.db;
  const pack = await findStudiedPack(query, packId);
  if (!pack) return null;
  const courses = await listCourses(query, packId, courseId);
  if (courseId !== undefined && courses.length === 0) return null;
  const lessons = await listLessons(query, packId);
  const chapters = await listChapters(query, packId);
  const viewer = await viewerOf(parts, asker, { packId, sequential: pack.sequential });
  const taught = courses.filter(({ id }) => lessons.some((lesson) => lesson.courseId === id));
  const list = taught.flatMap(({ id }) =>
    growDirectory(
      chapters.filter((chapter) => chapter.courseId === id),
      lessons.filter((lesson) => lesson.courseId === id),
      viewer,
    ),
  );
  const unready = new Set(lessons.filter((lesson) => lesson.unready).map(({ id }) => id));
  const current = resumeAt(lessonsIn(list), viewer.progress, unready);
  return {
    packId,
    packageName: pack.name,
    buyState: viewer.enrolled ? 1 : 0,
    scoreState: pack.scoreState,
    courses: taught.map(({ id, name }) => ({ courseId: id, name })),
    // Three levels are all there are: the fourth is empty by construction.
    list: list as DataOf<typeof PlayChapters>['list'],
    current: current && { firstCourseId: current.firstCourseId, firstVideoId: current.firstVideoId },
    openIds: current ? foldersAbove(list, current.id) : [],
  };
}

/** What is said of a lesson but for what is the school's, or is made of its texts. */
type LessonSaid = Omit<DataOf<typeof ReadLesson>, 'shareNeeded' | 'formulas'>;

type LessonRead = { ok: true; lesson: LessonSaid } | { ok: false; why: 'notFound' | 'notEnrolled' | 'lessonLocked' };

/** One lesson for somebody who may open it. */
export async function readLesson(
  parts: LessonParts,
  asker: Asker,
  { packId, firstVideoId }: InputOf<typeof ReadLesson>,
): Promise<LessonRead> {
  const { query } = parts.db;
  const pack = await findStudiedPack(query, packId);
  const row = pack && (await findLesson(query, packId, firstVideoId));
  if (!pack || !row) return { ok: false, why: 'notFound' };
  const viewer = await viewerOf(parts, asker, { packId, sequential: pack.sequential });
  if (!openLessons(await listLessons(query, packId), viewer).get(row.id))
    return { ok: false, why: viewer.enrolled ? 'lessonLocked' : 'notEnrolled' };
  const userId = viewer.enrolled ? (asker?.userId ?? null) : null;
  const seen = userId === null ? null : await readSeen(query, userId, row.id);
  const lesson = { length: row.duration * 1000 };
  return {
    ok: true,
    lesson: {
      packId,
      parentId: null,
      firstCourseId: row.course_id,
      firstVideoId: row.id,
      firstVideoName: row.name,
      kind: row.kind,
      videoState: row.kind === 'audio' ? 1 : 0,
      videoResourceId: row.media_id,
      duration: row.duration,
      ...(await mediaOf(parts, row)),
      certState: row.elective === 1 ? 0 : 1,
      credits: pack.scoreState === 1 ? row.credits : 0,
      profile: row.profile,
      text: row.body,
      pptUrl: userId === null ? '' : row.ppt_url,
      practiceArr:
        userId === null
          ? []
          : await practicesOf(parts, { userId, packId, lessonId: row.id, credited: pack.scoreState === 1 }),
      courseFileCateArr: userId === null ? [] : await fileCategories(query, packId),
      isAnswer: viewer.enrolled ? 1 : 0,
      nodeState: nodeStateOf(seen),
      position: (seen?.position ?? 0) / 1000,
      startAt: startOf(lesson, seen) / 1000,
      watched: Math.floor((seen?.watched ?? 0) / 1000),
      share: seen ? shareOf(lesson, seen) : 0,
    },
  };
}

type OptionsRead = { ok: true; options: DataOf<typeof ExamOptions> } | { ok: false; why: 'notFound' | 'lessonLocked' };

/** What a student can practise and sit beside a lesson. */
export async function readExamOptions(
  parts: LessonParts,
  userId: number,
  { packId, firstVideoId }: InputOf<typeof ExamOptions>,
): Promise<OptionsRead> {
  const { query } = parts.db;
  const pack = await findStudiedPack(query, packId);
  const row = pack && (await findLesson(query, packId, firstVideoId));
  if (!pack || !row) return { ok: false, why: 'notFound' };
  const viewer = await viewerOf(parts, { userId }, { packId, sequential: pack.sequential });
  if (!openLessons(await listLessons(query, packId), viewer).get(row.id)) return { ok: false, why: 'lessonLocked' };
  const chapters = await listChapters(query, packId);
  const practices = [];
  for (const kind of practiceKinds) {
    const found = nearestOf(await listPractices(query, packId, kind), row.chapter_id, chapters);
    if (found) practices.push({ examId: found.id, kind, name: found.name, totalQuestion: found.totalQuestion });
  }
  const counts = await countPapersByKind(query, packId);
  const papers = schoolScoredKinds.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
  return { ok: true, options: { practices, papers } };
}

/** What stands of the media of a lesson, and what is shown beside it. */
async function mediaOf(
  { db: { query } }: LessonParts,
  { id, media_id, next_media_id, media_source, poster }: StoredLesson,
): Promise<Pick<DataOf<typeof ReadLesson>, 'waitsForMedia' | 'mediaFailed' | 'poster' | 'subtitles'>> {
  if (media_id === null) {
    const next = next_media_id === null ? null : await findMedia(query, next_media_id);
    const mediaFailed = next?.state === 'failed';
    const waitsForMedia = (media_source !== '' || next !== null) && !mediaFailed;
    return { waitsForMedia, mediaFailed, poster, subtitles: [] };
  }
  const path = `${PLAY_BYTES.path}${media_id}/`;
  const own = poster === '' ? (await findMedia(query, media_id))?.poster : null;
  const tracks = await readTracks(query, id, media_id);
  return {
    ...{ waitsForMedia: false, mediaFailed: false },
    poster: own ? `${path}poster.jpg` : poster,
    subtitles: tracks.map(({ language, label, file }) => ({
      ...{ lang: language, label, src: path + subtitlesPart(file) },
    })),
  };
}

async function practicesOf(
  { db: { query } }: LessonParts,
  { userId, packId, lessonId, credited }: { userId: number; packId: number; lessonId: number; credited: boolean },
): Promise<DataOf<typeof ReadLesson>['practiceArr']> {
  const practices = await listLessonPractices(query, packId, lessonId);
  const known = await readPracticeProgress(
    query,
    { userId, packId },
    practices.map(({ exam }) => exam),
  );
  return practices.flatMap(({ exam, credits }) => {
    const practice = known.get(exam);
    return practice && practice.total > 0 ? [{ ...practice, credits: credited ? credits : 0 }] : [];
  });
}

/** The credits of a student in a pack; null: there is no such pack. */
export async function readCredits(
  { db: { query } }: LessonParts,
  userId: number,
  packId: number,
): Promise<DataOf<typeof MyCredits> | null> {
  const pack = await findStudiedPack(query, packId);
  if (!pack) return null;
  if (pack.scoreState === 0) return { scoreState: 0, earned: 0, total: 0, open: 0, list: [] };
  const lessons = await listLessons(query, packId);
  const practices = await listLessonPractices(query, packId);
  const progress = await readProgress(query, userId, packId);
  const known = await readPracticeProgress(
    query,
    { userId, packId },
    practices.filter(({ credits }) => credits > 0).map(({ exam }) => exam),
  );
  type Item = DataOf<typeof MyCredits>['list'][number];
  const list = lessons.flatMap((lesson): Item[] => {
    const own: Item[] =
      lesson.credits > 0
        ? [
            {
              kind: 'lesson',
              firstVideoId: lesson.id,
              examId: null,
              name: lesson.name,
              credits: lesson.credits,
              earned: progress.get(lesson.id)?.state === nodeState.finished,
            },
          ]
        : [];
    const beside = practices.flatMap(({ lessonId, exam, credits }): Item[] => {
      const practice = known.get(exam);
      if (lessonId !== lesson.id || !practice || practice.total === 0 || credits === 0) return [];
      const { examId, name } = practice;
      return [{ kind: 'practice', firstVideoId: lesson.id, examId, name, credits, earned: isPracticeDone(practice) }];
    });
    return [...own, ...beside];
  });
  return { scoreState: 1, ...sumCredits(list), list };
}
