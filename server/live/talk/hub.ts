import type { TalkWatch } from '#contract/live-talk.ts';
import type { MessageOf } from '#contract/socket.ts';
import { readEnrolledOf } from '#server/course/enrolment-store.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import type { Parts } from '#server/parts.ts';
import { findLive } from '../store.ts';
import { keepPresences, type Presence } from './presence-store.ts';
import { readState, shownEvents, type TalkEvent, type TalkState, toldTo, type Viewer } from './room.ts';
import { readAfter, readTalk } from './talk-store.ts';

/** One window that is in a room. */
interface Window extends Viewer {
  send(message: MessageOf<typeof TalkWatch>): void;
  close(): void;
}

/** The room of one lesson, as far as windows of this process are in it. */
interface Room {
  liveId: number;
  windows: Set<Window>;
  /** The last event that its windows were told. */
  seq: number;
  /** Students who are there since when, with the number of their windows. */
  there: Map<number, { since: number; windows: number }>;
  /** People at the other processes, and when they last said so (`performance.now()`). */
  elsewhere: Map<string, { online: number; at: number }>;
  state: TalkState | null;
  /** When the state was last told (`performance.now()`). */
  toldAt: number;
  leave: () => Promise<void>;
  /** Looks for what is new: one look at a time, and one more for whatever is said during it. */
  look(): Promise<void>;
  /** Tells how the room stands, at most once in `STATE_EVERY`. */
  tellState(): void;
  end(): void;
}

/** Events that are told in one message. */
const AT_ONCE = 100;
/** Milliseconds between two words on how a room stands: votes and comings of a thousand people are one. */
const STATE_EVERY = 1000;
/** How soon windows hear what the bus lost, or what another process said where there is no bus between them (milliseconds). */
const LOOK_EVERY = 2000;
/** Another process that said nothing for so long is gone (milliseconds). */
const ELSEWHERE_LASTS = 30_000;

/** What tells the processes that something happened in a room. */
export const talkOf = (liveId: number) => `live-talk:${liveId}`;
const onlineOf = (liveId: number) => `live-online:${liveId}`;

type HubParts = Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'random'>;

/** The rooms of this process. */
export type Hub = ReturnType<typeof talkHub>;

/**
 * The rooms of this process, with the windows that are in them. A message on the bus is only the reason to look: what is told is what the
 * database says after the last number that was told, so that every window hears everything once and in order, whatever the bus
 * loses or repeats; and where it is silent a chore looks.
 */
export function talkHub({ db, bus, clock, log, random }: HubParts) {
  const here = random(6).toString('hex');
  const rooms = new Map<number, Promise<Room>>();
  const open = new Map<number, Room>();
  /** Stretches of students who have left, until they are stored. */
  let left: Presence[] = [];

  const count = (room: Room) => new Set([...room.windows].map(({ userId }) => userId)).size;
  const onlineIn = (room: Room) => {
    const since = performance.now() - ELSEWHERE_LASTS;
    let online = count(room);
    for (const [process, { online: theirs, at }] of room.elsewhere)
      if (at < since) room.elsewhere.delete(process);
      else online += theirs;
    return online;
  };
  const sayOnline = (room: Room) =>
    bus.publish(onlineOf(room.liveId), { process: here, online: count(room) }).catch(() => undefined);

  async function openRoom(liveId: number): Promise<Room> {
    let looking: Promise<void> = Promise.resolve();
    let asked = false;
    let telling: ReturnType<typeof setTimeout> | undefined;
    let looks: ReturnType<typeof setInterval> | undefined;
    const room: Room = {
      ...{ liveId, windows: new Set(), there: new Map(), elsewhere: new Map(), state: null, toldAt: 0, seq: 0 },
      leave: async () => undefined,
      look: () => {
        if (asked) return looking;
        asked = true;
        looking = looking
          .then(async () => {
            asked = false;
            await tellNew(room);
          })
          .catch((error) => log.warn({ err: error, liveId }, 'watching the talk of a lesson'));
        return looking;
      },
      tellState: () => {
        if (telling !== undefined) return;
        const wait = Math.max(0, STATE_EVERY - (performance.now() - room.toldAt));
        telling = setTimeout(() => {
          telling = undefined;
          void tellState(room).catch((error) => log.warn({ err: error, liveId }, 'telling how a lesson stands'));
        }, wait).unref();
      },
      end: () => {
        clearTimeout(telling);
        clearInterval(looks);
        void room.leave().catch(() => undefined);
      },
    };
    const leaves: (() => Promise<void>)[] = [];
    room.leave = async () => {
      await Promise.all(leaves.splice(0).map((leave) => leave()));
    };
    leaves.push(
      await bus.subscribe(talkOf(liveId), () => {
        void room.look();
        room.tellState();
      }),
      await bus.subscribe(onlineOf(liveId), (message) => {
        const { process, online } = message as { process: string; online: number };
        if (process === here) return;
        const known = room.elsewhere.get(process)?.online;
        room.elsewhere.set(process, { online, at: performance.now() });
        // Who is new here has not heard of us.
        if (known === undefined) void sayOnline(room);
        if (known !== online) room.tellState();
      }),
    );
    // After the subscription: what is said from here on is told, what was said before is caught up on by the windows.
    try {
      room.seq = (await readTalk(db.query, liveId)).last_seq;
    } catch (error) {
      room.end();
      throw error;
    }
    // What the bus lost, or another process said where there is no bus between them; no clock decides it.
    looks = setInterval(() => void room.look(), LOOK_EVERY).unref();
    open.set(liveId, room);
    return room;
  }

  async function tellNew(room: Room): Promise<void> {
    for (;;) {
      const rows = await readAfter(db.query, room.liveId, room.seq, AT_ONCE);
      const last = rows.at(-1);
      if (last === undefined) return;
      const events = await shownEvents(db.query, rows);
      tell(room, events);
      room.seq = last.seq;
    }
  }

  function tell(room: Room, events: readonly TalkEvent[]): void {
    const nobody: Viewer = { userId: 0, teacher: false };
    const whole = { events: [...events], state: null };
    const plain = { events: events.map((event) => toldTo(event, nobody)), state: null };
    const concerned = new Set(events.map(({ toUserId }) => toUserId));
    for (const window of room.windows) {
      if (window.teacher) window.send(whole);
      else if (!concerned.has(window.userId)) window.send(plain);
      else window.send({ events: events.map((event) => toldTo(event, window)), state: null });
    }
  }

  /** Looks how a room stands; null: its lesson is gone. */
  async function lookAt(room: Room): Promise<TalkState | null> {
    const row = await findLive(db.query, room.liveId);
    return row ? readState(db.query, row, { online: onlineIn(room), now: clock() }) : null;
  }

  async function tellState(room: Room, beat = false): Promise<void> {
    const state = await lookAt(room);
    if (state === null) return;
    // The numbers are told by the events alone: what stands here may be further than they are.
    const same = JSON.stringify({ ...room.state, seq: 0 }) === JSON.stringify({ ...state, seq: 0 });
    room.state = state;
    if (same && !beat) return;
    room.toldAt = performance.now();
    const message = { events: [], state };
    for (const window of room.windows) window.send(message);
  }

  /** Takes a window into a room; @returns what takes it out again. */
  async function enter(liveId: number, window: Window): Promise<() => void> {
    const opening = rooms.get(liveId) ?? openRoom(liveId);
    rooms.set(liveId, opening);
    let room: Room;
    try {
      room = await opening;
    } catch (error) {
      if (rooms.get(liveId) === opening) rooms.delete(liveId);
      throw error;
    }
    // It was given up while we waited.
    if (rooms.get(liveId) !== opening) return enter(liveId, window);
    room.windows.add(window);
    if (!window.teacher) {
      const known = room.there.get(window.userId);
      room.there.set(window.userId, { since: known?.since ?? clock(), windows: (known?.windows ?? 0) + 1 });
    }
    void sayOnline(room);
    let gone = false;
    const leave = () => {
      if (gone) return;
      gone = true;
      room.windows.delete(window);
      const known = room.there.get(window.userId);
      if (known && known.windows > 1) known.windows -= 1;
      else if (known) {
        room.there.delete(window.userId);
        left.push({ liveId, userId: window.userId, from: known.since, until: Math.max(known.since, clock()) });
      }
      void sayOnline(room);
      if (room.windows.size > 0) return room.tellState();
      rooms.delete(liveId);
      open.delete(liveId);
      room.end();
    };
    // What it hears first: from here on everything after this number comes by the socket.
    let state: TalkState | null;
    try {
      state = room.state ?? (await lookAt(room));
    } catch (error) {
      // Nobody else would take it out: it would be there, and attend, for ever.
      leave();
      throw error;
    }
    if (state) window.send({ events: [], state: { ...state, seq: room.seq, online: onlineIn(room) } });
    room.tellState();
    return leave;
  }

  /** Stores who is there and who has left. What cannot be stored now is stored with the next turn. */
  async function keepAttendance(now: number): Promise<void> {
    const parted = left;
    left = [];
    // Who came or left while the clock was wrong did so now at the latest: this time is sure.
    const sure = (one: Presence) => ({ ...one, from: Math.min(one.from, now), until: Math.min(one.until, now) });
    const there = [...open.values()].flatMap(({ liveId, there: present }) =>
      [...present].map(([userId, known]) => {
        known.since = Math.min(known.since, now);
        return { liveId, userId, from: known.since, until: now };
      }),
    );
    try {
      for (const [liveId, stretches] of Map.groupBy([...parted.map(sure), ...there], ({ liveId: of }) => of))
        await db.transaction((trx) => keepPresences(trx, liveId, stretches), { idempotent: () => true });
    } catch (error) {
      left = [...parted, ...left];
      throw error;
    }
  }

  /** Ends the windows of those who may not be in a room any more. */
  async function endUnentitled(): Promise<void> {
    for (const room of open.values()) {
      const row = await findLive(db.query, room.liveId);
      const held = row !== undefined && row.cancelled_at === null;
      const onOffer = held && (await findStudiedPack(db.query, row.pack_id)) !== undefined;
      const students = [...room.there.keys()];
      const enrolled = onOffer ? await readEnrolledOf(db.query, row.pack_id, students) : new Set<number>();
      for (const window of [...room.windows])
        if (!held || !(window.teacher || enrolled.has(window.userId))) window.close();
    }
  }

  return {
    enter,
    keepAttendance,
    endUnentitled,
    /** Who is in the room of a lesson at this process, students alone. */
    presentIn: (liveId: number): ReadonlySet<number> => new Set(open.get(liveId)?.there.keys()),
    /** People in the room of a lesson, as far as this process knows. */
    onlineIn: (liveId: number): number => {
      const room = open.get(liveId);
      return room ? onlineIn(room) : 0;
    },
    /** Says again how every room stands: a window to which nobody speaks takes its connection for dead. */
    beat: async () => {
      for (const room of open.values()) {
        await sayOnline(room);
        await tellState(room, true);
      }
    },
  };
}
