import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ListHands, OpenPoll, ReadTalk, SayTalk, TalkReplay } from '#contract/live-talk.ts';
import { TALK_AT_ONCE, TALK_OPEN } from '#contract/values/live-talk.ts';
import { checkPoll, checkSaid, latelyFrom, mayDelete, maySay } from '#rules/live/talk.ts';
import { sayAfterCommit } from '#server/db/after-commit.ts';
import { grouped } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import type { Parts } from '#server/parts.ts';
import { readPeople } from '#server/user/store.ts';
import { findLive, type StoredLive } from '../store.ts';
import { type Hub, talkHub, talkOf } from './hub.ts';
import { addPoll, addVote, endPoll, findLastPoll, findOpened, findPoll, findVote, optionsOf } from './poll-store.ts';
import {
  enterRoom,
  heldOf,
  readState,
  shownEvents,
  stageOf,
  type TalkEvent,
  type TalkState,
  toldTo,
  type Viewer,
} from './room.ts';
import {
  addEvent,
  changeTalk,
  countSaidSince,
  findSaid,
  findSent,
  isHandUp,
  isMuted,
  lockTalk,
  markDeleted,
  readAfter,
  readBefore,
  readHands,
  readMuted,
  readSaid,
  setHand,
  setMuted,
} from './talk-store.ts';

/** Where what was said at a moment stands in the replay of a lesson, and back. */
interface ReplayClock {
  /** The second of the replay at which a moment was recorded; null: it is in none of its parts. */
  secondOf(at: number): number | null;
  /** The first moment that is at this second of the replay or after it. */
  momentOf(second: number): number;
}

/** What the calls, the socket and the chores of the rooms share; what is of other features is passed in by `app.ts`. */
export interface TalkParts extends Pick<Parts, 'db' | 'clock' | 'log'> {
  hub: Hub;
  /** The words of the school's list that a text has. */
  heldWordsIn(text: string): Promise<string[]>;
  /** The clock of a lesson's replay. */
  replayClockOf(row: StoredLive): Promise<ReplayClock>;
  /** Does something in a room that is held: what comes in one moment, to any room, is one transaction. */
  write<T>(liveId: number, work: (trx: Trx) => Promise<T>): Promise<T>;
}

type Refused = { ok: false; why: Why };
type Done<T = TalkState> = { ok: true; data: T } | Refused;
const refused = (why: Why): Refused => ({ ok: false, why });

/** Names that a list of hands has at most. */
const HANDS_LISTED = 200;
/** What is told from this long before the second that is asked for (seconds). */
const REPLAY_BEFORE = 30;
const REPLAY_AT_ONCE = 300;

/** Makes the parts of the rooms, once for a server (server/app.ts). */
export function talkParts(
  parts: Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'random'>,
  given: Pick<TalkParts, 'heldWordsIn' | 'replayClockOf'>,
): TalkParts {
  type Item = { liveId: number; work: (trx: Trx) => Promise<unknown> };
  const write = grouped<Item, unknown>(
    parts.db,
    ({ liveId }) => liveId,
    async (trx, items) => {
      const done: unknown[] = [];
      // In the order of the rooms: two processes that hold several never wait for each other.
      const inOrder = [...items.entries()].sort(([, one], [, other]) => one.liveId - other.liveId);
      for (const [at, { work }] of inOrder) done[at] = await work(trx);
      return done;
    },
  );
  return {
    ...{ db: parts.db, clock: parts.clock, log: parts.log, ...given, hub: talkHub(parts) },
    write: async <T>(liveId: number, work: (trx: Trx) => Promise<T>) => (await write({ liveId, work })) as T,
  };
}

/** A lesson without a recording of its own: what was said stands at its time since the beginning. */
export function clockOfPlan(row: StoredLive): ReplayClock {
  const { from } = heldOf(row);
  return { secondOf: (at) => Math.max(0, (at - from) / 1000), momentOf: (second) => from + second * 1000 };
}

const stateNow = ({ db, hub, clock }: TalkParts, row: StoredLive) =>
  readState(db.query, row, { online: hub.onlineIn(row.id), now: clock() });

/** Asks for a room, does something in it and says how it stands then. */
async function act(
  parts: TalkParts,
  viewer: Viewer,
  liveId: number,
  work: (trx: Trx, row: StoredLive) => Promise<Why | null>,
): Promise<Done> {
  const entry = await enterRoom(parts.db.query, viewer, liveId);
  if (!entry.ok) return entry;
  const why = await parts.write(liveId, (trx) => work(trx, entry.row));
  return why === null ? { ok: true, data: await stateNow(parts, entry.row) } : refused(why);
}

/** An event by somebody without anything more. */
const bare = ({ userId, teacher }: Viewer, liveId: number, now: number) => ({
  ...{ live_id: liveId, user_id: userId, by_teacher: teacher ? 1 : 0, text: '', said_at: now },
  ...{ target_seq: null, to_user_id: null, poll_id: null, client_id: null },
});

const tellOf = (trx: Trx, liveId: number) => sayAfterCommit(trx, talkOf(liveId), {});

/** What was said in a room, and how its reader stands there. */
export async function readRoom(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, after, before }: InputOf<typeof ReadTalk>,
): Promise<Done<DataOf<typeof ReadTalk>>> {
  const { query } = parts.db;
  const entry = await enterRoom(query, viewer, liveId);
  if (!entry.ok) return entry;
  const rows =
    after === undefined
      ? await readBefore(query, liveId, before, TALK_AT_ONCE + 1)
      : await readAfter(query, liveId, after, TALK_AT_ONCE + 1);
  const more = rows.length > TALK_AT_ONCE;
  const told = after === undefined ? rows.slice(-TALK_AT_ONCE) : rows.slice(0, TALK_AT_ONCE);
  const state = await stateNow(parts, entry.row);
  return {
    ok: true,
    data: {
      list: (await shownEvents(query, told)).map((event) => toldTo(event, viewer)),
      more,
      state,
      own: {
        userId: viewer.userId,
        manages: viewer.teacher,
        muted: await isMuted(query, liveId, viewer.userId),
        handUp: await isHandUp(query, liveId, viewer.userId),
        vote: state.poll === null ? null : await findVote(query, state.poll.pollId, viewer.userId),
      },
    },
  };
}

/** Says something in a room. The same name is the same message; words of the school's list are told to their author, and nothing is stored. */
export async function say(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, text, clientId }: InputOf<typeof SayTalk>,
  now: number,
): Promise<Done<DataOf<typeof SayTalk>>> {
  const { query } = parts.db;
  const entry = await enterRoom(query, viewer, liveId);
  if (!entry.ok) return entry;
  const { userId, teacher } = viewer;
  const event = async (row: Parameters<typeof shownEvents>[1][number]): Promise<Done<DataOf<typeof SayTalk>>> => {
    const [shown] = await shownEvents(query, [row]);
    return { ok: true, data: { event: shown ?? null, heldWords: [] } };
  };
  const sent = await findSent(query, liveId, userId, clientId);
  if (sent) return event(sent);
  const checked = checkSaid(text);
  if (!checked.ok) return checked;
  const heldWords = teacher ? [] : await parts.heldWordsIn(checked.text);
  if (heldWords.length > 0) return { ok: true, data: { event: null, heldWords } };
  const said = await parts.write(liveId, async (trx) => {
    const talk = await lockTalk(trx, liveId);
    // As it stands now: its teacher may have ended it while this one waited.
    const stage = stageOf((await findLive(trx, liveId)) ?? entry.row, now);
    const meanwhile = await findSent(trx, liveId, userId, clientId);
    if (meanwhile) return meanwhile;
    const allowed = maySay({
      ...{ teacher, stage, mutedAll: talk.muted_all === 1 },
      muted: await isMuted(trx, liveId, userId),
      lately: await countSaidSince(trx, liveId, userId, latelyFrom(now)),
    });
    if (!allowed.ok) return allowed.why;
    tellOf(trx, liveId);
    return addEvent(trx, {
      ...bare(viewer, liveId, now),
      ...{ kind: 'said', text: checked.text, client_id: clientId },
    });
  });
  return typeof said === 'string' ? refused(said) : event(said);
}

/** Takes a message out of sight; one that is pinned is taken down. */
export async function deleteSaid(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, seq, now }: { liveId: number; seq: number; now: number },
): Promise<Done> {
  return act(parts, viewer, liveId, async (trx) => {
    const talk = await lockTalk(trx, liveId);
    const said = await findSaid(trx, liveId, seq);
    if (!said) return 'notFound';
    if (!mayDelete(viewer, said.user_id)) return 'notAllowed';
    if (said.deleted_at !== null) return null;
    await markDeleted(trx, said.id, { by: viewer.userId, now });
    if (talk.pinned_seq === seq) await changeTalk(trx, liveId, { pinned_seq: null });
    await addEvent(trx, { ...bare(viewer, liveId, now), kind: 'deleted', target_seq: seq });
    tellOf(trx, liveId);
    return null;
  });
}

/** Mutes one student, or all (`userId` left out), or lets them speak. */
export async function mute(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, userId, muted, now }: { liveId: number; userId?: number | undefined; muted: boolean; now: number },
): Promise<Done> {
  return act(parts, viewer, liveId, async (trx) => {
    const talk = await lockTalk(trx, liveId);
    if (userId === undefined) {
      if ((talk.muted_all === 1) === muted) return null;
      await changeTalk(trx, liveId, { muted_all: muted ? 1 : 0 });
      await addEvent(trx, { ...bare(viewer, liveId, now), kind: muted ? 'mutedAll' : 'unmutedAll' });
    } else {
      if (!(await readPeople(trx, [userId])).has(userId)) return 'notFound';
      if (!(await setMuted(trx, { liveId, userId, muted, by: viewer.userId, now }))) return null;
      const kind = muted ? 'muted' : 'unmuted';
      await addEvent(trx, { ...bare(viewer, liveId, now), kind, to_user_id: userId });
    }
    tellOf(trx, liveId);
    return null;
  });
}

/** Pins a message, or takes it down. */
export async function pin(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, seq, pinned, now }: { liveId: number; seq: number; pinned: boolean; now: number },
): Promise<Done> {
  return act(parts, viewer, liveId, async (trx) => {
    const talk = await lockTalk(trx, liveId);
    const said = await findSaid(trx, liveId, seq);
    if (!said || said.deleted_at !== null) return 'notFound';
    if ((talk.pinned_seq === seq) === pinned) return null;
    await changeTalk(trx, liveId, { pinned_seq: pinned ? seq : null });
    await addEvent(trx, { ...bare(viewer, liveId, now), kind: pinned ? 'pinned' : 'unpinned', target_seq: seq });
    tellOf(trx, liveId);
    return null;
  });
}

/** Raises one's own hand or lowers it; a teacher lowers a student's (`userId`). */
export async function moveHand(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, userId, up, now }: { liveId: number; userId?: number | undefined; up: boolean; now: number },
): Promise<Done> {
  const whose = userId ?? viewer.userId;
  if (whose !== viewer.userId && (!viewer.teacher || up)) return refused('notAllowed');
  return act(parts, viewer, liveId, async (trx, row) => {
    if (up && stageOf(row, now) !== TALK_OPEN) return 'liveNotNow';
    await lockTalk(trx, liveId);
    if (!(await setHand(trx, { liveId, userId: whose, up, now }))) return null;
    const kind = up ? 'handRaised' : 'handLowered';
    await addEvent(trx, { ...bare(viewer, liveId, now), kind, to_user_id: whose });
    tellOf(trx, liveId);
    return null;
  });
}

/** Whose hands are up, and who is muted. */
export async function listHands(
  { db: { query } }: TalkParts,
  viewer: Viewer,
  liveId: number,
): Promise<Done<DataOf<typeof ListHands>>> {
  const entry = await enterRoom(query, viewer, liveId);
  if (!entry.ok) return entry;
  const hands = await readHands(query, liveId, HANDS_LISTED);
  const muted = await readMuted(query, liveId, HANDS_LISTED);
  const people = await readPeople(query, [...hands.map(({ user_id }) => user_id), ...muted]);
  const named = (userId: number) => ({ userId, nickname: people.get(userId)?.nickname ?? '' });
  return {
    ok: true,
    data: {
      hands: hands.map(({ user_id, raised_at }) => ({ ...named(user_id), raisedAt: raised_at })),
      muted: muted.map(named),
    },
  };
}

/** Opens a poll where none is open. */
export async function openPoll(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, question, options, clientId }: InputOf<typeof OpenPoll>,
  now: number,
): Promise<Done> {
  const checked = checkPoll(question, options);
  if (!checked.ok) return refused(checked.why);
  return act(parts, viewer, liveId, async (trx, row) => {
    await lockTalk(trx, liveId);
    if (await findOpened(trx, viewer.userId, clientId)) return null;
    if (stageOf(row, now) !== TALK_OPEN) return 'liveNotNow';
    const last = await findLastPoll(trx, liveId);
    if (last && last.closed_at === null) return 'pollOpenAlready';
    const poll = await addPoll(trx, {
      ...{ live_id: liveId, question: checked.question, options: JSON.stringify(checked.options) },
      ...{ opened_at: now, created_by: viewer.userId, client_id: clientId },
    });
    await addEvent(trx, { ...bare(viewer, liveId, now), kind: 'pollOpened', poll_id: poll.id });
    tellOf(trx, liveId);
    return null;
  });
}

/** Ends a poll. */
export async function closePoll(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, pollId, now }: { liveId: number; pollId: number; now: number },
): Promise<Done> {
  return act(parts, viewer, liveId, async (trx) => {
    await lockTalk(trx, liveId);
    const poll = await findPoll(trx, liveId, pollId);
    if (!poll) return 'notFound';
    if (poll.closed_at !== null) return null;
    await endPoll(trx, pollId, now);
    await addEvent(trx, { ...bare(viewer, liveId, now), kind: 'pollClosed', poll_id: pollId });
    tellOf(trx, liveId);
    return null;
  });
}

/** Votes once in an open poll. */
export async function vote(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, pollId, choice, now }: { liveId: number; pollId: number; choice: number; now: number },
): Promise<Done> {
  return act(parts, viewer, liveId, async (trx, row) => {
    // Held, so that no vote comes after the end and nobody votes twice.
    await lockTalk(trx, liveId);
    const poll = await findPoll(trx, liveId, pollId);
    if (!poll || choice >= optionsOf(poll.options).length) return 'notFound';
    const before = await findVote(trx, pollId, viewer.userId);
    if (before !== null) return before === choice ? null : 'pollVoted';
    // A poll that nobody closed is over with its lesson.
    if (poll.closed_at !== null || stageOf(row, now) !== TALK_OPEN) return 'pollOver';
    await addVote(trx, { pollId, userId: viewer.userId, choice, now });
    tellOf(trx, liveId);
    return null;
  });
}

/** What was said, at its second of the replay. */
export async function readReplay(
  parts: TalkParts,
  viewer: Viewer,
  { liveId, after = 0, second }: InputOf<typeof TalkReplay>,
): Promise<Done<DataOf<typeof TalkReplay>>> {
  const { query } = parts.db;
  const entry = await enterRoom(query, viewer, liveId);
  if (!entry.ok) return entry;
  const clock = await parts.replayClockOf(entry.row);
  const from = second === undefined ? 0 : clock.momentOf(Math.max(0, second - REPLAY_BEFORE));
  const rows = await readSaid(query, liveId, { after, from, limit: REPLAY_AT_ONCE + 1 });
  const told = rows.slice(0, REPLAY_AT_ONCE);
  const events: TalkEvent[] = await shownEvents(query, told);
  const list = events.flatMap(({ seq, saidAt, nickname, avatarUrl, teacher, text }) => {
    const at = clock.secondOf(saidAt);
    return at === null ? [] : [{ seq, second: at, nickname, avatarUrl, teacher, text }];
  });
  return { ok: true, data: { list, next: told.at(-1)?.seq ?? after, more: rows.length > REPLAY_AT_ONCE } };
}
