import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isBehind,
  keptOf,
  NEW_TALK,
  nextUnsent,
  type RoomState,
  readKept,
  type Talk,
  type TalkEvent,
  talkAfter,
} from './talk-state.ts';

const event = (seq: number, more: Partial<TalkEvent> = {}): TalkEvent => ({
  ...{ seq, kind: 'said', saidAt: seq, userId: 7, nickname: '甲', avatarUrl: '', teacher: false, text: `第 ${seq} 句` },
  ...{ gone: false, clientId: '', target: 0, toUserId: 0, toNickname: '', pollId: 0 },
  ...more,
});
const state = (seq: number): RoomState => ({
  ...{ seq, stage: 2, online: 1, hands: 0, mutedAll: false, pinned: null, poll: null },
});
const own = { userId: 7, manages: false, muted: false, handUp: false, vote: null };
const room = (list: TalkEvent[], more = false) => ({ list, more, own, state: state(list.at(-1)?.seq ?? 0) });
const entered = (...seqs: number[]): Talk =>
  talkAfter(NEW_TALK, { type: 'read', after: null, room: room(seqs.map((seq) => event(seq))) });
const heard = (talk: Talk, ...events: TalkEvent[]) => talkAfter(talk, { type: 'heard', events, state: null });
const seqs = ({ events }: Talk) => events.map(({ seq }) => seq);

describe('what a window knows of a room', () => {
  it('is what was read and what was heard since, once and in order', () => {
    const talk = heard(entered(1, 2), event(2), event(3), event(3));
    expect([seqs(talk), talk.last, isBehind(talk)]).toEqual([[1, 2, 3], 3, false]);
  });

  it('keeps what it heard before the first answer came', () => {
    const early = heard(NEW_TALK, event(3), event(4));
    expect([seqs(early), isBehind(early)]).toEqual([[], false]);
    const talk = talkAfter(early, { type: 'read', after: null, room: room([event(1), event(2), event(3)]) });
    expect(seqs(talk)).toEqual([1, 2, 3, 4]);
  });

  it('waits with what has a gap before it, and asks', () => {
    const behind = heard(entered(1), event(4), event(3));
    expect([seqs(behind), isBehind(behind)]).toEqual([[1], true]);
    const talk = talkAfter(behind, { type: 'read', after: 1, room: room([event(2)]) });
    expect([seqs(talk), isBehind(talk)]).toEqual([[1, 2, 3, 4], false]);
  });

  it('ends with the same numbers whatever is lost, repeated or late, once it has asked', () => {
    const numbers = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 80 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 40 }), (came, asked) => {
        let talk = entered();
        for (const seq of came) talk = heard(talk, event(seq));
        const after = Math.min(asked, talk.last ?? 0);
        const rest = Array.from({ length: 40 - after }, (_, at) => event(after + 1 + at));
        talk = talkAfter(talk, { type: 'read', after, room: room(rest) });
        expect(seqs(talk)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
        expect(isBehind(talk)).toBe(false);
      }),
    );
  });

  it('reads back in front of what it has', () => {
    const talk = talkAfter(entered(3, 4), { type: 'older', room: room([event(1), event(2), event(3)], true) });
    expect([seqs(talk), talk.older]).toEqual([[1, 2, 3, 4], true]);
  });

  it('takes messages out of sight, also those that are read afterwards', () => {
    const talk = heard(entered(2), event(3, { kind: 'deleted', target: 1 }), event(4, { kind: 'deleted', target: 2 }));
    expect(talk.events[0]).toMatchObject({ seq: 2, gone: true, text: '' });
    const older = talkAfter(talk, { type: 'older', room: room([event(1)]) });
    expect(older.events[0]).toMatchObject({ seq: 1, gone: true, text: '' });
  });

  it('follows what happens to oneself, and not to others', () => {
    const muted = heard(entered(), event(1, { kind: 'muted', toUserId: 7 }), event(2, { kind: 'muted', toUserId: 8 }));
    expect(muted.own).toEqual({ ...own, muted: true });
    const free = heard(
      muted,
      event(3, { kind: 'unmuted', toUserId: 7 }),
      event(4, { kind: 'handRaised', toUserId: 7 }),
    );
    expect(free.own).toEqual({ ...own, handUp: true });
    const voted = talkAfter(free, { type: 'stands', state: state(4), own: { vote: 1 } });
    expect(voted.own?.vote).toBe(1);
    expect(heard(voted, event(5, { kind: 'pollOpened' })).own?.vote).toBe(null);
  });

  it('does not go back to an older word on how the room stands', () => {
    const talk = talkAfter(entered(1, 2), { type: 'stands', state: { ...state(1), mutedAll: true, online: 9 } });
    expect(talk.state).toMatchObject({ seq: 2, mutedAll: false, online: 9 });
  });
});

describe('what one writes', () => {
  const wrote = (talk: Talk, clientId: string) => talkAfter(talk, { type: 'wrote', clientId, text: clientId });
  it('is there at once, and one message when it comes back, before or after its answer', () => {
    const talk = wrote(entered(), 'one');
    expect(talk.unsent).toMatchObject([{ clientId: 'one', state: 'sending' }]);
    const answered = talkAfter(talk, { type: 'sent', clientId: 'one', seq: 1 });
    expect(answered.unsent).toMatchObject([{ state: 'sent' }]);
    expect(nextUnsent(answered)).toBe(undefined);
    const back = event(1, { clientId: 'one' });
    expect(heard(answered, back).unsent).toEqual([]);
    const overtaken = heard(talk, back);
    expect(overtaken.unsent).toEqual([]);
    expect(talkAfter(overtaken, { type: 'sent', clientId: 'one', seq: 1 }).unsent).toEqual([]);
  });

  it('is kept over a reload until it has arrived, in its order, and leaves again under its name', () => {
    const talk = ['a', 'b', 'c'].reduce(wrote, entered());
    const kept = keptOf(talkAfter(talkAfter(talk, { type: 'sent', clientId: 'a', seq: 1 }), { type: 'waits' }));
    expect(kept).toEqual({ messages: [{ clientId: 'b', text: 'b' }, { clientId: 'c', text: 'c' }] }); // biome-ignore format: a line
    // Of these `b` was stored though its answer was lost; `d` is written before what was kept is read.
    const reloaded = wrote(entered(), 'd');
    const back = heard(reloaded, event(1, { clientId: 'b' }));
    const again = talkAfter(back, { type: 'kept', kept: readKept(kept ?? {}) });
    expect(again.unsent.map(({ clientId, state }) => [clientId, state])).toEqual([['c', 'sending'], ['d', 'sending']]); // biome-ignore format: a line
    // One further back than this window has read does not come by its socket: its answer is enough.
    expect(talkAfter(again, { type: 'sent', clientId: 'c', seq: 1 }).unsent.map(({ clientId }) => clientId)).toEqual(['d']); // biome-ignore format: a line
    expect(keptOf(entered())).toBeNull();
    for (const odd of [{}, { messages: 'x' }, { messages: [null, 3, { text: 1 }] }]) expect(readKept(odd)).toEqual([]);
  });

  it('leaves in its order: what waits for the network holds up what was written later, what was refused does not', () => {
    const talk = ['a', 'b', 'c'].reduce(wrote, entered());
    expect(nextUnsent(talk)?.clientId).toBe('a');
    const waiting = wrote(talkAfter(talk, { type: 'waits' }), 'd');
    expect(nextUnsent(waiting)?.clientId).toBe('a');
    expect(waiting.unsent.map((one) => one.state)).toEqual(Array(4).fill('waiting'));
    const refused = talkAfter(waiting, { type: 'refused', clientId: 'a', why: '不行' });
    expect(nextUnsent(refused)?.clientId).toBe('b');
    expect(refused.unsent[0]).toMatchObject({ state: 'failed', why: '不行' });
    const again = talkAfter(refused, { type: 'sends', clientId: 'a' });
    expect(again.unsent[0]).toMatchObject({ state: 'sending', why: '' });
    expect(talkAfter(again, { type: 'dropped', clientId: 'a' }).unsent.map(({ clientId }) => clientId)).toEqual([
      'b',
      'c',
      'd',
    ]);
  });
});
