import { createHmac, timingSafeEqual } from 'node:crypto';
import type { streamWarningKinds } from '#contract/values/live.ts';
import {
  codecFault,
  keyOfParam,
  LET_IN_FOR,
  mayTakeStream,
  PULL_GRANT_LIFE,
  readPullGrant,
  SRS_APP,
  type SrsEvent,
  type SrsStream,
  writePullGrant,
} from '#rules/live/srs.ts';
import type { Parts } from '#server/parts.ts';
import type { SrsSettings } from '#server/srs-settings.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { StreamFacts } from '../meter.ts';
import { lockLive, type StoredLive } from '../store.ts';
import { changeStream, findByStream, findStream, letGo, letIn, noteSending, readLetIn } from '../stream-store.ts';
import { srsApi } from './api.ts';
import { Pulls } from './pulls.ts';

/** How often SRS is asked who sends (milliseconds). */
const LOOK_EVERY = 2000;
/** How soon after a callback (milliseconds): SRS shows who was let in once it was answered. */
const LOOK_SOON = 400;
/** A stream whose bytes did not grow for so long (milliseconds) is not heard. */
const SILENT_AFTER = 6000;

export interface Srs {
  /** As an ingest of our own: what watches and cuts knows no difference. */
  ingest: Ingest;
  /** What comes in a stream, as SRS shows it; null: nothing. */
  facts(stream: string): StreamFacts | null;
  /** Whether this is the secret of its callbacks. */
  knows(secret: string | null): boolean;
  /** Answers a callback. @returns whether SRS may go on */
  hear(event: SrsEvent): Promise<boolean>;
  /** Looks soon who sends: a word about it came. */
  lookSoon(): void;
}

/** What a stream that comes does to its lesson. */
interface SrsRooms {
  takes(row: StoredLive, now: number): boolean;
  /** It sends: its lesson begins, if its time has come. */
  sends(row: StoredLive): Promise<void>;
  warn(liveId: number, what: (typeof streamWarningKinds)[number]): Promise<void>;
  /** The lesson stands otherwise. */
  tell(liveId: number): Promise<void>;
  /** Something about streams happened that other servers should look at. */
  stir(): void;
}

interface Seen extends SrsStream {
  /** When its bytes last grew, and what they were at each of the last looks (`performance.now()`). */
  grewAt: number;
  looks: { at: number; bytes: number; pictures: number }[];
}

/** Connections that are being ended at once; the others are found by the next look. */
const MOST_ENDED = 32;
/** So many looks back its bandwidth is counted. */
const MOST_LOOKS = 5;

/**
 * Holds what SRS takes in place of an ingest of our own (decision 077). Callbacks give leave and bring news early; how things stand is
 * what its API shows, looked at by every server again and again: so a callback that came late, twice, or never changes nothing for long.
 */
export function openSrs(
  settings: SrsSettings,
  { db, clock, log }: Pick<Parts, 'db' | 'clock' | 'log'>,
  rooms: SrsRooms,
): Srs {
  const api = srsApi(settings.api);
  const sign = (text: string) => createHmac('sha256', settings.secret).update(text).digest('base64url');
  const isSame = (one: string, other: string) =>
    timingSafeEqual(
      createHmac('sha256', 'same').update(one).digest(),
      createHmac('sha256', 'same').update(other).digest(),
    );
  let seen = new Map<string, Seen>();
  let trouble: ReturnType<Ingest['state']>['trouble'] = 'starting';
  let closed = false;

  const pulls = new Pulls({
    log,
    isSent: (stream) => seen.has(stream),
    address: (stream) => {
      const text = writePullGrant(stream, clock() + PULL_GRANT_LIFE);
      return `${settings.flv}/${SRS_APP}/${stream}.flv?grant=${text}.${sign(text)}`;
    },
    tell: (message) =>
      void (async () => {
        const row = await findByStream(db.query, message.stream);
        if (!row) return;
        if (message.says === 'warning') await rooms.warn(row.id, message.what);
        else await refuse(row.id, message.stream, message.why);
        await rooms.tell(row.id);
      })().catch((error: unknown) => log.error({ err: error }, 'SRS: what a stream says was not noted')),
  });

  const ending = new Set<string>();
  /** Ends a connection. Nobody waits for that: an API that is slow to do it would keep those who may send from being heard. */
  function kick(client: string): void {
    if (ending.has(client) || ending.size >= MOST_ENDED) return;
    ending.add(client);
    void api.kick(client).then(() => ending.delete(client));
  }

  /** Notes why a stream is not taken, and ends it. */
  async function refuse(liveId: number, stream: string, fault: string): Promise<void> {
    await changeStream(db.query, liveId, { fault });
    const client = seen.get(stream)?.client;
    if (client !== undefined) kick(client);
  }

  /** What the last look knew goes on where the same connection sends. */
  function remember(streams: readonly SrsStream[]): void {
    const at = performance.now();
    seen = new Map(
      streams.map((stream) => {
        const before = seen.get(stream.stream);
        const known = before?.client === stream.client ? before : null;
        const looks = [...(known?.looks ?? []), { at, bytes: stream.bytes, pictures: stream.pictures }];
        const grew = known === null || stream.bytes > known.bytes;
        return [stream.stream, { ...stream, grewAt: grew ? at : known.grewAt, looks: looks.slice(-MOST_LOOKS) }];
      }),
    );
  }

  async function lookAt(stream: Seen): Promise<void> {
    const row = await findByStream(db.query, stream.stream);
    const stored = row && (await findStream(db.query, row.id));
    // Nobody's, not any more, or another connection than the one that was let in: a new key leaves none.
    if (!row || !stored || !rooms.takes(row, clock()) || stored.publisher !== stream.client) {
      kick(stream.client);
      return;
    }
    const fault = codecFault(stream);
    if (fault !== null) {
      await refuse(row.id, stream.stream, fault);
      await rooms.tell(row.id);
      return;
    }
    if (stream.video === null && stream.audio === null) return;
    if (performance.now() - stream.grewAt > SILENT_AFTER) return;
    if (!(await noteSending(db.query, row.id, stream.client, clock()))) return;
    if (row.heard_at === null || row.over_at !== null) await rooms.tell(row.id);
    await rooms.sends(row);
  }

  /** Who was let in and is not there is gone, though nobody said so: SRS ended, or its word was lost. */
  async function lookForGone(): Promise<void> {
    for (const { stream, publisher } of await readLetIn(db.query, clock() - LET_IN_FOR)) {
      if (seen.get(stream)?.client === publisher) continue;
      const liveId = await db.transaction((trx) => letGo(trx, stream, publisher, clock()), { idempotent: () => true });
      if (liveId !== undefined) await rooms.tell(liveId);
    }
  }

  async function look(): Promise<void> {
    const streams = await api.streams();
    if (closed) return;
    if (streams === null) {
      if (trouble !== 'unreached') log.warn('SRS cannot be asked who sends: no live stream is noted');
      trouble = 'unreached';
      return;
    }
    trouble = null;
    remember(streams);
    for (const stream of [...seen.values()]) await lookAt(stream);
    await lookForGone();
  }

  let looking: Promise<void> | null = null;
  let again = false;
  const lookNow = (): void => {
    if (closed) return;
    if (looking) {
      again = true;
      return;
    }
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, 'SRS: looking at streams'))
      .then(() => {
        looking = null;
        if (!again) return;
        again = false;
        lookNow();
      });
  };
  const looks = setInterval(lookNow, LOOK_EVERY).unref();
  const soon = new Set<NodeJS.Timeout>();
  const lookSoon = () => {
    if (closed || soon.size > 2) return;
    const timer = setTimeout(() => {
      soon.delete(timer);
      lookNow();
    }, LOOK_SOON).unref();
    soon.add(timer);
  };
  lookNow();

  async function publish({ stream, client, param }: SrsEvent): Promise<boolean> {
    const key = keyOfParam(param);
    const found = await findByStream(db.query, stream);
    if (key === null || !found) return false;
    const stored = await findStream(db.query, found.id);
    if (!stored || !isSame(stored.stream_key, key)) return false;
    if (!rooms.takes(found, clock())) return false;
    // Asked now: what was seen at the last look may be over.
    const shown = await api.streams();
    const sends = shown === null ? undefined : (shown.find((one) => one.stream === stream)?.client ?? null);
    const let_in = await db.transaction(async (trx) => {
      const row = await lockLive(trx, found.id);
      const now = clock();
      const held = row && (await findStream(trx, row.id));
      if (!row || !held || !rooms.takes(row, now)) return false;
      const holder =
        held.publisher === ''
          ? null
          : { client: held.publisher, letInAt: held.let_in_at, heardAt: row.over_at === null ? row.heard_at : null };
      return mayTakeStream(client, holder, sends, now) && letIn(trx, row.id, key, client, now);
    });
    if (let_in) rooms.stir();
    return let_in;
  }

  async function unpublish({ stream, client }: SrsEvent): Promise<void> {
    const liveId = await db.transaction((trx) => letGo(trx, stream, client, clock()), { idempotent: () => true });
    if (liveId === undefined) return;
    await rooms.tell(liveId);
    rooms.stir();
  }

  /** Nobody fetches a stream but servers of this site: whoever watches does so through one. */
  function mayPlay({ stream, param }: SrsEvent): boolean {
    const grant = readPullGrant(param);
    return (
      grant !== null &&
      isSame(sign(grant.text), grant.signature) &&
      grant.stream === stream &&
      clock() < grant.expiresAt
    );
  }

  return {
    ingest: {
      state: () => ({ port: Number(new URL(settings.rtmp).port || 1935), trouble }),
      // Who may not send any more is found by what is stored.
      cut: lookNow,
      watch: (stream, viewer) => pulls.watch(stream, viewer),
      close: async () => {
        closed = true;
        trouble = 'closed';
        clearInterval(looks);
        for (const timer of soon) clearTimeout(timer);
        await pulls.close();
        await looking;
      },
    },
    facts: (stream) => {
      const found = seen.get(stream);
      const [first] = found?.looks ?? [];
      const last = found?.looks.at(-1);
      if (!found || !first || !last || performance.now() - found.grewAt > SILENT_AFTER) return null;
      const seconds = (last.at - first.at) / 1000;
      const rate = (count: number) => (seconds > 0 ? count / seconds : 0);
      return {
        kbps: Math.round(rate((last.bytes - first.bytes) * 8) / 1000),
        fps: Math.round(rate(last.pictures - first.pictures) * 10) / 10,
        ...{ keyEvery: null, hasVideo: found.video !== null, hasAudio: found.audio !== null },
      };
    },
    knows: (secret) => secret !== null && isSame(secret, settings.secret),
    hear: async (event) => {
      if (event.action === 'on_play') return mayPlay(event);
      if (event.action === 'on_publish') return publish(event);
      await unpublish(event);
      return true;
    },
    lookSoon,
  };
}
