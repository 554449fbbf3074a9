import type { Data } from '#web/lib/send.ts';

type Room = Data<'GET /app/live/talk'>;
export type TalkEvent = Room['list'][number];
export type RoomState = Room['state'];
export type Own = Room['own'];

/** What its author has not seen arrive yet, in the order in which it was written. */
export interface Unsent {
  clientId: string;
  text: string;
  /** `waiting`: no network, it is sent when there is one · `failed`: refused, with the sentence why · `sent`: on its way back. */
  state: 'sending' | 'waiting' | 'failed' | 'sent';
  why: string;
}

/** A message as the browser keeps it until it has arrived (web/lib/drafts.ts). */
type KeptMessage = Pick<Unsent, 'clientId' | 'text'>;

/** What is kept of a window's messages: those that have not arrived, in their order; null: none. */
export function keptOf({ unsent }: Talk): { messages: KeptMessage[] } | null {
  const messages = unsent.filter(({ state }) => state !== 'sent').map(({ clientId, text }) => ({ clientId, text }));
  return messages.length === 0 ? null : { messages };
}

/** What was kept, as far as it can be understood: a browser's storage may hold anything. */
export function readKept(kept: object): KeptMessage[] {
  const { messages } = kept as { messages?: unknown };
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((one: unknown) => {
    const { clientId, text } = (one ?? {}) as Record<string, unknown>;
    return typeof clientId === 'string' && typeof text === 'string' ? [{ clientId, text }] : [];
  });
}

/** What one window knows of a room. */
export interface Talk {
  /** Events in the order of their numbers, without a gap. */
  events: readonly TalkEvent[];
  /** The last number without a gap before it; null: nothing was read yet. */
  last: number | null;
  /** What came before something that is still missing. */
  ahead: readonly TalkEvent[];
  /** There is more before the first event. */
  older: boolean;
  state: RoomState | null;
  own: Own | null;
  unsent: readonly Unsent[];
}

export const NEW_TALK: Talk = {
  ...{ events: [], last: null, ahead: [], older: false },
  ...{ state: null, own: null, unsent: [] },
};

/** Events that a window keeps: of a long lesson the first are read again by who scrolls there. */
const KEPT = 2000;

type Action =
  /** The answer of a call: the end of the talk, or what comes after `after`. */
  | { type: 'read'; room: Room; after: number | null }
  | { type: 'older'; room: Room }
  | { type: 'heard'; events: readonly TalkEvent[]; state: RoomState | null }
  | { type: 'stands'; state: RoomState; own?: Partial<Own> }
  | { type: 'wrote'; clientId: string; text: string }
  | { type: 'sends'; clientId: string }
  /** It is stored under this number. */
  | { type: 'sent'; clientId: string; seq: number }
  /** What an earlier page of this browser wrote and did not see arrive. */
  | { type: 'kept'; kept: readonly KeptMessage[] }
  | { type: 'waits' }
  | { type: 'refused'; clientId: string; why: string }
  | { type: 'dropped'; clientId: string };

/** Whether something is missing that has to be asked for. */
export const isBehind = ({ ahead, last }: Talk): boolean => last !== null && ahead.length > 0;

/** What a window knows after something happened. Nothing comes twice, nothing out of order, whatever is repeated, late or lost. */
export function talkAfter(talk: Talk, action: Action): Talk {
  switch (action.type) {
    case 'read': {
      const { list, more, state, own } = action.room;
      const known = { ...talk, own, state: newer(talk.state, state) };
      if (talk.last === null || action.after === null) {
        const last = list.at(-1)?.seq ?? state.seq;
        if (talk.last !== null && last <= talk.last) return known;
        return joined({ ...known, events: list, last, older: more }, []);
      }
      return joined(known, list);
    }
    case 'older': {
      const first = talk.events[0]?.seq ?? Number.POSITIVE_INFINITY;
      const list = action.room.list.filter(({ seq }) => seq < first);
      return { ...talk, events: withGone([...list, ...talk.events], talk.events), older: action.room.more };
    }
    case 'heard': {
      const state = action.state ? newer(talk.state, action.state) : talk.state;
      return joined({ ...talk, state }, action.events);
    }
    case 'stands':
      return {
        ...talk,
        state: newer(talk.state, action.state),
        own: talk.own && { ...talk.own, ...action.own },
      };
    case 'wrote': {
      const { clientId, text } = action;
      const state = talk.unsent.some((one) => one.state === 'waiting') ? 'waiting' : 'sending';
      return { ...talk, unsent: [...talk.unsent, { clientId, text, state, why: '' }] };
    }
    case 'sends':
      return changed(talk, action.clientId, { state: 'sending', why: '' });
    case 'sent':
      // One of before a reload may be further back than this window has read: it does not come again.
      return action.seq <= (talk.last ?? 0)
        ? talkAfter(talk, { type: 'dropped', clientId: action.clientId })
        : changed(talk, action.clientId, { state: 'sent' });
    case 'kept': {
      const known = new Set([...talk.events, ...talk.unsent].map(({ clientId }) => clientId));
      const kept = action.kept.filter(({ clientId }) => !known.has(clientId));
      const unsent = kept.map((one): Unsent => ({ ...one, state: 'sending', why: '' }));
      return { ...talk, unsent: [...unsent, ...talk.unsent] };
    }
    case 'waits':
      // What was written later waits behind it.
      return {
        ...talk,
        unsent: talk.unsent.map((one) => (one.state === 'sending' ? { ...one, state: 'waiting' } : one)),
      };
    case 'refused':
      return changed(talk, action.clientId, { state: 'failed', why: action.why });
    case 'dropped':
      return { ...talk, unsent: talk.unsent.filter(({ clientId }) => clientId !== action.clientId) };
  }
}

const changed = (talk: Talk, clientId: string, change: Partial<Unsent>): Talk => ({
  ...talk,
  unsent: talk.unsent.map((one) => (one.clientId === clientId ? { ...one, ...change } : one)),
});

/** Answers overtake each other: what knows of more is the newer one. */
const newer = (known: RoomState | null, state: RoomState): RoomState =>
  known !== null && known.seq > state.seq ? { ...state, ...known, online: state.online } : state;

/** Takes events in where they belong; what has a gap before it waits for what is missing. */
function joined(talk: Talk, events: readonly TalkEvent[]): Talk {
  const waiting = new Map([...talk.ahead, ...events].map((event) => [event.seq, event]));
  if (talk.last === null) return { ...talk, ahead: [...waiting.values()] };
  let last = talk.last;
  const added: TalkEvent[] = [];
  for (const event of [...waiting.values()].sort((one, other) => one.seq - other.seq)) {
    if (event.seq > last + 1) break;
    waiting.delete(event.seq);
    if (event.seq <= last) continue;
    added.push(event);
    last = event.seq;
  }
  const all = withGone([...talk.events, ...added], added);
  const dropped = Math.max(0, all.length - KEPT);
  const arrived = new Set([...talk.events.slice(-200), ...added].map(({ clientId }) => clientId));
  return {
    ...talk,
    ...{ last, ahead: [...waiting.values()], events: dropped > 0 ? all.slice(dropped) : all },
    older: talk.older || dropped > 0,
    own: talk.own && added.reduce(ownAfter, talk.own),
    unsent: talk.unsent.filter(({ clientId }) => !arrived.has(clientId)),
  };
}

/** Messages that one of these events took out of sight say nothing any more. */
function withGone(events: readonly TalkEvent[], news: readonly TalkEvent[]): readonly TalkEvent[] {
  const gone = new Set(news.filter(({ kind }) => kind === 'deleted').map(({ target }) => target));
  if (gone.size === 0) return events;
  return events.map((event) => (gone.has(event.seq) ? { ...event, gone: true, text: '' } : event));
}

/** How somebody stands in a room after an event that concerns them. */
function ownAfter(own: Own, { kind, toUserId }: TalkEvent): Own {
  if (kind === 'pollOpened') return { ...own, vote: null };
  if (toUserId !== own.userId) return own;
  if (kind === 'muted' || kind === 'unmuted') return { ...own, muted: kind === 'muted' };
  if (kind === 'handRaised' || kind === 'handLowered') return { ...own, handUp: kind === 'handRaised' };
  return own;
}

/** The next message to send: the first that waits, since they arrive in the order in which they were written. */
export const nextUnsent = ({ unsent }: Talk): Unsent | undefined =>
  unsent.find(({ state }) => state === 'sending' || state === 'waiting');
