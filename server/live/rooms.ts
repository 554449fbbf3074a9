import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Why } from '#contract/envelope.ts';
import { OTHER_PLATFORM, type streamWarningKinds } from '#contract/values/live.ts';
import { beginsLesson, takesStream } from '#rules/live/room.ts';
import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { type Ingest, openIngest, type StreamEvent } from './ingest/ingest.ts';
import { PART } from './ingest/message.ts';
import { Meter, type StreamFacts } from './meter.ts';
import { askForReplay } from './replay.ts';
import { factsOf } from './room-state.ts';
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
} from './stream-store.ts';

/** What lessons in the room of this site need. */
type RoomParts = Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'random' | 'rtmp'>;

/** Where it is said on the bus that a lesson stands otherwise. */
export const lessonChanged = (liveId: number) => `live:${liveId}`;
/** Where it is said that whoever sends a stream has to be cut. */
const CUT = 'live:cut';

/** How often lessons are looked at (milliseconds): what a drop or the clock changes is said within this. */
const LOOK_EVERY = 3000;
/** Bytes of the disk that recordings leave free. */
const KEEP_FREE = 1024 ** 3;

type Done = { ok: true } | { ok: false; why: Why };

export interface Rooms {
  /** Where encoders come to; null: this server takes no streams. */
  ingest: Ingest | null;
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
export async function openRooms({ db, bus, clock, log, random, rtmp }: RoomParts): Promise<Rooms> {
  /** What comes in, by stream. */
  const sending = new Map<string, { meter: Meter; leave: () => void }>();
  /** The part of the recording that is being written, by stream. */
  const parts = new Map<string, string>();
  let work: Promise<void> = Promise.resolve();
  /** One after the other, in the order in which the ingest told. */
  const later = (what: string, run: () => Promise<void>) => {
    work = work.then(run).catch((error: unknown) => log.error({ err: error }, what));
  };
  const tell = (liveId: number) => bus.publish(lessonChanged(liveId), null);

  const ingest = rtmp
    ? openIngest({
        ...{ port: rtmp.port, host: rtmp.host, folder: rtmp.folder, keepFree: KEEP_FREE, log, onEvent: hear },
        authorize: async (key) => {
          const row = await findByKey(db.query, key);
          return row && takes(row, clock()) ? row.stream : null;
        },
      })
    : null;
  const deaf = ingest ? await bus.subscribe(CUT, (stream) => ingest.cut(String(stream))) : null;

  function cut(stream: string): void {
    ingest?.cut(stream);
    void bus.publish(CUT, stream);
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
    sending.set(stream, { meter, leave: ingest?.watch(stream, meter) ?? (() => undefined) });
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
        if (row.started_at === null && beginsLesson({ startTime: row.starts_at }, now)) await startRow(row, now);
      } else if (says === 'over') await noteStream(db.query, row.id, { heard_at: now, over_at: now });
      else if (says === 'refused') await changeStream(db.query, row.id, { fault: event.why });
      else await warn(row.id, event.what);
      await tell(row.id);
    });
  }

  async function warn(liveId: number, what: (typeof streamWarningKinds)[number]): Promise<void> {
    const stream = await findStream(db.query, liveId);
    if (!stream) return;
    const known = JSON.parse(stream.warnings) as string[];
    if (!known.includes(what)) await changeStream(db.query, liveId, { warnings: JSON.stringify([...known, what]) });
  }

  /** What was recorded before now is left out of the lesson, but for the part that is being written. */
  async function firstPart(stream: string): Promise<string> {
    const open = parts.get(stream);
    if (open !== undefined || !rtmp) return open ?? '';
    const names = await readdir(join(rtmp.folder, stream)).catch(() => []);
    const last = names
      .filter((name) => PART.test(name))
      .sort()
      .at(-1);
    // Sorts behind it, and before the next one.
    return last === undefined ? '' : `${last}~`;
  }

  async function startRow(row: StoredLive, now: number): Promise<void> {
    const stream = await findStream(db.query, row.id);
    const first = stream ? await firstPart(stream.stream) : '';
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
        if ((await claimEnd(trx, row.id, now)) && row.started_at !== null) await askForReplay(trx, row.id, now);
      },
      { idempotent: () => true },
    );
    if (stream) cut(stream.stream);
    await tell(row.id);
  }

  /** Notes that streams still come, begins lessons whose time has come meanwhile, cuts what is no longer wanted. */
  async function noteSending(now: number): Promise<void> {
    const gone = ingest?.state().trouble !== null;
    for (const stream of [...sending.keys()]) {
      const row = await findByStream(db.query, stream);
      if (gone || !row) ends(stream);
      // A process that ended told of no end.
      if (!row || !sending.has(stream)) {
        if (row) await noteStream(db.query, row.id, { over_at: now }).then(() => tell(row.id));
        continue;
      }
      if (!takes(row, now)) {
        cut(stream);
        continue;
      }
      await noteStream(db.query, row.id, { heard_at: now });
      if (row.started_at === null && beginsLesson({ startTime: row.starts_at }, now)) await startRow(row, now);
    }
  }

  const look: Chore = {
    name: 'live: rooms',
    every: LOOK_EVERY,
    run: async (now) => {
      if (ingest) await noteSending(now);
      for (const row of await readOpenRooms(db.query, now)) if (!takes(row, now)) await endRow(row, now);
    },
  };

  const found = async (liveId: number) => inRoom(await findLive(db.query, liveId));
  return {
    ingest,
    facts: (stream) => sending.get(stream)?.meter.facts() ?? null,
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
          await changeStream(trx, liveId, { stream_key: streamKey });
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
      await deaf?.();
      await ingest?.close();
      await work;
    },
  };
}
