import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Why } from '#contract/envelope.ts';
import { OTHER_PLATFORM, type streamWarningKinds } from '#contract/values/live.ts';
import { warningsAfter } from '#rules/live/codec.ts';
import { byPartName, PART } from '#rules/live/part-name.ts';
import { CLOCKS_APART } from '#rules/live/recorded.ts';
import { beginsLesson, takesStream } from '#rules/live/room.ts';
import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { type Ingest, openIngest, type StreamEvent } from './ingest/ingest.ts';
import { Meter, type StreamFacts } from './meter.ts';
import { askForReplay } from './replay.ts';
import { factsOf } from './room-state.ts';
import { openSrs, type Srs } from './srs/srs.ts';
import { findLive, lockLive, type StoredLive } from './store.ts';
import { newStreamKey } from './stream-names.ts';
import {
  changeStream,
  claimEnd,
  claimStart,
  findByKey,
  findByStream,
  findStream,
  noteStream,
  readOpenRooms,
  type StoredStream,
} from './stream-store.ts';

/** What lessons in the room of this site need. */
type RoomParts = Pick<Parts, 'db' | 'bus' | 'clock' | 'sureTime' | 'log' | 'random' | 'rtmp' | 'srs'>;

/** Where it is said on the bus that a lesson stands otherwise. */
export const lessonChanged = (liveId: number) => `live:${liveId}`;
/** Where it is said that whoever sends a stream has to be cut. */
const CUT = 'live:cut';

/** How often lessons are looked at (milliseconds): what a drop or the clock changes is said within this. */
const LOOK_EVERY = 3000;
/** How long a key that was found right is known (milliseconds): an encoder has ten seconds to begin with it. */
const KNOWN_FOR = 60_000;
/** Bytes of the disk that recordings leave free. */
const KEEP_FREE = 1024 ** 3;

type Done = { ok: true } | { ok: false; why: Why };

export interface Rooms {
  /** Where encoders come to; null: this server takes no streams. */
  ingest: Ingest | null;
  /** Where SRS takes the streams: what answers it. */
  srs: Srs | null;
  /** What comes in a stream at this server; null: nothing. */
  facts(stream: string): StreamFacts | null;
  /** A teacher starts a lesson, or ends it for good. Twice is the same as once. */
  start(liveId: number, now: number): Promise<Done>;
  end(liveId: number, now: number): Promise<Done>;
  /** Another key; whoever sends with the old one is cut. */
  newKey(liveId: number, now: number): Promise<{ ok: true; streamKey: string } | { ok: false; why: Why }>;
  chores: readonly Chore[];
  close(): Promise<void>;
}

/** One lesson in the room of this site that was not called off; or why there is none. */
function inRoom(row: StoredLive | undefined): { ok: true; row: StoredLive } | { ok: false; why: Why } {
  if (!row) return { ok: false, why: 'notFound' };
  if (row.live_platform === OTHER_PLATFORM) return { ok: false, why: 'liveNotHere' };
  return row.cancelled_at === null ? { ok: true, row } : { ok: false, why: 'liveCancelled' };
}

const takes = (row: StoredLive, now: number) => row.cancelled_at === null && takesStream(factsOf(row, false), now);

/**
 * Holds the lessons in the room of this site: starts the ingest, says who may send, and notes in the database what comes, so that a lesson
 * goes on after a restart and every process knows how it stands.
 */
export async function openRooms({ db, bus, clock, sureTime, log, random, ...where }: RoomParts): Promise<Rooms> {
  const { srs: settings } = where;
  // SRS takes them: no port of our own is opened.
  const rtmp = settings ? null : where.rtmp;
  /** What comes in, by stream. */
  const sending = new Map<string, { meter: Meter; leave: () => void; key: string; cut: boolean }>();
  /** The key that was last found right, by stream, and when (`performance.now()`): whoever begins came with it, within moments. */
  const keys = new Map<string, { key: string; at: number }>();
  /** The part of the recording that is being written, by stream. */
  const parts = new Map<string, string>();
  let work: Promise<void> = Promise.resolve();
  /** One after the other, in the order in which the ingest told. */
  const later = (what: string, run: () => Promise<void>) => {
    work = work.then(run).catch((error: unknown) => log.error({ err: error }, what));
  };
  const tell = (liveId: number) => bus.publish(lessonChanged(liveId), null);

  const srs = settings
    ? openSrs(
        settings,
        { db, clock, log },
        {
          ...{ takes, warn, tell },
          sends: async (row) => {
            const sure = await sureTime(db.query);
            if (sure !== null && row.started_at === null && beginsLesson({ startTime: row.starts_at }, sure))
              await startRow(row, sure);
          },
          stir: () => void bus.publish(CUT, ''),
        },
      )
    : null;
  const own = rtmp
    ? openIngest({
        ...{ port: rtmp.port, host: rtmp.host, folder: rtmp.folder, keepFree: KEEP_FREE, log, onEvent: hear },
        authorize: async (key) => {
          const row = await findByKey(db.query, key);
          if (!row || !takes(row, clock())) return null;
          keys.set(row.stream, { key, at: performance.now() });
          cutOther(row.stream, key);
          return row.stream;
        },
      })
    : null;
  const ingest = srs?.ingest ?? own;
  const deaf = ingest
    ? await bus.subscribe(CUT, (stream) => (srs ? srs.lookSoon() : ingest.cut(String(stream))))
    : null;

  function cut(stream: string): void {
    ingest?.cut(stream);
    void bus.publish(CUT, stream);
  }

  /** Whoever sends with another key than the stored one is cut: of a new key, or an end, that came by another server no word may have come. */
  function cutOther(stream: string, key: string | null): void {
    const known = sending.get(stream);
    if (!known || known.key === key || known.cut) return;
    known.cut = true;
    cut(stream);
  }

  function begins(stream: string): void {
    ends(stream);
    const meter = new Meter(
      () => performance.now(),
      () => {
        const known = sending.get(stream);
        if (known?.meter === meter && ingest) known.leave = ingest.watch(stream, meter);
      },
    );
    const leave = ingest?.watch(stream, meter) ?? (() => undefined);
    sending.set(stream, { meter, leave, key: keys.get(stream)?.key ?? '', cut: false });
  }

  function ends(stream: string): void {
    sending.get(stream)?.leave();
    sending.delete(stream);
  }

  function hear(event: StreamEvent): void {
    const { says, stream } = event;
    if (says === 'part') {
      if (event.whole) parts.delete(stream);
      else parts.set(stream, event.name);
      return;
    }
    if (says === 'begun') begins(stream);
    if (says === 'over') ends(stream);
    later('what the ingest told was not noted', async () => {
      const row = await findByStream(db.query, stream);
      if (!row) return;
      const now = clock();
      if (says === 'begun') {
        await changeStream(db.query, row.id, { fault: '', warnings: '[]' });
        await noteStream(db.query, row.id, { heard_at: now, over_at: null });
        // While the clock is in doubt nothing begins: when it did cannot be mended. The chore looks again, with a time that is sure.
        const sure = await sureTime(db.query);
        if (sure !== null && row.started_at === null && beginsLesson({ startTime: row.starts_at }, sure))
          await startRow(row, sure);
      } else if (says === 'over') await noteStream(db.query, row.id, { heard_at: now, over_at: now });
      else if (says === 'refused') await changeStream(db.query, row.id, { fault: event.why });
      else await warn(row.id, event.what);
      await tell(row.id);
    });
  }

  async function warn(liveId: number, what: (typeof streamWarningKinds)[number]): Promise<void> {
    const stream = await findStream(db.query, liveId);
    if (!stream) return;
    const warnings = JSON.stringify(warningsAfter(JSON.parse(stream.warnings) as string[], what));
    if (warnings !== stream.warnings) await changeStream(db.query, liveId, { warnings });
  }

  /** What was recorded before now is left out of the lesson, but for the part that is being written. */
  async function firstPart({ stream, publisher, let_in_at }: StoredStream, now: number): Promise<string> {
    // SRS names what it records by its own clock: a part of who sends now began when they were let in.
    if (settings) return `0000-${(publisher === '' ? now : let_in_at) - CLOCKS_APART}.flv`;
    const open = parts.get(stream);
    if (open !== undefined || !rtmp) return open ?? '';
    const names = await readdir(join(rtmp.folder, stream)).catch(() => []);
    const last = names
      .filter((name) => PART.test(name))
      .sort(byPartName)
      .at(-1);
    // Sorts behind it, and before the next one.
    return last === undefined ? '' : `${last}~`;
  }

  async function startRow(row: StoredLive, now: number): Promise<void> {
    const stream = await findStream(db.query, row.id);
    const first = stream ? await firstPart(stream, now) : '';
    await db.transaction(
      async (trx) => {
        if (await claimStart(trx, row.id, now)) await changeStream(trx, row.id, { first_part: first });
      },
      { idempotent: () => true },
    );
    await tell(row.id);
  }

  async function endRow(row: StoredLive, now: number): Promise<void> {
    const stream = await findStream(db.query, row.id);
    await db.transaction(
      async (trx) => {
        // Nothing that was recorded before it began belongs to it.
        const claimed = await claimEnd(trx, row.id, now);
        // As it stands now: it may have begun while this one looked.
        if (claimed && claimed.started_at !== null) await askForReplay(trx, row.id, now);
      },
      { idempotent: () => true },
    );
    if (stream) cut(stream.stream);
    await tell(row.id);
  }

  /**
   * Notes that streams still come, and cuts who may not send any more. It asks no sure clock: after a restart in the middle of a lesson its
   * students would read that the teacher is away, until the clock is sure.
   */
  async function noteHeard(): Promise<void> {
    const gone = ingest?.state().trouble !== null;
    for (const stream of [...sending.keys()]) {
      const row = await findByStream(db.query, stream);
      const stored = row && (await findStream(db.query, row.id));
      // It ended meanwhile, which is noted by itself.
      if (!sending.has(stream)) continue;
      if (gone || !row || !stored) {
        ends(stream);
        // A process that ended told of no end.
        if (row) await noteStream(db.query, row.id, { over_at: clock() }).then(() => tell(row.id));
        continue;
      }
      cutOther(stream, row.ended_at === null && row.cancelled_at === null ? stored.stream_key : null);
      if (sending.get(stream)?.cut) continue;
      // Of an earlier end too: that it began may not have been stored.
      await noteStream(db.query, row.id, { heard_at: clock(), over_at: null });
      if (row.over_at !== null) await tell(row.id);
    }
  }

  /** Begins lessons whose time has come while they are sent, cuts what the clock has ended. */
  async function lookAtSending(now: number): Promise<void> {
    for (const stream of [...sending.keys()]) {
      const row = await findByStream(db.query, stream);
      if (!row || !sending.has(stream)) continue;
      if (!takes(row, now)) cut(stream);
      else if (row.started_at === null && beginsLesson({ startTime: row.starts_at }, now)) await startRow(row, now);
    }
  }

  let noting = false;
  const notes = setInterval(() => {
    if (noting || sending.size === 0) return;
    noting = true;
    // In turn with what the ingest tells: the end of a stream is noted after that it was heard.
    later('that a stream comes was not noted', () =>
      noteHeard().finally(() => {
        noting = false;
      }),
    );
  }, LOOK_EVERY).unref();

  const look: Chore = {
    name: 'live: rooms',
    every: LOOK_EVERY,
    run: async (now) => {
      const before = performance.now() - KNOWN_FOR;
      for (const [stream, { at }] of keys) if (at < before) keys.delete(stream);
      await lookAtSending(now);
      for (const row of await readOpenRooms(db.query, now)) if (!takes(row, now)) await endRow(row, now);
    },
  };

  const found = async (liveId: number) => inRoom(await findLive(db.query, liveId));
  return {
    ingest,
    srs,
    facts: (stream) => srs?.facts(stream) ?? sending.get(stream)?.meter.facts() ?? null,
    start: async (liveId, now) => {
      const room = await found(liveId);
      if (!room.ok) return room;
      if (!takes(room.row, now)) return { ok: false, why: 'liveOver' };
      if (room.row.started_at === null) await startRow(room.row, now);
      return { ok: true };
    },
    end: async (liveId, now) => {
      const room = await found(liveId);
      if (!room.ok) return room;
      if (room.row.ended_at !== null) return { ok: true };
      if (room.row.started_at === null) return { ok: false, why: 'liveNotOpen' };
      await endRow(room.row, now);
      return { ok: true };
    },
    newKey: async (liveId, now) => {
      const streamKey = newStreamKey(random);
      const changed = await db.transaction(
        async (trx): Promise<{ ok: true; stream: string } | { ok: false; why: Why }> => {
          const room = inRoom(await lockLive(trx, liveId));
          if (!room.ok) return room;
          if (!takes(room.row, now)) return { ok: false, why: 'liveOver' };
          const stream = await findStream(trx, liveId);
          if (!stream) return { ok: false, why: 'notFound' };
          await changeStream(trx, liveId, { stream_key: streamKey, publisher: '' });
          return { ok: true, stream: stream.stream };
        },
      );
      if (!changed.ok) return changed;
      // After the commit: who is asked for again now is asked for with the new one.
      cut(changed.stream);
      return { ok: true, streamKey };
    },
    chores: [look],
    close: async () => {
      clearInterval(notes);
      await deaf?.();
      await ingest?.close();
      await work;
    },
  };
}
