import type { Selectable } from 'kysely';
import type { MediaKind } from '#contract/values/media.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Lessons } from '#server/db/schema.ts';

/** Subtitles of a lesson as they are stored. */
export interface LessonTrack {
  language: string;
  label: string;
  /** The stored WebVTT. */
  file: string;
}

/** What a pack brings for a lesson: media that is stored, ready or not, and its subtitles. */
export interface BroughtMedia {
  mediaId: number;
  /** Milliseconds; null: it is not ready. */
  duration: number | null;
  tracks: readonly LessonTrack[];
}

/** Media as a lesson shows it. */
interface ReadyMedia {
  mediaId: number;
  kind: MediaKind;
  /** Milliseconds. */
  duration: number;
}

/** What of a lesson says which media it shows. */
type LessonMedia = Pick<
  Selectable<Lessons>,
  | 'id'
  | 'pack_id'
  | 'course_id'
  | 'chapter_id'
  | 'name'
  | 'kind'
  | 'pack_kind'
  | 'duration'
  | 'media_id'
  | 'next_media_id'
  | 'pack_media_id'
  | 'media_given'
>;

const columns = [
  ...(['id', 'pack_id', 'course_id', 'chapter_id', 'name', 'kind', 'pack_kind', 'duration'] as const),
  ...(['media_id', 'next_media_id', 'pack_media_id', 'media_given'] as const),
] as const;

/** The columns by which a lesson uses a media: it shows it, waits for it, or its pack brings it. */
const uses = ['media_id', 'next_media_id', 'pack_media_id'] as const;

/** A lesson on offer, of any pack; null: there is none of that id. */
export async function findLessonMedia(query: Query, lessonId: number): Promise<LessonMedia | null> {
  const row = await query
    .selectFrom('lessons')
    .select(columns)
    .where('id', '=', lessonId)
    .where('archived', '=', 0)
    .executeTakeFirst();
  return row ?? null;
}

/** Holds a lesson on offer until the end of the transaction. Its media are held before it. @returns null: there is none of that id */
export async function lockLessonMedia(trx: Trx, lessonId: number): Promise<LessonMedia | null> {
  const row = await trx
    .updateTable('lessons')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', lessonId)
    .where('archived', '=', 0)
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** The lessons on offer of a pack in the order of its directory. */
export async function listLessonMedia(query: Query, packId: number): Promise<LessonMedia[]> {
  return query
    .selectFrom('lessons')
    .select(columns)
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The packs that have lessons on offer. */
export async function readTaughtPacks(query: Query): Promise<Set<number>> {
  const rows = await query.selectFrom('lessons').select('pack_id').distinct().where('archived', '=', 0).execute();
  return new Set(rows.map(({ pack_id }) => pack_id));
}

/** The lessons on offer that use one of these media. */
export async function readLessonsUsing(query: Query, mediaIds: readonly number[]): Promise<LessonMedia[]> {
  const found = new Map<number, LessonMedia>();
  for (const some of inLists(mediaIds)) {
    const rows = await query
      .selectFrom('lessons')
      .select(columns)
      .where('archived', '=', 0)
      .where((is) => is.or(uses.map((column) => is(column, 'in', some))))
      .orderBy('id')
      .execute();
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()];
}

/** The media that lessons use. @param archived whether those count that are no longer on offer, and may be again */
export async function readUsedMedia(query: Query, archived: 'too' | 'not'): Promise<Set<number>> {
  const used = new Set<number>();
  for (const column of uses) {
    let rows = query.selectFrom('lessons').select(`${column} as id`).distinct().where(column, 'is not', null);
    if (archived === 'not') rows = rows.where('archived', '=', 0);
    for (const { id } of await rows.execute()) if (id !== null) used.add(id);
  }
  return used;
}

/** What a lesson shows from now on, as a teacher says, or its pack does. The kind that its pack says is kept beside the teacher's. */
export async function showMedia(
  trx: Trx,
  { id, kind, pack_kind }: LessonMedia,
  { mediaId, kind: shownKind, duration }: ReadyMedia,
  by: 'teacher' | 'pack',
): Promise<void> {
  const packKind = pack_kind || kind;
  await trx
    .updateTable('lessons')
    .set({
      ...{ media_id: mediaId, next_media_id: null, duration: Math.floor(duration / 1000) },
      ...(by === 'teacher'
        ? { media_given: 1, kind: shownKind, pack_kind: packKind }
        : { media_given: 0, kind: packKind, pack_kind: '' }),
    })
    .where('id', '=', id)
    .execute();
  await dropTracks(trx, [id]);
}

/** Lets a lesson wait for what a teacher gives it; what it shows meanwhile stays. */
export async function waitForMedia(trx: Trx, lessonId: number, mediaId: number): Promise<void> {
  await trx.updateTable('lessons').set({ next_media_id: mediaId, media_given: 1 }).where('id', '=', lessonId).execute();
}

/** Leaves a lesson with nothing to show but what its pack brings, as soon as that is ready. @param nextId null: it brings nothing */
export async function showNothing(
  trx: Trx,
  { id, kind, pack_kind }: LessonMedia,
  nextId: number | null,
): Promise<void> {
  await trx
    .updateTable('lessons')
    .set({
      ...{ media_id: null, duration: 0, next_media_id: nextId, media_given: 0 },
      ...{ kind: pack_kind || kind, pack_kind: '' },
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Gives the lessons that wait for a media what is ready now, archived ones too, in the transaction that makes it so. Until then they show
 * what they showed before; subtitles of that go with it, unless it is their pack's. Media that was made anew may have another length.
 */
export async function showReadyMedia(trx: Trx, media: ReadyMedia): Promise<void> {
  const { mediaId, duration } = media;
  const waiting = await trx
    .updateTable('lessons')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('next_media_id', '=', mediaId)
    .returning(columns)
    .execute();
  for (const lesson of waiting) await showMedia(trx, lesson, media, lesson.media_given === 1 ? 'teacher' : 'pack');
  const seconds = Math.floor(duration / 1000);
  await trx.updateTable('lessons').set({ duration: seconds }).where('media_id', '=', mediaId).execute();
}

/** Takes a media that is deleted from the lessons that are no longer on offer. */
export async function forgetMedia(trx: Trx, mediaId: number): Promise<void> {
  const lessons = await trx
    .selectFrom('lessons')
    .select(columns)
    .where('archived', '=', 1)
    .where((is) => is.or(uses.map((column) => is(column, '=', mediaId))))
    .execute();
  for (const lesson of lessons) {
    if (lesson.media_id === mediaId) await showNothing(trx, lesson, null);
    for (const column of ['next_media_id', 'pack_media_id'] as const)
      await trx
        .updateTable('lessons')
        .set({ [column]: null })
        .where('id', '=', lesson.id)
        .where(column, '=', mediaId)
        .execute();
  }
}

/** Drops the subtitles of media that these lessons neither show nor have from their pack. */
async function dropTracks(trx: Trx, lessonIds: readonly number[]): Promise<void> {
  for (const some of inLists(lessonIds))
    await trx
      .deleteFrom('lesson_subtitles')
      .where('lesson_id', 'in', some)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('lessons')
              .select('lessons.id')
              .whereRef('lessons.id', '=', 'lesson_subtitles.lesson_id')
              .where((is) =>
                is.or([
                  is('lessons.media_id', '=', is.ref('lesson_subtitles.media_id')),
                  is('lessons.pack_media_id', '=', is.ref('lesson_subtitles.media_id')),
                ]),
              ),
          ),
        ),
      )
      .execute();
}

/** The subtitles that a lesson has for one of its media, in order. */
export async function readTracks(query: Query, lessonId: number, mediaId: number): Promise<LessonTrack[]> {
  return query
    .selectFrom('lesson_subtitles')
    .select(['language', 'label', 'file'])
    .where('lesson_id', '=', lessonId)
    .where('media_id', '=', mediaId)
    .orderBy('position')
    .execute();
}

/** Writes the subtitles of a lesson for the media that its pack brings; those of what it shows meanwhile stay. @returns whether they differ */
export async function syncTracks(
  trx: Trx,
  lessonId: number,
  brought: BroughtMedia | null,
  shownId: number | null,
): Promise<boolean> {
  const kept = [...new Set([brought?.mediaId ?? 0, shownId ?? 0])];
  await trx
    .deleteFrom('lesson_subtitles')
    .where('lesson_id', '=', lessonId)
    .where('media_id', 'not in', kept)
    .execute();
  if (brought === null) return false;
  const { mediaId, tracks } = brought;
  const line = ({ language, label, file }: LessonTrack) => `${language} ${file} ${label}`;
  const stored = await readTracks(trx, lessonId, mediaId);
  if (stored.map(line).join('\n') === tracks.map(line).join('\n')) return false;
  await trx.deleteFrom('lesson_subtitles').where('lesson_id', '=', lessonId).where('media_id', '=', mediaId).execute();
  const rows = tracks.map(({ language, label, file }, at) => ({
    ...{ lesson_id: lessonId, media_id: mediaId, position: at + 1, language, label, file },
  }));
  if (rows.length > 0) await trx.insertInto('lesson_subtitles').values(rows).execute();
  return true;
}

/** Whether a stored file is subtitles of a media that lessons on offer show. */
export async function hasTrack(query: Query, mediaId: number, file: string): Promise<boolean> {
  const row = await query
    .selectFrom('lesson_subtitles')
    .innerJoin('lessons', 'lessons.id', 'lesson_subtitles.lesson_id')
    .select('lesson_id')
    .where('lesson_subtitles.media_id', '=', mediaId)
    .where('lesson_subtitles.file', '=', file)
    .where('lessons.archived', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these stored files are subtitles of lessons. */
export async function readTrackFiles(query: Query, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(names)) {
    const rows = await query
      .selectFrom('lesson_subtitles')
      .select('file')
      .distinct()
      .where('file', 'in', some)
      .execute();
    found.push(...rows.map(({ file }) => file));
  }
  return found;
}
