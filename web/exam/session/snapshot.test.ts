import { describe, expect, it } from 'vitest';
import { type ExamEvent, unsentCount } from './exam-model.ts';
import { answer, broken, choose, go, keyed, paper, sit, snapshot } from './session.test-kit.ts';
import { openExam } from './snapshot.ts';

describe('after a reload', () => {
  it('answers on the disk newer than the server’s are unsent and sent, never taken for saved', () => {
    const exam = sit({ answers: [answer(11, 'A', 10)] }, [{ questionId: 11, answer: 'B', seq: 12 }]);
    expect(exam.shown(11)).toBe('B');
    expect(exam.state.answers.saved.get(11)).toBe('A');
    expect(exam.state.savedAt).toBeNull();
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 11, answer: 'B', seq: 12 }]);
  });

  it('is saved as of when the server saved last, unless it is still to hear of marks', () => {
    expect(sit({ savedAt: 500, answers: [answer(11, 'A', 10)] }).state.savedAt).toBe(500);
    const marks = { flag: new Map([[11, true]]), guess: new Map() };
    const at = { index: 0, autoAdvance: true, online: true };
    expect(openExam(paper, snapshot({ savedAt: 500 }), [], { ...at, marks }).state.savedAt).toBeNull();
    const exam = sit().do({ type: 'refreshed', snapshot: snapshot({ savedAt: 700 }), asked: 0 });
    expect(exam.state.savedAt).toBe(700);
    exam.do({ type: 'refreshed', snapshot: snapshot({ savedAt: 600 }), asked: 0 });
    expect(exam.state.savedAt).toBe(700);
  });

  it('answers on the disk that the server already has, or that are older, are forgotten', () => {
    const exam = sit({ answers: [answer(11, 'A', 12), answer(12, 'B', 20)] }, [
      { questionId: 11, answer: 'A', seq: 12 },
      { questionId: 12, answer: 'A', seq: 15 },
    ]);
    expect(exam.asked('forget').map(({ unsent }) => unsent.questionId)).toEqual([11, 12]);
    expect(exam.asked('save')).toEqual([]);
    expect(exam.shown(12)).toBe('B');
  });

  it('an answer on the disk whose number the server has with another answer is sent, so that its refusal names it', () => {
    const exam = sit({ answers: [answer(11, 'A', 12)] }, [{ questionId: 11, answer: 'B', seq: 12 }]);
    expect(exam.asked('forget')).toEqual([]);
    const [sent] = exam.asked('save');
    expect(sent?.unsent).toEqual({ questionId: 11, answer: 'B', seq: 12 });
    if (sent) exam.do(broken(sent.unsent, 'seqTaken'));
    expect([exam.toasts(), exam.shown(11)]).toEqual([['refused'], 'A']);
    expect(exam.asked('forget')).toHaveLength(1);
  });

  it('an answer whose key was shown is final: a newer one on the disk is forgotten and not sent', () => {
    const exam = sit({ mayReveal: true, answers: [answer(11, 'A', 10, { showAnswerFlag: 1 })] }, [
      { questionId: 11, answer: 'B', seq: 12 },
    ]);
    expect(exam.shown(11)).toBe('A');
    expect(exam.asked('save')).toEqual([]);
    expect(exam.asked('forget').map(({ unsent }) => unsent)).toEqual([{ questionId: 11, answer: 'B', seq: 12 }]);
  });

  it('a record that is handed in goes to its result', () => {
    expect(sit({ submittedAt: 5 }).asked('goto')).toEqual([{ do: 'goto', to: 'result' }]);
  });
});

describe('another window', () => {
  it('turns this one read-only at once and keeps what is unsent', () => {
    const exam = sit().do(choose('A'), { type: 'takenOver' }, choose('B'), { type: 'marked', mark: 'flag' }, go(1));
    expect(exam.state.phase).toBe('takenOver');
    expect(exam.shown(11)).toBe('A');
    expect(exam.state.current).toBe(1);
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(1);
  });

  it('a refused save says the same', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent, 'takenOver'));
    expect(exam.state.phase).toBe('takenOver');
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('forget')).toEqual([]);
  });

  it('continuing here sends own newer answers and takes the other window’s newer ones', () => {
    const exam = sit().do(choose('A', 100), go(1), choose('A', 200), { type: 'takenOver' });
    exam.asked('save');
    exam.asked('forget');
    exam.do({
      type: 'tookOver',
      snapshot: snapshot({ answers: [answer(11, 'C', 150), answer(12, 'B', 50)] }),
      asked: 0,
    });
    expect(exam.state.phase).toBe('open');
    expect([exam.shown(11), exam.shown(12)]).toEqual(['C', 'A']);
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 12, answer: 'A', seq: 200 }]);
    expect(exam.asked('forget').map(({ unsent }) => unsent.questionId)).toEqual([11]);
  });

  it('hand-in elsewhere ends this window too', () => {
    const exam = sit().do({ type: 'refreshed', snapshot: snapshot({ submittedAt: 77 }), asked: 0 });
    expect(exam.asked('goto')).toEqual([{ do: 'goto', to: 'result' }]);
    expect(exam.do(choose('A')).shown(11)).toBe('');
  });

  it('what the server said before its latest confirmation is asked again, and takes nothing from the screen', () => {
    const exam = sit({ mayReveal: true }).do({ type: 'offline' }, choose('A', 100), go(1), { type: 'online' });
    expect(exam.asked('refresh')).toHaveLength(1);
    const [sent] = exam.asked('save');
    if (sent) exam.do({ type: 'saved', sent: sent.unsent, savedAt: 5, seq: 100, stale: false });
    exam.do(
      { type: 'marked', mark: 'flag' },
      { type: 'markSaved', change: { mark: 'flag', questionId: 12, on: true } },
    );
    exam.do({ type: 'shown', question: keyed(13), state: 2 });
    exam.do({ type: 'refreshed', snapshot: snapshot(), asked: 0 });
    expect(exam.shown(11)).toBe('A');
    expect(exam.state.marks.flag).toEqual(new Set([12]));
    expect(exam.state.finals.has(13)).toBe(true);
    expect(exam.asked('refresh')).toHaveLength(1);
    const { confirmed } = exam.state;
    exam.do({ type: 'refreshed', snapshot: snapshot({ answers: [answer(11, 'B', 150)] }), asked: confirmed });
    expect(exam.shown(11), 'and an up-to-date one counts').toBe('B');
  });

  it('each kind of confirmation makes an earlier question to the server too old', () => {
    const late: Record<string, ExamEvent> = {
      saved: { type: 'saved', sent: { questionId: 12, answer: 'A', seq: 1 }, savedAt: 5, seq: 1, stale: false },
      markSaved: { type: 'markSaved', change: { mark: 'flag', questionId: 11, on: true } },
      shown: { type: 'shown', question: keyed(13), state: 2 },
    };
    for (const [name, event] of Object.entries(late)) {
      const exam = sit().do({ type: 'marked', mark: 'flag' });
      const asked = exam.state.confirmed;
      exam.do(event, { type: 'refreshed', snapshot: snapshot(), asked });
      expect(exam.asked('refresh'), name).toHaveLength(1);
    }
  });

  it('a refresh leaves what is on its way there: it is sent once', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    exam.do({ type: 'refreshed', snapshot: snapshot(), asked: 0 }, { type: 'left' });
    expect(exam.asked('save')).toHaveLength(1);
  });

  it('a refresh of a read-only window shows what the other one answered', () => {
    const exam = sit().do({ type: 'takenOver' });
    exam.do({ type: 'refreshed', snapshot: snapshot({ ownsWindow: false, answers: [answer(12, 'B', 50)] }), asked: 0 });
    expect([exam.state.phase, exam.shown(12)]).toEqual(['takenOver', 'B']);
  });

  it('a refresh says that another window has the paper', () => {
    const exam = sit().do({ type: 'refreshed', snapshot: snapshot({ ownsWindow: false }), asked: 0 });
    expect(exam.state.phase).toBe('takenOver');
  });

  it('continuing here starts afresh: no failures, time as the server says, everything due again', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    for (let i = 0; i < 3; i += 1) {
      const [sent] = exam.asked('save');
      if (sent) exam.do(broken(sent.unsent));
      exam.do({ type: 'retry', round: exam.state.round });
    }
    exam.do({ type: 'takenOver' }, { type: 'tick', left: 0 });
    exam.asked('save');
    expect([exam.state.failures, exam.state.over]).toEqual([3, true]);
    exam.do({ type: 'tookOver', snapshot: snapshot(), asked: 0 });
    expect([exam.state.failures, exam.state.over]).toEqual([0, false]);
    expect(exam.asked('save').map(({ unsent }) => unsent.answer)).toEqual(['A']);
  });

  it('what the server was asked before the taking over does not lock the window again', () => {
    const exam = sit().do({ type: 'takenOver' });
    const asked = exam.state.confirmed;
    exam.do({ type: 'tookOver', snapshot: snapshot(), asked });
    exam.do({ type: 'refreshed', snapshot: snapshot({ ownsWindow: false }), asked });
    expect(exam.state.phase).toBe('open');
    expect(exam.asked('refresh')).toHaveLength(1);
  });

  it('a refresh does not replace what is being changed now', () => {
    const exam = sit({ answers: [answer(14, '旧', 1)] }, [], 3).do({ type: 'typed', text: '', now: 10 });
    exam.do({ type: 'refreshed', snapshot: snapshot({ answers: [answer(14, '旧', 1)] }), asked: 0 });
    expect(exam.shown(14)).toBe('');
    exam.do({ type: 'typed', text: '新的', now: 20 });
    exam.do({ type: 'refreshed', snapshot: snapshot({ answers: [answer(14, '旧', 1)] }), asked: 0 });
    expect(exam.shown(14)).toBe('新的');
  });
});
