import { describe, expect, it } from 'vitest';
import { type ExamEvent, unsentCount } from './exam-model.ts';
import { broken, choose, fail, go, handed, refusedHandIn, sit, snapshot } from './session.test-kit.ts';

describe('time and hand-in', () => {
  it('at zero a paper with any answer is handed in with the unsent ones inside, once', () => {
    const exam = sit().do(choose('A', 10), { type: 'tick', left: 0 }, { type: 'tick', left: -5 });
    expect(exam.asked('submit')).toEqual([
      { do: 'submit', answers: [{ questionId: 11, answer: 'A', seq: 10 }], extraTime: 0 },
    ]);
    expect(exam.asked('goto')).toEqual([]);
  });

  it('at zero a paper without any answer leads to 考题中心', () => {
    const exam = sit().do({ type: 'tick', left: 0 });
    expect(exam.asked('submit')).toEqual([]);
    expect(exam.asked('goto')).toEqual([{ do: 'goto', to: 'examCenter' }]);
  });

  it('a read-only window hands nothing in at zero', () => {
    const exam = sit().do(choose('A'), { type: 'takenOver' }, { type: 'tick', left: 0 });
    expect(exam.asked('submit')).toEqual([]);
  });

  it('a save that came too late is said, and the paper is handed in', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent, 'tooLate'));
    expect(exam.toasts()).toEqual(['考试时间已到，这次修改没有计入']);
    expect(exam.asked('submit')).toHaveLength(1);
    expect(unsentCount(exam.state)).toBe(1);
  });

  it('retries a failed hand-in with the newest answers and stops when asked', () => {
    const exam = sit().do(choose('A'), { type: 'submit' }, { type: 'submit' });
    expect(exam.asked('submit')).toHaveLength(1);
    exam.do(refusedHandIn(fail('offline')));
    const wait = exam.asked('wait').find(({ event }) => event.type === 'submitAgain');
    expect(wait?.ms).toBe(1000);
    if (wait) exam.do(wait.event);
    expect(exam.asked('submit')).toHaveLength(1);
    exam.do(refusedHandIn(fail('offline')), { type: 'submitStopped' });
    expect([exam.state.phase, exam.state.dialog]).toEqual(['open', null]);
    expect(exam.do(choose('B', 9000)).shown(11)).toBe('B');
  });

  it('tries again at once when the network is back', () => {
    const exam = sit().do(choose('A'), { type: 'submit' }, { type: 'offline' });
    exam.do(refusedHandIn(fail('offline')));
    exam.asked('submit');
    exam.do({ type: 'online' });
    expect(exam.asked('submit')).toHaveLength(1);
  });

  it('tries again although the browser says offline', () => {
    const exam = sit().do(choose('A'), { type: 'submit' });
    exam.do(refusedHandIn(fail('offline')), { type: 'offline' });
    exam.asked('submit');
    exam.do({ type: 'retry', round: exam.state.round });
    expect(exam.asked('submit')).toHaveLength(1);
  });

  it('the server’s news of one’s own hand-in does not overtake its reply, which names what came too late', () => {
    const exam = sit().do(choose('A'), { type: 'submit' }, { type: 'submitted', result: null });
    expect(exam.asked('goto')).toEqual([]);
    exam.do({ type: 'submitted', result: handed });
    expect(exam.asked('goto')).toHaveLength(1);
  });

  it('a refresh that sees one’s own hand-in does not overtake its reply either', () => {
    const exam = sit().do(choose('A'), { type: 'submit' });
    exam.do({ type: 'refreshed', snapshot: snapshot({ submittedAt: 77 }), asked: 0 });
    expect([exam.state.phase, exam.asked('goto')]).toEqual(['handing', []]);
  });

  it.each(['answerMalformed', 'badInput', 'seqTaken', 'tooLarge'] as const)(
    'in time, a hand-in refused for what it encloses (%s) goes back to answering and saves one by one',
    (why) => {
      const exam = sit().do(choose('A'), go(1), choose('B', 6000), { type: 'submit' });
      const saves = exam.asked('save');
      for (const { unsent } of saves) exam.do(broken(unsent));
      exam.toasts();
      const [submit] = exam.asked('submit');
      exam.do(refusedHandIn(fail(why), submit?.answers));
      expect([exam.state.phase, exam.state.dialog, exam.toasts()]).toEqual(['open', null, ['refused']]);
      expect(
        exam
          .asked('save')
          .map(({ unsent }) => unsent.questionId)
          .sort(),
      ).toEqual([11, 12]);
      expect(exam.asked('submit')).toEqual([]);
    },
  );

  /** Three unsent answers, the time over, the first hand-in under way. */
  function overTime() {
    const exam = sit().do({ type: 'offline' }, choose('A', 10), go(1), choose('B', 20), go(2), choose('C', 30));
    exam.do({ type: 'tick', left: 0 });
    const [submit] = exam.asked('submit');
    return { exam, sent: submit?.answers ?? [] };
  }
  const enclosed = (exam: ReturnType<typeof sit>) =>
    exam.asked('submit').map(({ answers }) => answers.map(({ questionId }) => questionId));

  it.each(['answerMalformed', 'badInput', 'seqTaken', 'tooLarge'] as const)(
    'after the end it is repeated without what was refused, which stays in the browser (%s)',
    (why) => {
      const { exam, sent } = overTime();
      expect(sent).toHaveLength(3);
      exam.do(refusedHandIn(fail(why), sent));
      expect(enclosed(exam)).toEqual([[]]);
      exam.do({ type: 'retry', round: exam.state.round }, { type: 'retryNow' });
      expect(exam.asked('save'), 'and is not sent alone').toEqual([]);
      exam.do({ type: 'submitted', result: handed });
      expect(exam.asked('forget')).toEqual([]);
      expect(exam.asked('goto')).toHaveLength(1);
    },
  );

  it('where the refusal names one answer, only that one is left out', () => {
    const { exam, sent } = overTime();
    exam.do(refusedHandIn({ ...fail('badInput'), at: 1 }, sent));
    const [second] = exam.asked('submit');
    expect(second?.answers.map(({ questionId }) => questionId)).toEqual([11, 13]);
    exam.do(refusedHandIn({ ...fail('answerMalformed'), at: 1 }, second?.answers));
    expect(enclosed(exam)).toEqual([[11]]);
    exam.do({ type: 'submitted', result: handed });
    expect(exam.asked('forget').map(({ unsent }) => unsent.questionId)).toEqual([11]);
  });

  it('a hand-in refused without answers inside is repeated with back-off, not at once', () => {
    const { exam, sent } = overTime();
    exam.do(refusedHandIn(fail('tooLarge'), sent));
    exam.asked('submit');
    exam.do(refusedHandIn(fail('tooLarge'), []));
    expect(exam.asked('submit')).toEqual([]);
    expect(exam.asked('wait').some(({ event }) => event.type === 'submitAgain')).toBe(true);
  });

  it('a hand-in that time started cannot be stopped', () => {
    const exam = sit().do(choose('A'), { type: 'tick', left: 0 });
    exam.do(refusedHandIn(fail('offline')), { type: 'submitStopped' });
    expect(exam.state.phase).toBe('handing');
  });

  it('after hand-in everything is forgotten and nothing can change', () => {
    const exam = sit().do(choose('A'), { type: 'submit' });
    exam.do({ type: 'submitted', result: handed });
    expect(exam.asked('goto')).toEqual([{ do: 'goto', to: 'result' }]);
    expect(unsentCount(exam.state)).toBe(0);
    exam.do(choose('B'), { type: 'marked', mark: 'flag' }, go(1), { type: 'submitted', result: null });
    expect([exam.asked('goto'), exam.asked('save'), exam.asked('mark')]).toEqual([[], [], []]);
  });
});

describe('the end of the time while the clock is in doubt', () => {
  const doubt = (left: number, byDevice = left): ExamEvent => ({ type: 'tick', left, doubt: { left: byDevice } });

  it('is shown and takes no more changes, and nothing is handed in before the server is heard', () => {
    const exam = sit().do(choose('A'), doubt(0), choose('B', 6000));
    expect([exam.state.ending, exam.state.over, exam.shown(11)]).toEqual(['waits', false, 'A']);
    expect(exam.asked('submit')).toEqual([]);
    exam.do({ type: 'left' });
    expect(exam.asked('save'), 'what was answered is still sent').toHaveLength(1);
    exam.do({ type: 'tick', left: 0 });
    expect([exam.state.ending, exam.state.over, exam.asked('submit').length]).toEqual(['certain', true, 1]);
  });

  it('goes on where the server says that there is time', () => {
    const exam = sit().do(doubt(0), { type: 'tick', left: 60_000 }, choose('B'));
    expect([exam.state.ending, exam.shown(11)]).toEqual(['certain', 'B']);
  });

  it('by the device’s own clock alone is said, and takes nothing from the student', () => {
    const exam = sit().do(doubt(60_000, -1), choose('B'));
    expect([exam.state.ending, exam.shown(11)]).toEqual(['maybe', 'B']);
    exam.do(doubt(60_000, 30_000));
    expect(exam.state.ending).toBe('certain');
  });
});

it.each<[string, ExamEvent, string]>([
  [
    'a save',
    { type: 'saveFailed', sent: { questionId: 11, answer: 'A', seq: 5000 }, failure: fail('tooLate'), jitter: 0 },
    '考试时间已到，这次修改没有计入',
  ],
  [
    'a mark',
    { type: 'markFailed', change: { mark: 'flag', questionId: 11, on: true }, failure: fail('tooLate') },
    '考试时间已到，这个标记没有保存',
  ],
  ['a key', { type: 'showFailed', questionId: 11, failure: fail('tooLate') }, '考试时间已到，请在交卷后查看答案'],
])('%s that came too late says what did not happen, and of nothing else', (_, event, sentence) => {
  const exam = sit().do(choose('A'), { type: 'marked', mark: 'flag' }, { type: 'left' }, event);
  expect(exam.toasts()).toEqual([sentence]);
});
