import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';

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

/**
 * Gives the lessons that wait for a media what is ready now, in the transaction that makes it so. Until then they show what they
 * showed before; subtitles of that go with it. Media that was made anew may have another length.
 * @param duration milliseconds
 */
export async function showReadyMedia(
  trx: Trx,
  { mediaId, duration }: { mediaId: number; duration: number },
): Promise<void> {
  const seconds = Math.floor(duration / 1000);
  const shown = await trx
    .updateTable('lessons')
    .set({ media_id: mediaId, next_media_id: null, duration: seconds })
    .where('next_media_id', '=', mediaId)
    .returning('id')
    .execute();
  await trx.updateTable('lessons').set({ duration: seconds }).where('media_id', '=', mediaId).execute();
  for (const some of inLists(shown.map(({ id }) => id)))
    await trx.deleteFrom('lesson_subtitles').where('lesson_id', 'in', some).where('media_id', '!=', mediaId).execute();
}

/** Which of these media lessons show, wait for, or have in their pack. */
export async function readMediaInUse(query: Query, mediaIds: readonly number[]): Promise<Set<number>> {
  const used = new Set<number>();
  for (const some of inLists(mediaIds))
    for (const column of ['media_id', 'next_media_id', 'pack_media_id'] as const) {
      const rows = await query
        .selectFrom('lessons')
        .select(`${column} as id`)
        .distinct()
        .where(column, 'in', some)
        .execute();
      for (const { id } of rows) if (id !== null) used.add(id);
    }
  return used;
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
