import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import { DeleteMedia, ListMedia, PLAY_BYTES, RetryMedia, VideoAuth } from '#contract/media.ts';
import { ASK_AGAIN, GRANT_LIFE, type Grant, isGranted, readGrant, writeGrant } from '#rules/media/grant.ts';
import {
  masterPlaylist,
  mediaPlaylist,
  playPartOf,
  segmentPlace,
  startRendition,
  thumbnailTrack,
} from '#rules/media/playlist.ts';
import { settledSetting } from '#server/db/settings-store.ts';
import { type Refused, refuse, type SignedIn } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { type BytesReply, PRIVATE, type ServeBytes } from '#server/http/serve-bytes.ts';
import type { Parts } from '#server/parts.ts';
import { remembered } from '#server/remembered.ts';
import { sessionReader } from '#server/user/session-store.ts';
import type { UsesOfMedia } from './lessons-of-media.ts';
import { listMedia, removeMedia, retryMedia } from './manage.ts';
import { findMedia, type Playable, readKey, readPlayable } from './store.ts';

/**
 * Whether somebody may watch a video, as the lessons that show it say; null: a visitor. Asked for each grant and each key, and
 * every `ASK_AGAIN` while it plays. Teachers watch everything and are not asked for.
 */
type MayWatch = (userId: number | null, mediaId: number) => Promise<{ ok: true } | { ok: false; why: Why }>;

/** Told of each right to play that is given to somebody signed in; what it does is done before they have it. */
type OnRight = (right: { userId: number; mediaId: number; at: number }) => Promise<void>;

/** Whether a stored file is subtitles of a video, as those say that show it. */
type HasSubtitles = (mediaId: number, file: string) => Promise<boolean>;

const PLAYLIST = 'application/vnd.apple.mpegurl';
const TRACK = 'text/vtt; charset=utf-8';
/** Whom a grant was given to; null: a visitor. */
const watcherOf = ({ userId, teacher, session }: Grant): SignedIn | null =>
  session === null ? null : { userId, role: teacher ? 'teacher' : 'student', tokenHash: session };
/** What is read of a video is believed this long (milliseconds): a new making of it has new names. */
const KNOWN_FOR = 5000;
/** The installation's key: grants of one process are good at all others. */
export async function grantSigner({ db, random }: Pick<Parts, 'db' | 'random'>): Promise<(text: string) => string> {
  const key = await settledSetting(db.query, 'play_key', () => random(32).toString('base64url'));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * Binds playing (contract/media.ts). A grant is for one person and one video, lasts minutes and stands in no address. Its
 * segments are streamed from where they lie; keys ask each time whether the person may still watch.
 */
export function mediaRoutes(
  serve: Serve,
  serveBytes: ServeBytes,
  { db, files, clock }: Pick<Parts, 'db' | 'files' | 'clock'>,
  {
    mayWatch,
    onRight,
    hasSubtitles,
    sign,
    lessons,
  }: {
    mayWatch: MayWatch;
    onRight: OnRight;
    hasSubtitles: HasSubtitles;
    sign: (text: string) => string;
    lessons: UsesOfMedia;
  },
): void {
  const askedLately = remembered<boolean>(ASK_AGAIN, clock);
  const readLately = remembered<Playable | null>(KNOWN_FOR, clock);

  const readSession = sessionReader(db);
  const pathOf = (mediaId: number) => `${PLAY_BYTES.path}${mediaId}/`;

  async function may(user: Pick<SignedIn, 'userId' | 'role'> | null, mediaId: number): ReturnType<MayWatch> {
    return user?.role === 'teacher' ? { ok: true } : mayWatch(user?.userId ?? null, mediaId);
  }

  serve(ListMedia, ({ input }) => listMedia({ db, lessons }, input));
  serve(RetryMedia, async ({ input: { mediaId }, arrivedAt }) =>
    (await retryMedia({ db }, mediaId, arrivedAt)) ? {} : refuse('notFound'),
  );
  serve(DeleteMedia, async ({ input: { mediaId }, arrivedAt }) =>
    (await removeMedia({ db, lessons }, mediaId, arrivedAt)) ? {} : refuse('mediaInUse'),
  );

  serve(VideoAuth, async ({ input: { fileId, begins }, user, arrivedAt, setGrant }) => {
    const access = await may(user, fileId);
    if (!access.ok) return refuse(user === null && access.why === 'notEnrolled' ? 'notSignedIn' : access.why);
    const playable = await readPlayable(db.query, fileId);
    if (!playable) return refuse((await isKnown(fileId)) ? 'mediaNotReady' : 'notFound');
    if (user !== null) await onRight({ userId: user.userId, mediaId: fileId, at: arrivedAt });
    const expiresAt = arrivedAt + GRANT_LIFE;
    const text = writeGrant({
      ...{ userId: user?.userId ?? 0, mediaId: fileId, expiresAt },
      ...{ teacher: user?.role === 'teacher', session: user?.tokenHash ?? null },
    });
    const token = `${text}.${sign(text)}`;
    setGrant({ token, expiresAt, path: pathOf(fileId) });
    const begin = begins === 1 ? await beginningOf(fileId, playable) : null;
    return { token, expiresAt, path: pathOf(fileId), begin };
  });

  /** What a player asks for first. The enrolment was asked for in this moment, as for each key. */
  async function beginningOf(mediaId: number, { renditions }: Playable): Promise<DataOf<typeof VideoAuth>['begin']> {
    const shown = renditions.filter(({ retired }) => !retired);
    const first = startRendition(shown);
    const key = first && (await readKey(db.query, mediaId, first.name));
    if (!first || !key) return null;
    const { name, segments } = first;
    const playlist = mediaPlaylist(name, segments);
    return { master: masterPlaylist(shown), name, playlist, key: key.toString('base64') };
  }

  const isKnown = async (mediaId: number) => (await findMedia(db.query, mediaId)) !== null;

  /** The grant that came, if it is ours. */
  function grantOf(token: string | null): Grant | null {
    const [, text = '', signature = ''] = /^(.{1,150})\.([\w-]{43})$/.exec(token ?? '') ?? [];
    if (text === '') return null;
    return timingSafeEqual(Buffer.from(sign(text)), Buffer.from(signature)) ? readGrant(text) : null;
  }

  serveBytes(PLAY_BYTES, async ({ id, part, grant: token, session, arrivedAt }): Promise<BytesReply | Refused> => {
    const grant = grantOf(token);
    const signed = grant && (await session());
    const signedIn = signed === 'unknown' || !signed ? signed : signed.userId;
    if (!grant || !isGranted(grant, { mediaId: id, now: arrivedAt, signedIn })) return refuse('playEnded');
    const asked = playPartOf(part);
    const watcher = watcherOf(grant);
    const ask = async () => (watcher === null || (await isStill(watcher, arrivedAt))) && (await may(watcher, id)).ok;
    // A key opens all that was ever fetched: nothing remembered decides about it.
    const allowed =
      asked?.what === 'key'
        ? await ask()
        : await askedLately(`${grant.userId} ${id} ${grant.teacher} ${grant.session}`, ask);
    if (!allowed) return refuse('playEnded');
    const playable = asked && (await readLately(String(id), () => readPlayable(db.query, id)));
    if (!asked || !playable) return refuse('notFound');
    const { renditions, grid, duration, poster, thumbnails } = playable;
    const person = watcher?.userId ?? null;
    switch (asked.what) {
      case 'master':
        return { type: PLAYLIST, text: masterPlaylist(renditions.filter(({ retired }) => !retired)) };
      case 'subtitles':
        return (await hasSubtitles(id, asked.file)) ? stored(person, asked.file, TRACK, null, '') : refuse('notFound');
      case 'thumbnailTrack':
        return grid ? { type: TRACK, text: thumbnailTrack(grid, duration) } : refuse('notFound');
      case 'poster':
        return picture(person, poster);
      case 'thumbnails':
        return picture(person, thumbnails);
    }
    const rendition = renditions.find(({ name }) => name === asked.rendition);
    if (!rendition) return refuse('notFound');
    if (asked.what === 'playlist') return { type: PLAYLIST, text: mediaPlaylist(rendition.name, rendition.segments) };
    if (asked.what !== 'segment') {
      const key = await readKey(db.query, id, rendition.name);
      return key ? { type: 'application/octet-stream', text: key } : refuse('notFound');
    }
    const place = segmentPlace(rendition.segments, asked.at);
    if (!place) return refuse('notFound');
    return stored(person, rendition.file, 'video/mp2t', place, `-${asked.at}`);
  });

  /** Whether the session in which a grant was given goes on, for who may sign in, in the role they had: a program, and a browser that signed out, send none with it. */
  async function isStill({ userId, role, tokenHash }: SignedIn, now: number): Promise<boolean> {
    const session = await readSession(tokenHash);
    if (!session || session.user_id !== userId || session.expires_at <= now) return false;
    return session.disabled === 0 && session.role === role;
  }

  /** A stored file, or one part of it that stands for itself. */
  async function stored(
    person: number | null,
    name: string,
    type: string,
    place: { first: number; last: number } | null,
    part: string,
  ): Promise<BytesReply | Refused> {
    const file = await files.find(name);
    if (!file) return refuse('notFound');
    const { first, last } = place ?? { first: 0, last: file.size - 1 };
    return {
      ...{ person, type, size: last - first + 1, etag: `"${name.slice(3, 67)}${part}"`, modifiedAt: file.storedAt },
      headers: { 'cache-control': PRIVATE },
      ...(file.path === undefined ? {} : { place: { path: file.path, first } }),
      read: (range) => file.read(range ? { first: first + range.first, last: first + range.last } : { first, last }),
    };
  }

  const picture = async (person: number | null, name: string | null) =>
    name === null ? refuse('notFound') : stored(person, name, 'image/jpeg', null, '');
}
