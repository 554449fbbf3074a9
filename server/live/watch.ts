import { timingSafeEqual } from 'node:crypto';
import type { Why } from '#contract/envelope.ts';
import { HLS_BYTES, WatchGrant, WatchLive } from '#contract/live-stream.ts';
import type { MessageOf } from '#contract/socket.ts';
import { type LiveForm, OTHER_PLATFORM, UPCOMING } from '#contract/values/live.ts';
import { livePartOf } from '#rules/live/sliding-list.ts';
import { HLS_GRANT_LIFE, readWatchGrant, WATCH_GRANT_LIFE, writeWatchGrant } from '#rules/live/watch-grant.ts';
import type { Chore } from '#server/chores.ts';
import { readEnrolledOf } from '#server/course/enrolment-store.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import { type Refused, refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { BytesReply, ServeBytes } from '#server/http/serve-bytes.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import type { Parts } from '#server/parts.ts';
import { remembered } from '#server/remembered.ts';
import type { LiveHls } from './hls.ts';
import { mayEnter, type Visitor } from './live.ts';
import { readStanding } from './room-state.ts';
import { lessonChanged, type Rooms } from './rooms.ts';
import { findLive, type StoredLive } from './store.ts';
import { findStream } from './stream-store.ts';

type News = MessageOf<typeof WatchLive>;

/** Closing codes that a window understands: see contract/live-stream.ts. */
const NOT_ALLOWED = 4403;
const TOO_SLOW = 4408;
const ANEW = 4410;
/** How often it is asked whether who watches still may, and how lessons stand by the clock (milliseconds). */
const ASK_AGAIN = 10_000;
/** What the browsers that it is for call it. */
const PLAYLIST = 'application/vnd.apple.mpegurl';
const SEGMENT = 'video/mp2t';
/** Windows come back over so many milliseconds for each that watches, within bounds. */
const SPREAD_EACH = 20;
const LEAST_SPREAD = 500;
const MOST_SPREAD = 10_000;

interface Window {
  visitor: Visitor;
  tell(news: News): void;
  close(code: number): void;
}

/** Everybody at this server who watches one lesson. */
interface Audience {
  windows: Set<Window>;
  news: Omit<News, 'spread'> | null;
  leave: Promise<() => Promise<void>>;
}

/** Who watches what at this server. */
export interface Watchers {
  count(liveId: number): number;
  chores: readonly Chore[];
}

/**
 * Binds watching: a grant is given to who may enter a lesson that is live, and opens its stream; while it is open it is asked again and
 * again whether its person may watch. Grants are signed with the key of those of media and begin otherwise.
 */
export function serveWatch(
  serve: Serve,
  serveSocket: ServeSocket,
  serveBytes: ServeBytes,
  { db, bus, clock, log }: Pick<Parts, 'db' | 'bus' | 'clock' | 'log'>,
  { rooms, hls, sign }: { rooms: Rooms; hls: LiveHls | null; sign: (text: string) => string },
): Watchers {
  const audiences = new Map<number, Audience>();
  const askedLately = remembered<string | null>(ASK_AGAIN, clock);

  /** Why a lesson cannot be watched now; null: it can. Teachers see its trials too. */
  async function closedTo(visitor: Visitor, row: StoredLive | undefined, now: number): Promise<Why | null> {
    const access = await mayEnter(db.query, row, visitor);
    if (!access.ok || !row) return access.ok ? 'notFound' : access.why;
    if (row.live_platform === OTHER_PLATFORM) return 'liveNotHere';
    const { state, stream } = await readStanding(db.query, row, now);
    if (stream === 'ended') return 'liveOver';
    return state === UPCOMING && visitor.role !== 'teacher' ? 'liveNotOpen' : null;
  }

  serve(WatchGrant, async ({ input: { liveId, as = 'flv' }, user, arrivedAt, setGrant }) => {
    const why = await closedTo(user, await findLive(db.query, liveId), arrivedAt);
    if (why !== null) return refuse(why);
    const give = (form: LiveForm, life: number, path: string) => {
      const expiresAt = arrivedAt + life;
      const text = writeWatchGrant({ form, userId: user.userId, liveId, expiresAt });
      setGrant({ token: `${text}.${sign(text)}`, expiresAt, path });
      return { expiresAt };
    };
    const socket = give('flv', WATCH_GRANT_LIFE, WatchLive.path);
    if (as === 'flv') return socket;
    const stream = await findStream(db.query, liveId);
    const trouble = stream && hls ? await hls.trouble(stream.stream) : null;
    if (trouble !== null) return refuse(trouble === 'full' ? 'busy' : 'liveNoHls');
    return give('hls', HLS_GRANT_LIFE, `${HLS_BYTES.path}${liveId}/`);
  });

  function isGranted(
    token: string | null,
    { form, liveId, userId }: { form: LiveForm; liveId: number; userId: number },
  ): boolean {
    const grant = readWatchGrant(token);
    if (!grant || !timingSafeEqual(Buffer.from(sign(grant.text)), Buffer.from(grant.signature))) return false;
    return grant.form === form && grant.userId === userId && grant.liveId === liveId && clock() < grant.expiresAt;
  }

  /** The stream of a lesson that somebody may watch, as asked in the last seconds; null: they may not. What is refused is asked anew each time. */
  const streamFor = (visitor: Visitor, liveId: number): Promise<string | null> =>
    askedLately(`${visitor.userId} ${visitor.role} ${liveId}`, async () => {
      const why = await closedTo(visitor, await findLive(db.query, liveId), clock());
      return why === null ? ((await findStream(db.query, liveId))?.stream ?? null) : null;
    });

  serveBytes(HLS_BYTES, async ({ id, part, grant, session }): Promise<BytesReply | Refused> => {
    const person = grant === null ? null : await session();
    if (person === null || person === 'unknown') return refuse('playEnded');
    if (!isGranted(grant, { form: 'hls', liveId: id, userId: person.userId })) return refuse('playEnded');
    const asked = livePartOf(part);
    if (!asked) return refuse('notFound');
    const stream = await streamFor(person, id);
    if (stream === null) return refuse('playEnded');
    if (asked.what === 'playlist') {
      const text = (await hls?.playlist(stream)) ?? null;
      return text === null ? refuse('notFound') : { type: PLAYLIST, text };
    }
    const bytes = hls?.segment(stream, asked.number) ?? null;
    return bytes === null ? refuse('notFound') : { type: SEGMENT, text: bytes };
  });

  /** Null: it is held no more. */
  async function read(liveId: number): Promise<Audience['news']> {
    const row = await findLive(db.query, liveId);
    if (!row || row.cancelled_at !== null) return null;
    const { state, stream } = await readStanding(db.query, row, clock());
    return { state, streamState: stream };
  }

  /** Tells a whole audience how its lesson stands, where that is news; who is in one that was called off is sent away, teachers too. */
  async function look(liveId: number): Promise<void> {
    const audience = audiences.get(liveId);
    if (!audience) return;
    const news = await read(liveId);
    if (news === null) {
      for (const window of audience.windows) window.close(NOT_ALLOWED);
      return;
    }
    if (JSON.stringify(news) === JSON.stringify(audience.news)) return;
    audience.news = news;
    for (const window of audience.windows) window.tell({ ...news, spread: spreadOf(audience) });
  }

  const spreadOf = ({ windows }: Audience) => Math.min(MOST_SPREAD, Math.max(LEAST_SPREAD, windows.size * SPREAD_EACH));

  function join(liveId: number, window: Window): Audience {
    let audience = audiences.get(liveId);
    if (!audience) {
      const again = () =>
        void look(liveId).catch((error: unknown) => log.warn({ err: error }, 'telling of a live lesson'));
      audience = { windows: new Set(), news: null, leave: bus.subscribe(lessonChanged(liveId), again) };
      audiences.set(liveId, audience);
    }
    audience.windows.add(window);
    return audience;
  }

  function part(liveId: number, window: Window): void {
    const audience = audiences.get(liveId);
    audience?.windows.delete(window);
    if (!audience || audience.windows.size > 0) return;
    audiences.delete(liveId);
    audience.leave
      .then((leave) => leave())
      .catch((error: unknown) => log.warn({ err: error }, 'watching a live lesson'));
  }

  serveSocket(
    WatchLive,
    async (socket, { input: { liveId, as = 'flv' }, user }) => {
      const stream = await findStream(db.query, liveId);
      if (!stream) return socket.close(NOT_ALLOWED);
      const window: Window = { visitor: user, tell: socket.send, close: socket.close };
      const audience = join(liveId, window);
      socket.onClose(() => part(liveId, window));
      await audience.leave;
      audience.news ??= await read(liveId);
      if (audience.news) window.tell({ ...audience.news, spread: spreadOf(audience) });
      if (as === 'hls') return;
      const stop = rooms.ingest?.watch(stream.stream, {
        send: socket.sendBytes,
        waiting: socket.waiting,
        end: (why) => socket.close(why === 'changed' ? ANEW : TOO_SLOW),
      });
      if (stop) socket.onClose(stop);
    },
    async ({ input: { liveId }, user, grant }) =>
      isGranted(grant, { form: 'flv', liveId, userId: user.userId }) ? null : 'notAllowed',
  );

  /** Asks for everybody who watches whether they still may, and how the lessons stand by the clock. */
  async function askAgain(): Promise<void> {
    for (const [liveId, { windows }] of [...audiences]) {
      const row = await findLive(db.query, liveId);
      const open = row?.cancelled_at === null && (await findStudiedPack(db.query, row.pack_id)) !== undefined;
      const students = [...windows].filter(({ visitor }) => visitor.role !== 'teacher');
      const ids = [...new Set(students.map(({ visitor }) => visitor.userId))];
      const enrolled = row && open ? await readEnrolledOf(db.query, row.pack_id, ids) : new Set();
      for (const window of students) if (!enrolled.has(window.visitor.userId)) window.close(NOT_ALLOWED);
      await look(liveId);
    }
  }

  return {
    count: (liveId) => audiences.get(liveId)?.windows.size ?? 0,
    chores: [{ name: 'live: who watches', every: ASK_AGAIN, run: askAgain }],
  };
}
