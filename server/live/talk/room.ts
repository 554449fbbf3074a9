import type { DataOf } from '#contract/call.ts';
import type { ReadTalk } from '#contract/live-talk.ts';
import { OTHER_PLATFORM } from '#contract/values/live.ts';
import type { TalkStage } from '#contract/values/live-talk.ts';
import { isTold, talkStage } from '#rules/live/talk.ts';
import type { Query } from '#server/db/open.ts';
import type { SignedIn } from '#server/http/answer.ts';
import { readPeople } from '#server/user/store.ts';
import { mayEnter } from '../live.ts';
import { findLive, type StoredLive } from '../store.ts';
import { countVotes, findLastPoll, optionsOf } from './poll-store.ts';
import { countHands, findSaid, readTalk, type StoredEvent } from './talk-store.ts';

/** An event of a room as teachers are told it. */
export type TalkEvent = DataOf<typeof ReadTalk>['list'][number];
/** How a room stands, as everybody is told. */
export type TalkState = DataOf<typeof ReadTalk>['state'];
/** Who looks at a room. */
export interface Viewer {
  userId: number;
  teacher: boolean;
}

/** On whose behalf a call or a socket looks at a room. */
export const viewerOf = ({ userId, role }: Pick<SignedIn, 'userId' | 'role'>): Viewer => ({
  userId,
  teacher: role === 'teacher',
});

/** No lesson goes on for longer. */
const LONGEST = 24 * 60 * 60_000;

/** When a lesson is held: nobody speaks in its room long before or after, and who is there outside of it does not attend. */
export const heldOf = ({ starts_at, ends_at, started_at, ended_at }: StoredLive) => ({
  from: Math.min(starts_at, started_at ?? starts_at),
  // What has begun goes on until it is ended, which hours without a stream do at the latest.
  until: ended_at ?? (started_at === null ? ends_at : Math.max(ends_at, started_at + LONGEST)),
});

/** How the room of a lesson stands now. */
export function stageOf(row: StoredLive, now: number): TalkStage {
  const { from, until } = heldOf(row);
  return talkStage({ startTime: from, endTime: until }, now);
}

/** The lesson whose room somebody asks for, or why they may not enter: who has its pack may, and every teacher. */
export async function enterRoom(query: Query, { userId, teacher }: Viewer, liveId: number) {
  const row = await findLive(query, liveId);
  if (!row || row.live_platform === OTHER_PLATFORM || row.cancelled_at !== null)
    return { ok: false, why: 'notFound' } as const;
  const access = await mayEnter(query, row, { userId, role: teacher ? 'teacher' : 'student' });
  return access.ok ? ({ ok: true, row } as const) : access;
}

/** Events as teachers are told them, in their order. */
export async function shownEvents(query: Query, rows: readonly StoredEvent[]): Promise<TalkEvent[]> {
  const people = await readPeople(
    query,
    rows.flatMap(({ user_id, to_user_id }) => (to_user_id === null ? [user_id] : [user_id, to_user_id])),
  );
  return rows.map((row) => ({
    seq: row.seq,
    kind: row.kind,
    saidAt: row.said_at,
    userId: row.user_id,
    nickname: people.get(row.user_id)?.nickname ?? '',
    avatarUrl: people.get(row.user_id)?.avatarUrl ?? '',
    teacher: row.by_teacher === 1,
    text: row.deleted_at === null ? row.text : '',
    gone: row.deleted_at !== null,
    clientId: row.client_id ?? '',
    target: row.target_seq ?? 0,
    toUserId: row.to_user_id ?? 0,
    toNickname: row.to_user_id === null ? '' : (people.get(row.to_user_id)?.nickname ?? ''),
    pollId: row.poll_id ?? 0,
  }));
}

/** An event as one viewer is told it: what is not theirs to know is a number. */
export function toldTo(event: TalkEvent, viewer: Viewer): TalkEvent {
  if (isTold(event, viewer)) return event;
  return {
    ...{ seq: event.seq, kind: 'other', saidAt: event.saidAt, userId: 0, nickname: '', avatarUrl: '', teacher: false },
    ...{ text: '', gone: false, clientId: '', target: 0, toUserId: 0, toNickname: '', pollId: 0 },
  };
}

/** How a room stands now. @param online people who are there, over all servers */
export async function readState(
  query: Query,
  row: StoredLive,
  { online, now }: { online: number; now: number },
): Promise<TalkState> {
  const talk = await readTalk(query, row.id);
  const pinned = talk.pinned_seq === null ? undefined : await findSaid(query, row.id, talk.pinned_seq);
  const [shown] = pinned && pinned.deleted_at === null ? await shownEvents(query, [pinned]) : [];
  return {
    seq: talk.last_seq,
    stage: stageOf(row, now),
    online,
    hands: await countHands(query, row.id),
    mutedAll: talk.muted_all === 1,
    pinned: shown ?? null,
    poll: await readPoll(query, row.id),
  };
}

async function readPoll(query: Query, liveId: number): Promise<TalkState['poll']> {
  const poll = await findLastPoll(query, liveId);
  if (!poll) return null;
  const votes = await countVotes(query, poll.id);
  const options = optionsOf(poll.options).map((text, at) => ({ text, votes: votes.get(at) ?? 0 }));
  return {
    pollId: poll.id,
    question: poll.question,
    open: poll.closed_at === null,
    options,
    votes: options.reduce((sum, option) => sum + option.votes, 0),
  };
}
