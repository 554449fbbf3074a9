import { describe, expect, it } from 'vitest';
import type { Review } from '../paper.ts';
import type { ExamEvent, ExamState } from '../session/exam-model.ts';
import { mayAnswer } from '../session/exam-model.ts';
import { fail, keyed, paper, snapshot } from '../session/session.test-kit.ts';
import { openReview, renewReview, type Shows, stepReview } from './review-state.ts';

/** Questions 11 to 15: right, wrong, unanswered, waiting for a score, withheld. 12 is marked. */
function reviewOf(change: Partial<Review> = {}): Review {
  const { answers: _answers, now: _now, remaining: _remaining, ...record } = snapshot({ examType: 2, submittedAt: 9 });
  const states = [1, 2, 0, 4, 0];
  const given = ['A', 'B', '', 'text', 'C'];
  return {
    ...record,
    retake: { most: null, after: null, counts: 'first', taken: 1, left: null, nextAt: null },
    sections: paper.sections,
    cases: [],
    questions: paper.questions.map((question, at) => ({
      ...keyed(question.questionId),
      ...question,
      answer: given[at] ?? '',
      state: states[at] ?? 0,
      flag: at === 1 ? 1 : 0,
      guess: 0,
      myScore: null,
      judgeFlag: null,
      isSubmit: 1,
      hidden: at === 4,
      ticks: [],
      correction: null,
    })),
    ...change,
  };
}

const all: Shows = () => true;
const run = (state: ExamState, ...events: ExamEvent[]) => runAmong(all, state, ...events);
const runAmong = (shows: Shows, state: ExamState, ...events: ExamEvent[]) => {
  const requests: unknown[] = [];
  let latest = state;
  for (const event of events) {
    const step = stepReview(latest, event, shows);
    latest = step.state;
    requests.push(...step.requests);
  }
  return { state: latest, requests };
};
const flagOf = (on: boolean, questionId = 11) => ({ mark: 'flag', questionId, on }) as const;
const sent = (change: object) => ({ do: 'mark', ...change });

describe('a review on the question screen', () => {
  it('knows answers, verdicts, marks and keys, but not the key of what is withheld', () => {
    const state = openReview(reviewOf(), 0);
    expect([...state.finals]).toEqual([
      [11, 1],
      [12, 2],
      [13, 0],
      [14, 4],
    ]);
    expect([...state.keys.keys()]).toEqual([11, 12, 13, 14]);
    expect([...state.hidden]).toEqual([15]);
    expect([...state.marks.flag]).toEqual([12]);
    expect(state.answers.shown.get(12)).toBe('B');
    expect(state.answers.shown.has(13)).toBe(false);
    expect(paper.questions.some(({ questionId }) => mayAnswer(state, questionId))).toBe(false);
  });

  it.each([
    ['the first', 0, 0],
    ['in the middle', 3, 3],
    ['beyond the end', 99, 4],
    ['before the beginning', -2, 0],
  ])('opens at %s', (_, index, at) => {
    expect(openReview(reviewOf(), index).current).toBe(at);
  });

  it.each<[string, number, number, Partial<ExamState>, unknown[]]>([
    ['next', 0, 1, { current: 1 }, [{ do: 'address', index: 1 }]],
    ['previous', 3, 2, { current: 2 }, [{ do: 'address', index: 2 }]],
    ['by the card', 0, 4, { current: 4 }, [{ do: 'address', index: 4 }]],
    ['to where one is', 2, 2, { current: 2 }, []],
    [
      'before the first',
      0,
      -1,
      { current: 0, dialog: null },
      [{ do: 'toast', text: '当前是第一题，没有上一题了哟！' }],
    ],
    ['behind the last', 4, 5, { current: 4, dialog: 'finish' }, []],
  ])('%s', (_, from, to, expected, requests) => {
    const step = run(openReview(reviewOf(), from), { type: 'go', to });
    expect(step.state).toMatchObject(expected);
    expect(step.requests).toEqual(requests);
  });

  it.each<[string, number, number, number | 'finish' | string]>([
    ['next', 1, 2, 3],
    ['previous', 3, 2, 1],
    ['next from a question that the filter does not show', 2, 3, 3],
    ['previous from one', 2, 1, 1],
    ['next behind the last that it shows', 3, 4, 'finish'],
    ['previous before the first that it shows', 1, 0, '前面没有符合筛选的题了'],
    ['previous before the first of the paper', 0, -1, '当前是第一题，没有上一题了哟！'],
    ['by the card', 1, 3, 3],
  ])('among the filtered questions 2 and 4: %s', (_, from, to, expected) => {
    const { state, requests } = runAmong((index) => index === 1 || index === 3, openReview(reviewOf(), from), {
      type: 'go',
      to,
    });
    if (typeof expected === 'number') {
      expect(state.current).toBe(expected);
      expect(requests).toEqual([{ do: 'address', index: expected }]);
    } else {
      expect(state.current, 'stays').toBe(from);
      expect([state.dialog, ...requests]).toEqual(
        expected === 'finish' ? ['finish'] : [null, { do: 'toast', text: expected }],
      );
    }
  });

  it('a mark of a question that is not the current one is its own', () => {
    const { state, requests } = run(openReview(reviewOf(), 3), { type: 'marked', mark: 'flag', questionId: 11 });
    expect([...state.marks.flag].sort()).toEqual([11, 12]);
    expect([state.current, ...requests]).toEqual([3, sent(flagOf(true))]);
  });

  it.each<[string, ExamEvent]>([
    ['a letter', { type: 'chosen', letter: 'B', now: 1 }],
    ['text', { type: 'typed', text: 'x', now: 1 }],
    ['clearing', { type: 'cleared', now: 1 }],
    ['the end of a time', { type: 'tick', left: 0 }],
    ['a hand-in', { type: 'submit' }],
    ['another mode', { type: 'mode', questionMode: 2 }],
    ['another window', { type: 'takenOver' }],
  ])('%s changes nothing', (_, event) => {
    const state = openReview(reviewOf(), 0);
    expect(run(state, event)).toEqual({ state, requests: [] });
  });

  it('a mark is seen at once and sent, and sent again until it arrived', () => {
    const marked = run(openReview(reviewOf(), 0), { type: 'marked', mark: 'flag' });
    expect(marked.state.marks.flag.has(11)).toBe(true);
    expect(marked.requests).toEqual([sent(flagOf(true))]);
    const failed = run(marked.state, { type: 'markFailed', change: flagOf(true), failure: fail('offline') });
    expect(failed.requests).toMatchObject([{ do: 'wait', event: { type: 'retry' } }]);
    const again = run(failed.state, { type: 'online' });
    expect(again.requests).toEqual([sent(flagOf(true))]);
    const saved = run(again.state, { type: 'markSaved', change: flagOf(true) }, { type: 'online' });
    expect(saved.requests).toEqual([]);
    expect(saved.state.marks.flag.has(11)).toBe(true);
  });

  it.each([
    ['of a letter', 11, true],
    ['that was left open', 13, false],
    ['in writing', 14, false],
  ])('an answer %s can be called a guess: %s', (_, questionId, may) => {
    const { state, requests } = run(openReview(reviewOf(), 0), { type: 'marked', mark: 'guess', questionId });
    expect(state.marks.guess.has(questionId)).toBe(may);
    expect(requests).toEqual(may ? [sent({ mark: 'guess', questionId, on: true })] : []);
  });

  it('that a mark did not arrive is known until it did, or was refused', () => {
    const marked = run(openReview(reviewOf(), 0), { type: 'marked', mark: 'flag' }).state;
    const failed = run(marked, { type: 'markFailed', change: flagOf(true), failure: fail('offline') }).state;
    expect([marked.failures, failed.failures]).toEqual([0, 1]);
    expect(run(failed, { type: 'markSaved', change: flagOf(true) }).state.failures).toBe(0);
    const refused = run(failed, { type: 'markFailed', change: flagOf(true), failure: fail('notFound') });
    expect(refused.state.failures).toBe(0);
  });

  it('marks that were kept are seen, and sent, unless their question is gone', () => {
    const flag = new Map([
      [11, true],
      [12, false],
      [99, true],
    ]);
    const kept = { flag, guess: new Map() };
    const opened = openReview(reviewOf(), 0, kept);
    expect([...opened.marks.flag]).toEqual([11]);
    expect(run(opened, { type: 'retryNow' }).requests).toEqual([sent(flagOf(true)), sent(flagOf(false, 12))]);
  });

  it('a mark that is refused for good is taken back, with the reason', () => {
    const marked = run(openReview(reviewOf(), 0), { type: 'marked', mark: 'flag' });
    const refused: ExamEvent = { type: 'markFailed', change: flagOf(true), failure: fail('notFound') };
    const after = run(marked.state, refused);
    expect(after.state.marks.flag.has(11)).toBe(false);
    expect(after.state.marksUnsent.flag.size).toBe(0);
    expect(after.requests).toEqual([{ do: 'toast', text: 'refused' }]);
    const newer = run(marked.state, { type: 'marked', mark: 'flag' }, refused);
    expect(newer.state.marks.flag.has(11)).toBe(false);
    expect([...newer.state.marksUnsent.flag]).toEqual([[11, false]]);
  });

  it('what the server says anew changes verdicts; place, dialog and a mark under way stay', () => {
    const marked = run(
      openReview(reviewOf(), 3),
      { type: 'marked', mark: 'flag' },
      { type: 'dialog', dialog: 'card' },
    ).state;
    const scored = reviewOf();
    const renewed = renewReview(marked, {
      ...scored,
      questions: scored.questions.map((question) =>
        question.questionId === 14 ? { ...question, state: 1, myScore: 2 } : question,
      ),
    });
    expect(renewed).toMatchObject({ current: 3, dialog: 'card' });
    expect(renewed.finals.get(14)).toBe(1);
    expect([...renewed.marks.flag].sort()).toEqual([12, 14]);
  });
});
