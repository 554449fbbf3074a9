import type { HandInReply, KeyedQuestion, Paper, RecordSnapshot } from '../paper.ts';
import type { UnsentAnswer } from './answers-state.ts';
import type { ExamEvent, ExamRequest, ExamState, Failure } from './exam-model.ts';
import { stepExam } from './exam-state.ts';
import { openExam } from './snapshot.ts';

/** One paper of five questions, 11 to 15: single choice, judge, multiple choice, written, single choice. */
const TYPES = [2, 1, 3, 4, 2] as const;
export const paper: Paper = {
  recordId: 9,
  sections: [{ title: 'all', questionIds: [11, 12, 13, 14, 15] }],
  questions: TYPES.map((questionTypesId, i) => ({
    questionId: 11 + i,
    questionTypesId,
    topic: `question ${i}`,
    options: (questionTypesId === 4 ? {} : { A: 'one', B: 'two', C: 'three' }) as Record<string, string>,
    score: 2,
    chapterId: 1,
    parentCaseStudyId: null,
    showAnswerFlag: 0,
  })),
  cases: [],
};

export function snapshot(change: Partial<RecordSnapshot> = {}): RecordSnapshot {
  return {
    recordId: 9,
    examId: 3,
    examName: 'mock paper',
    kind: 'mock',
    packId: 1,
    courseId: null,
    chapterId: null,
    examMode: 1,
    questionMode: 1,
    testType: 0,
    examTime: 60,
    totalQuestion: 5,
    totalScore: 10,
    paperVersion: 1,
    examType: 1,
    startedAt: 0,
    endsAt: 3_600_000,
    submittedAt: null,
    extraTime: 0,
    accommodation: 0,
    extraReason: '',
    now: 1000,
    remaining: 3_599_000,
    mayReveal: false,
    ownsWindow: true,
    lastSeq: 0,
    savedAt: null,
    place: null,
    totalTime: 0,
    answers: [],
    ...change,
  };
}
export const answer = (
  questionId: number,
  text: string,
  seq: number,
  more: Partial<RecordSnapshot['answers'][number]> = {},
): RecordSnapshot['answers'][number] => ({
  questionId,
  answer: text,
  seq,
  flag: 0,
  guess: 0,
  showAnswerFlag: 0,
  state: 0,
  isSubmit: 0,
  myScore: null,
  judgeFlag: null,
  ...more,
});
export const keyed = (questionId: number): KeyedQuestion => ({
  questionId,
  questionTypesId: 2,
  topic: '',
  options: {},
  score: 2,
  chapterId: 1,
  parentCaseStudyId: null,
  showAnswerFlag: 1,
  rightAnswer: 'A',
  answerAnalysis: 'because',
  points: [],
  accuracyRate: null,
  gradeMode: 'key',
});
export const handed = { recordId: 9, late: [11] } as unknown as HandInReply;
export const fail = (why: Failure['why'], msg = 'refused'): Failure => ({ why, msg });

/** A window on one record: events go in, what it asked for is collected until looked at. */
export function sit(change: Partial<RecordSnapshot> = {}, local: readonly UnsentAnswer[] = [], index = 0) {
  let step = openExam(paper, snapshot(change), local, { index, autoAdvance: true, online: true });
  let asked: ExamRequest[] = [...step.requests];
  return {
    get state(): ExamState {
      return step.state;
    },
    do(...events: ExamEvent[]) {
      for (const event of events) {
        step = stepExam(step.state, event);
        asked.push(...step.requests);
      }
      return this;
    },
    /** What was asked for since the last look, of one kind. */
    asked<D extends ExamRequest['do']>(kind: D): Extract<ExamRequest, { do: D }>[] {
      const mine = asked.filter((request): request is Extract<ExamRequest, { do: D }> => request.do === kind);
      asked = asked.filter((request) => request.do !== kind);
      return mine;
    },
    toasts(): string[] {
      return this.asked('toast').map(({ text }) => text);
    },
    shown(id: number): string {
      return step.state.answers.shown.get(id) ?? '';
    },
  };
}
export const choose = (letter: string, now = 5000): ExamEvent => ({ type: 'chosen', letter, now });
export const go = (to: number): ExamEvent => ({ type: 'go', to });
export const saved = (sent: UnsentAnswer, more: Partial<Extract<ExamEvent, { type: 'saved' }>> = {}): ExamEvent => ({
  type: 'saved',
  sent,
  savedAt: 7000,
  seq: sent.seq,
  stale: false,
  ...more,
});
export const refusedHandIn = (failure: Failure, sent: readonly UnsentAnswer[] = []): ExamEvent => ({
  type: 'submitFailed',
  sent,
  failure,
  jitter: 0.5,
});
export const broken = (sent: UnsentAnswer, why: Failure['why'] = 'broken'): ExamEvent => ({
  type: 'saveFailed',
  sent,
  failure: fail(why),
  jitter: 0.5,
});
