import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type APIRequestContext, expect } from '@playwright/test';
import { endEnrolment, enrol } from '#server/course/enrolment-store.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { bringIn } from '#server/media/bring-in.ts';
import { clipMaker, film, H264, tone } from '#server/media/clips.test-kit.ts';
import { findMedia } from '#server/media/store.ts';
import { setLessonMedia } from '#server/play/lesson-media.ts';
import { call } from './call.ts';
import { DATA_DIR } from './operator.ts';
import { newStudent } from './student.ts';

const root = join(import.meta.dirname, '..');

/** A pack whose lessons are a film, a sound and a film that is not ready, one after the other; made beside the running server. */
export interface FilmSchool {
  db: Db;
  packId: number;
  /** Whole seconds of the film and of the sound. */
  seconds: { film: number; sound: number };
  lessons: { film: number; sound: number; waiting: number };
  /** A new student of the pack, signed in at the page. */
  join(request: APIRequestContext): Promise<number>;
  /** A pack that is open as a whole: the film twice, then the sound. */
  filmsInARow(): Promise<{ packId: number; lessons: number[] }>;
  /** Ends what a student bought. */
  leave(studentId: number): Promise<void>;
  close(): Promise<void>;
}

/** Of a sound much shorter than this, a moment in which a busy machine stands still is more than the tenth that need not be heard. */
const SECONDS = { film: 12, sound: 12 };
/** Milliseconds that the server may take to convert both. */
const PATIENCE = 150_000;

/**
 * Makes the pack; its clips go through the pipeline of the server that runs on the folder.
 * @param plain is told where the film lies as it came, before that is removed
 */
export async function makeFilmSchool(
  folder = join(root, DATA_DIR),
  plain: (path: string) => void = () => undefined,
): Promise<FilmSchool> {
  const db = await openDb({ kind: 'sqlite', path: join(folder, 'lixue.db') }, Date.now());
  const files = localFiles(join(folder, 'files'));
  const clips = await clipMaker();
  const sources = await Promise.all([
    clips.make(
      'film.mp4',
      ...film('1280x720', SECONDS.film, 10),
      ...tone(SECONDS.film),
      ...H264,
      ...['-c:a', 'aac', '-shortest', '-movflags', '+faststart'],
    ),
    clips.make('sound.m4a', ...tone(SECONDS.sound), '-c:a', 'aac'),
  ]);
  const media = [];
  for (const path of sources) media.push(await bringIn({ db, files }, { path, title: path }, Date.now()));
  plain(sources[0]);
  clips.remove();
  const ids = media.map(({ id }) => id);
  await expect
    .poll(async () => (await Promise.all(ids.map((id) => findMedia(db.query, id)))).map((row) => row?.state), {
      timeout: PATIENCE,
      intervals: [500],
    })
    .toEqual(['ready', 'ready']);

  const makePack = async (unlock: 'sequential' | 'free') => {
    const slug = `films-${randomBytes(6).toString('hex')}`;
    const { id: packId } = await db.query
      .insertInto('packs')
      .values({
        ...{ slug, name: `影音课程 ${slug.slice(6)}`, summary: '', description: '', exam_date: null },
        ...{ enrol: 'closed', unlock, position: 900, score_state: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: courseId } = await db.query
      .insertInto('courses')
      .values({ pack_id: packId, slug: 'course', name: '课程', position: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const lesson = async (name: string, kind: 'video' | 'audio', position: number, afterId: number | null) => {
      const { id } = await db.query
        .insertInto('lessons')
        .values({
          ...{ pack_id: packId, course_id: courseId, chapter_id: null, slug: `lesson-${position}`, name, level: 1 },
          ...{
            position,
            kind,
            elective: 0,
            trial: 0,
            credits: 2,
            profile: '',
            body: '',
            media_source: `${position}.mp4`,
          },
          ...{ media_id: null, duration: 0, after_id: afterId },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    };
    return { packId, lesson };
  };
  const { packId, lesson } = await makePack('sequential');
  const first = await lesson('第一节 看一段影片', 'video', 1, null);
  const sound = await lesson('第二节 听一段录音', 'audio', 2, first);
  const waiting = await lesson('第三节 还在准备', 'video', 3, sound);
  await setLessonMedia(db, { firstVideoId: first, mediaId: ids[0] ?? 0 });
  await setLessonMedia(db, { firstVideoId: sound, mediaId: ids[1] ?? 0 });
  return {
    db,
    packId,
    seconds: SECONDS,
    lessons: { film: first, sound, waiting },
    join: async (request) => {
      await newStudent(request);
      const { user } = await call(request, 'GET /api/user/info', {});
      const studentId = user?.studentId ?? 0;
      await enrol(db.query, studentId, packId, Date.now());
      return studentId;
    },
    filmsInARow: async () => {
      const row = await makePack('free');
      const lessons = [
        await row.lesson('第一节 看一段', 'video', 1, null),
        await row.lesson('第二节 再看一段', 'video', 2, null),
        await row.lesson('第三节 听一段', 'audio', 3, null),
      ];
      for (const [index, mediaId] of [ids[0], ids[0], ids[1]].entries())
        await setLessonMedia(db, { firstVideoId: lessons[index] ?? 0, mediaId: mediaId ?? 0 });
      return { packId: row.packId, lessons };
    },
    leave: async (studentId) => {
      await endEnrolment(db.query, studentId, packId);
    },
    close: () => db.close(),
  };
}
