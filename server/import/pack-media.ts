import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedPack } from '#content/pack/pack.ts';
import type { MediaState } from '#contract/values/media.ts';
import type { Db, Trx } from '#server/db/open.ts';
import type { Files } from '#server/files.ts';
import { addSource, type StoredSource, storeSource } from '#server/media/bring-in.ts';
import type { BroughtMedia, LessonTrack } from '#server/play/lesson-media-store.ts';

/** The files of lessons that are stored: their media by file name, their subtitles by slug. */
export interface StoredMedia {
  sources: ReadonlyMap<string, StoredSource>;
  tracks: ReadonlyMap<string, LessonTrack[]>;
}

/** A lesson with media. */
export interface LessonMedia {
  slug: string;
  name: string;
  mediaId: number;
  state: MediaState;
  /** Its conversion was asked for now. */
  asked: boolean;
}

/**
 * Stores the films, sounds and subtitles of a pack that was found to be good; no film is held in memory. They are named by their content,
 * so what is stored before a transaction that fails is harmless, and found again later.
 * @param progress told how many bytes were read, of how many
 */
export async function storeMedia(
  { db, files }: { db: Db; files: Files },
  folder: string,
  pack: Pick<CheckedPack, 'lessons'>,
  progress?: (done: number, all: number) => void,
): Promise<StoredMedia> {
  const names = [...new Set(pack.lessons.map(({ media }) => media).filter(Boolean))];
  const pathOf = (name: string) => join(folder, 'lessons', name);
  const sizes = await Promise.all(names.map(async (name) => (await stat(pathOf(name))).size));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const sources = new Map<string, StoredSource>();
  let before = 0;
  for (const [at, name] of names.entries()) {
    const told = progress && ((done: number) => progress(before + done, all));
    sources.set(
      name,
      await storeSource({ query: db.query, files }, { path: pathOf(name), title: name, progress: told }),
    );
    before += sizes[at] ?? 0;
  }
  const tracks = new Map<string, LessonTrack[]>();
  for (const { slug, subtitles } of pack.lessons) {
    const stored: LessonTrack[] = [];
    for (const { language, label, track } of subtitles)
      stored.push({ language, label, file: await files.put(new TextEncoder().encode(track), 'vtt') });
    tracks.set(slug, stored);
  }
  return { sources, tracks };
}

/** Notes the media of a pack and asks for the conversion of what is new. @returns what its lessons get, by slug, and what is told of it */
export async function noteMedia(
  trx: Trx,
  pack: Pick<CheckedPack, 'lessons'>,
  { sources, tracks }: StoredMedia,
  now: number,
): Promise<{ brought: Map<string, BroughtMedia>; media: LessonMedia[] }> {
  const brought = new Map<string, BroughtMedia>();
  const media: LessonMedia[] = [];
  // In one order, so that two imports that bring the same never wait for each other.
  const named = pack.lessons.flatMap(({ slug, name, media: file }) => {
    const source = sources.get(file);
    return source ? [{ slug, name, source }] : [];
  });
  for (const { slug, name, source } of named.toSorted((a, b) => (a.source.source < b.source.source ? -1 : 1))) {
    const { id, state, duration_ms, asked } = await addSource(trx, source, now);
    const duration = state === 'ready' ? duration_ms : null;
    brought.set(slug, { mediaId: id, duration, tracks: tracks.get(slug) ?? [] });
    media.push({ slug, name, mediaId: id, state, asked });
  }
  return { brought, media };
}
