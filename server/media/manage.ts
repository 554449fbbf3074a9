import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListMedia } from '#contract/media.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { cancelJobsOf, readLastJobs } from '#server/job/store.ts';
import { readPeople } from '#server/user/store.ts';
import { askForTranscode, TRANSCODE } from './bring-in.ts';
import type { LessonsOfMedia, UsesOfMedia } from './lessons-of-media.ts';
import { deleteMedia, lockMedia, readMediaPage, readQualities } from './store.ts';

interface ManageParts {
  db: Db;
  lessons: UsesOfMedia;
}

/** A page of media with what stands of each. */
export async function listMedia(
  { db: { query }, lessons }: ManageParts,
  { keyword = '', among, firstVideoId, pageNum, pageSize }: InputOf<typeof ListMedia>,
): Promise<DataOf<typeof ListMedia>> {
  const { media, total } = await readMediaPage(
    query,
    {
      keyword: keyword.normalize('NFC').trim(),
      state: among === undefined || among === 'unused' ? null : among,
      only: firstVideoId === undefined ? null : await lessons.usedBy(query, firstVideoId),
      without: among === 'unused' ? await lessons.used(query, 'not') : new Set(),
    },
    { limit: pageSize, offset: (pageNum - 1) * pageSize },
  );
  const ids = media.map(({ id }) => id);
  const jobs = await readLastJobs(query, TRANSCODE, ids.map(String));
  const qualities = await readQualities(query, ids);
  const shown = await lessons.of(query, ids);
  const replays = await lessons.replays(query, ids);
  const people = await readPeople(
    query,
    media.flatMap(({ brought_by }) => (brought_by === null ? [] : [brought_by])),
  );
  const list = media.map((row) => {
    const job = jobs.get(String(row.id));
    const trouble = job?.state === 'waiting' ? job.reason : '';
    return {
      mediaId: row.id,
      title: row.title,
      state: row.state,
      // A media that plays can be on its way to being made anew.
      percent: job?.state === 'running' ? (job.percent ?? 0) : null,
      reason: row.reason || trouble,
      kind: row.kind,
      duration: Math.floor((row.duration_ms ?? 0) / 1000),
      bytes: row.source_bytes,
      qualities: qualities.get(row.id) ?? [],
      broughtBy: people.get(row.brought_by ?? 0)?.nickname ?? '',
      createdAt: row.created_at,
      lessons: [...(shown.get(row.id) ?? [])],
      replayOf: [...(replays.get(row.id) ?? [])],
    };
  });
  return { list, total, pages: Math.ceil(total / pageSize), pageNum };
}

/** Asks for a conversion again. @returns false: there is no such media */
export function retryMedia({ db }: Pick<ManageParts, 'db'>, mediaId: number, now: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await lockMedia(trx, mediaId))) return false;
    await askForTranscode(trx, mediaId, now);
    return true;
  });
}

/** Deletes a media that no lesson on offer uses. @returns false: one does */
export function removeMedia({ db, lessons }: ManageParts, mediaId: number, now: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await lockMedia(trx, mediaId))) return true;
    if ((await lessons.of(trx, [mediaId])).has(mediaId)) return false;
    await deleteForgotten(trx, lessons, mediaId, now);
    return true;
  });
}

/** Deletes a media that is held, with its conversion and all that lessons know of it. */
export async function deleteForgotten(
  trx: Trx,
  lessons: Pick<LessonsOfMedia, 'gone'>,
  mediaId: number,
  now: number,
): Promise<void> {
  await cancelJobsOf(trx, TRANSCODE, String(mediaId), now);
  await lessons.gone(trx, mediaId);
  await deleteMedia(trx, mediaId);
}
