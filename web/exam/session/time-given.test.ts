import { describe, expect, it } from 'vitest';
import { unsentCount } from './exam-model.ts';
import { choose, fail, handed, refusedHandIn, sit, snapshot } from './session.test-kit.ts';

const END = 3_600_000;
const given = (change: Parameters<typeof snapshot>[0] = {}) =>
  snapshot({ endsAt: END + 600_000, extraTime: 10, extraReason: '停电', ...change });

describe('time given back', () => {
  it('is told with minutes and reason, until it was seen; answers and place stay', () => {
    const exam = sit().do(choose('A', 10));
    exam.do({ type: 'refreshed', snapshot: given(), asked: exam.state.confirmed });
    expect(exam.state.given).toEqual({ minutes: 10, reason: '停电' });
    expect(exam.state.record).toMatchObject({ endsAt: END + 600_000, extraTime: 10 });
    expect([exam.shown(11), unsentCount(exam.state), exam.state.phase]).toEqual(['A', 1, 'open']);
    exam.do({ type: 'givenSeen' }, { type: 'refreshed', snapshot: given(), asked: exam.state.confirmed });
    expect(exam.state.given).toBeNull();
    const twice = given({ endsAt: END + 900_000, extraTime: 15, extraReason: '又停电' });
    exam.do({ type: 'refreshed', snapshot: twice, asked: exam.state.confirmed });
    expect(exam.state.given).toEqual({ minutes: 5, reason: '又停电' });
  });

  it('is the new end although the answer of the server is from before a save', () => {
    const exam = sit().do(choose('A', 10));
    exam.do({ type: 'refreshed', snapshot: given(), asked: exam.state.confirmed - 1 });
    expect(exam.state.record.endsAt).toBe(END + 600_000);
    expect(exam.shown(11)).toBe('A');
  });

  it('stops the hand-in that the old end began: the student goes on, and what is unsent goes out', () => {
    const exam = sit().do(choose('A', 10), { type: 'tick', left: 0 });
    expect(exam.asked('submit')).toMatchObject([{ extraTime: 0 }]);
    exam.do(refusedHandIn(fail('offline')));
    expect(exam.state).toMatchObject({ phase: 'handing', over: true });
    exam.do({ type: 'refreshed', snapshot: given(), asked: exam.state.confirmed });
    expect(exam.state).toMatchObject({ phase: 'open', over: false, dialog: null, handTries: 0 });
    expect(exam.asked('save')).toMatchObject([{ unsent: { questionId: 11, answer: 'A' } }]);
    // The timer of the next try finds nothing to hand in.
    for (const { event } of exam.asked('wait')) if (event.type === 'submitAgain') exam.do(event);
    expect(exam.asked('submit')).toEqual([]);
    expect(exam.do(choose('B', 9000)).shown(11)).toBe('B');
    // And at the new end the paper is handed in, by a window that knows of all the time.
    exam.do({ type: 'tick', left: 0 });
    expect(exam.asked('submit')).toMatchObject([{ extraTime: 10 }]);
  });

  it('of which the window has not heard is asked for when the server refuses to close', () => {
    const exam = sit().do(choose('A', 10), { type: 'tick', left: 0 });
    exam.asked('refresh');
    exam.do(refusedHandIn(fail('moreTime')));
    expect(exam.asked('refresh')).toHaveLength(1);
    // Until it is told how much, the old end stands and begins nothing anew.
    exam.asked('submit');
    exam.do({ type: 'tick', left: -100 });
    expect(exam.asked('submit')).toEqual([]);
    exam.do({ type: 'refreshed', snapshot: given(), asked: exam.state.confirmed });
    expect(exam.state).toMatchObject({ phase: 'open', over: false, given: { minutes: 10 } });
  });

  it('a hand-in of the end that is on its way may still have arrived', () => {
    const exam = sit().do(choose('A', 10), { type: 'tick', left: 0 });
    exam.do({ type: 'refreshed', snapshot: given(), asked: exam.state.confirmed });
    expect(exam.state.phase).toBe('open');
    exam.do({ type: 'submitted', result: handed });
    expect(exam.state.phase).toBe('closed');
  });

  it('does not stop what the student hands in', () => {
    const exam = sit().do(choose('A', 10), { type: 'submit' });
    expect(exam.asked('submit')[0]).not.toHaveProperty('extraTime');
    exam.do(refusedHandIn(fail('offline')), { type: 'tick', left: 0 });
    exam.do({ type: 'refreshed', snapshot: given(), asked: exam.state.confirmed });
    expect(exam.state).toMatchObject({ phase: 'handing', over: false });
  });

  it('is heard of by a window that slept with its next save', () => {
    const exam = sit().do(choose('A', 10), { type: 'left' });
    const [sent] = exam.asked('save');
    exam.asked('refresh');
    if (sent) exam.do({ type: 'saved', sent: sent.unsent, savedAt: 5, seq: 10, stale: false, extraTime: 10 });
    expect(exam.asked('refresh')).toHaveLength(1);
  });

  it('is told when the paper is opened again', () => {
    expect(sit({ extraTime: 10, extraReason: '停电' }).state.given).toEqual({ minutes: 10, reason: '停电' });
    expect(sit().state.given).toBeNull();
  });
});
