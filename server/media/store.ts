import { type Selectable, sql } from 'kysely';
import type { MediaState } from '#contract/values/media.ts';
import type { ThumbnailGrid } from '#rules/media/ladder.ts';
import type { PlaylistRendition, Segment } from '#rules/media/playlist.ts';
import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Media } from '#server/db/schema.ts';
import type { Made } from './transcode.ts';

/** A video or a sound as it is stored. */
export type StoredMedia = Selectable<Media>;

/** Notes a source. The same file brought in again is the same one. @returns its id, and what stands of it */
export async function addMedia(
  trx: Trx,
  { source, bytes, title, broughtBy }: { source: string; bytes: number; title: string; broughtBy: number | null },
  now: number,
): Promise<Pick<StoredMedia, 'id' | 'state' | 'duration_ms'> & { known: boolean }> {
  // Written, so that its row is held: a conversion that ends now tells who waits for it after this transaction, or before.
  const known = await trx
    .updateTable('media')
    .set(({ fn, ref, val }) => ({ released_at: null, brought_by: fn.coalesce(ref('brought_by'), val(broughtBy)) }))
    .where('source', '=', source)
    .returning(['id', 'state', 'duration_ms'])
    .executeTakeFirst();
  if (known) return { ...known, known: true };
  const added = await trx
    .insertInto('media')
    .values({
      ...{ source, source_bytes: bytes, title, state: 'waiting', kind: null, duration_ms: null, created_at: now },
      ...{ poster: null, thumbnails: null, thumbnail_grid: null, ready_at: null, brought_by: broughtBy },
    })
    // Brought in twice in one moment, it is the first one's.
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ source }))
    .returning(['id', 'state', 'duration_ms'])
    .executeTakeFirstOrThrow();
  return { ...added, known: false };
}

/** Notes that the pack that brought these names them no more. What a teacher brought is theirs to delete. */
export async function releaseMedia(trx: Trx, ids: readonly number[], now: number): Promise<void> {
  for (const some of inLists(ids))
    await trx
      .updateTable('media')
      .set({ released_at: now })
      .where('id', 'in', some)
      .where('brought_by', 'is', null)
      .execute();
}

/** Media that were released before this time. */
export async function readReleased(query: Query, before: number): Promise<number[]> {
  const rows = await query.selectFrom('media').select('id').where('released_at', '<', before).execute();
  return rows.map(({ id }) => id);
}

/** Holds media that are still released, to delete them: who brings one in again in this moment waits, and then finds none. @returns those */
export async function holdReleased(trx: Trx, ids: readonly number[], before: number): Promise<number[]> {
  const held: number[] = [];
  for (const some of inLists(ids)) {
    const rows = await trx
      .updateTable('media')
      .set({ state: 'failed' })
      .where('id', 'in', some)
      .where('released_at', '<', before)
      .returning('id')
      .execute();
    held.push(...rows.map(({ id }) => id));
  }
  return held;
}

/** @returns null when there is none of that id */
export async function findMedia(query: Query, id: number): Promise<StoredMedia | null> {
  return (await query.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The newest first. */
export async function readMedia(query: Query, limit: number): Promise<StoredMedia[]> {
  return query.selectFrom('media').selectAll().orderBy('id', 'desc').limit(limit).execute();
}

/** Says that it is waited for again; what plays meanwhile goes on playing. */
export async function markWaiting(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('media')
    .set({ state: 'waiting', reason: '' })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .execute();
}

/** Says why it cannot be played. What could be played before still can. */
export async function markFailed(trx: Trx, id: number, reason: string): Promise<void> {
  await trx
    .updateTable('media')
    .set(({ eb }) => ({
      reason,
      state: eb
        .case()
        .when('ready_at', 'is', null)
        .then('failed' as const)
        .else('ready' as const)
        .end(),
    }))
    .where('id', '=', id)
    .execute();
}

/** How long a making that another one replaced can still be played, by those who have its playlist (milliseconds). */
const RETIRED_FOR = 24 * 60 * 60_000;

/** Stores what was made in place of what was there. @returns false: it was deleted meanwhile, and nothing is stored */
export async function saveMade(trx: Trx, id: number, made: Made, now: number): Promise<boolean> {
  const { kind, duration, poster, thumbnails, grid, renditions } = made;
  if (!(await lockMedia(trx, id))) return false;
  const former = trx.deleteFrom('media_renditions').where('media_id', '=', id);
  await former.where('retired_at', '<', now - RETIRED_FOR).execute();
  await trx
    .updateTable('media_renditions')
    .set({ retired_at: now })
    .where('media_id', '=', id)
    .where('retired_at', 'is', null)
    .execute();
  const rows = renditions.map((rendition) => ({
    media_id: id,
    ...{ name: rendition.name, file: rendition.file, key: rendition.key, codecs: rendition.codecs },
    ...{ width: rendition.width, height: rendition.height, frame_rate: rendition.frameRate },
    ...{ bandwidth: rendition.bandwidth, average_bandwidth: rendition.averageBandwidth },
    ...{ duration_ms: rendition.duration, segments: JSON.stringify(rendition.segments), retired_at: null },
  }));
  for (const batch of batches(rows)) await trx.insertInto('media_renditions').values(batch).execute();
  await trx
    .updateTable('media')
    .set({
      ...{ state: 'ready', reason: '', kind, duration_ms: duration, poster, thumbnails, ready_at: now },
      thumbnail_grid: grid && JSON.stringify(grid),
    })
    .where('id', '=', id)
    .execute();
  return true;
}

/** Holds a media until the end of the transaction: it is neither deleted nor given to a lesson meanwhile. @returns null: there is none */
export async function lockMedia(trx: Trx, id: number): Promise<StoredMedia | null> {
  const row = await trx
    .updateTable('media')
    .set(({ ref }) => ({ title: ref('title') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Holds a media for a lesson that a teacher gives it to: it is not forgotten as one that its pack replaced. @returns null: there is none */
export async function takeMedia(
  trx: Trx,
  id: number,
): Promise<(Pick<StoredMedia, 'id' | 'kind' | 'state'> & { duration: number | null }) | null> {
  const row = await trx
    .updateTable('media')
    .set({ released_at: null })
    .where('id', '=', id)
    .returning(['id', 'kind', 'state', 'ready_at', 'duration_ms'])
    .executeTakeFirst();
  if (!row) return null;
  const { kind, state, ready_at, duration_ms } = row;
  return { id, kind, state, duration: ready_at === null ? null : duration_ms };
}

/** Deletes a media with its qualities; its files are nobody's then. */
export async function deleteMedia(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('media_renditions').where('media_id', '=', id).execute();
  await trx.deleteFrom('media').where('id', '=', id).execute();
}

/** What of all media is listed. */
interface MediaFilterOf {
  keyword: string;
  state: MediaState | null;
  /** Of these alone; null: of all. */
  only: ReadonlySet<number> | null;
  /** None of these. */
  without: ReadonlySet<number>;
}

/** A page of media, the newest first, and how many there are. */
export async function readMediaPage(
  query: Query,
  { keyword, state, only, without }: MediaFilterOf,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ media: StoredMedia[]; total: number }> {
  let rows = query.selectFrom('media');
  if (state !== null) rows = rows.where('state', '=', state);
  if (only !== null) rows = rows.where('id', 'in', [0, ...only]);
  if (keyword !== '') {
    const text = `%${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    rows = rows.where(sql<boolean>`lower(title) like ${text} escape '\\'`);
  }
  for (const some of inLists([...without])) rows = rows.where('id', 'not in', some);
  const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const media = await rows.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { media, total: Number(total) };
}

/** The shorter sides of the pictures of each, the smallest first. */
export async function readQualities(query: Query, ids: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const some of inLists(ids)) {
    const rows = await query
      .selectFrom('media_renditions')
      .select(['media_id', 'width', 'height'])
      .where('media_id', 'in', some)
      .where('retired_at', 'is', null)
      .execute();
    for (const { media_id, width, height } of rows)
      if (width !== null && height !== null)
        found.set(media_id, [...(found.get(media_id) ?? []), Math.min(width, height)]);
  }
  for (const sides of found.values()) sides.sort((one, other) => one - other);
  return found;
}

/** Which of these can be played. */
export async function readReady(query: Query, ids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const some of inLists([...new Set(ids)]))
    for (const { id } of await query
      .selectFrom('media')
      .select('id')
      .where('id', 'in', some)
      .where('ready_at', 'is not', null)
      .execute())
      found.add(id);
  return found;
}

/** The titles of media by id. */
export async function readTitles(query: Query, ids: readonly number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const some of inLists([...new Set(ids)])) {
    const rows = await query.selectFrom('media').select(['id', 'title']).where('id', 'in', some).execute();
    for (const { id, title } of rows) found.set(id, title);
  }
  return found;
}

/** What of a ready video its playlists are made of; null: there is none, or it is not ready. */
export interface Playable {
  duration: number;
  poster: string | null;
  thumbnails: string | null;
  grid: ThumbnailGrid | null;
  /** `retired`: in no list any more, but still played by whom began with it. */
  renditions: (PlaylistRendition & { file: string; segments: Segment[]; retired: boolean })[];
}

/** Reads what plays, without its keys. */
export async function readPlayable(query: Query, id: number): Promise<Playable | null> {
  const media = await query
    .selectFrom('media')
    .select(['duration_ms', 'poster', 'thumbnails', 'thumbnail_grid'])
    .where('id', '=', id)
    .where('ready_at', 'is not', null)
    .executeTakeFirst();
  if (!media) return null;
  const rows = await query
    .selectFrom('media_renditions')
    .select(['name', 'file', 'width', 'height', 'frame_rate', 'codecs'])
    .select(['bandwidth', 'average_bandwidth', 'segments', 'retired_at'])
    .where('media_id', '=', id)
    .execute();
  return {
    duration: media.duration_ms ?? 0,
    poster: media.poster,
    thumbnails: media.thumbnails,
    grid: media.thumbnail_grid === null ? null : (JSON.parse(media.thumbnail_grid) as ThumbnailGrid),
    renditions: rows.map(({ frame_rate, average_bandwidth, segments, retired_at, ...row }) => ({
      ...row,
      frameRate: frame_rate,
      averageBandwidth: average_bandwidth,
      segments: JSON.parse(segments) as Segment[],
      retired: retired_at !== null,
    })),
  };
}

/** The key of one quality; null: there is none of that name. */
export async function readKey(query: Query, id: number, rendition: string): Promise<Buffer | null> {
  const row = await query
    .selectFrom('media_renditions')
    .select('key')
    .where('media_id', '=', id)
    .where('name', '=', rendition)
    .executeTakeFirst();
  return row ? Buffer.from(row.key, 'hex') : null;
}

/** The title of the source with this stored name; null: it is no source of ours. */
export async function findSource(query: Query, name: string): Promise<{ title: string } | null> {
  return (await query.selectFrom('media').select('title').where('source', '=', name).executeTakeFirst()) ?? null;
}

/** Which of these stored files belong to a video: its source, its qualities, its pictures. */
export async function readMediaFiles(query: Query, names: readonly string[]): Promise<string[]> {
  const found: (string | null)[] = [];
  for (const some of inLists(names)) {
    for (const column of ['source', 'poster', 'thumbnails'] as const) {
      const rows = await query.selectFrom('media').select(`${column} as name`).where(column, 'in', some).execute();
      found.push(...rows.map(({ name }) => name));
    }
    const rows = await query.selectFrom('media_renditions').select('file').where('file', 'in', some).execute();
    found.push(...rows.map(({ file }) => file));
  }
  return found.filter((name) => name !== null);
}
