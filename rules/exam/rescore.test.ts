import { describe, expect, it } from 'vitest';
import type { GradeMode } from '#contract/values/exam.ts';
import type { QuestionType } from './answer.ts';
import {
  afterImport,
  type CorrectableQuestion,
  decideCorrection,
  regraded,
  rescores,
  ruledQuestions,
} from './rescore.ts';
import type { Graded, OwnScore } from './scoring.ts';

const by = (type: QuestionType, right: string, score: number, gradeMode: GradeMode = 'key') => ({
  type,
  right,
  score,
  gradeMode,
});
const graded = (
  state: Graded['state'],
  earned: number | null,
  judgeFlag: 1 | 2 | null = null,
  own?: OwnScore,
): Graded => (own ? { state, earned, judgeFlag, own } : { state, earned, judgeFlag });
const own = (earned: number, of: number, judgeFlag: 1 | 2 | null = null): OwnScore => ({ earned, of, judgeFlag });

describe('an answer that is graded again', () => {
  const single = by(2, 'A', 2);
  const text = by(4, '参考', 5);
  const flagged = by(8, '参考', 5);
  type Case = [string, typeof single, typeof single, string | null, Graded | null, Graded];
  const cases: Case[] = [
    ['the key is another', by(2, 'B', 2), single, 'B', graded(2, 0), graded(1, 2)],
    ['the key was mine and is no more', by(2, 'B', 2), single, 'A', graded(1, 2), graded(2, 0)],
    ['nothing was answered', by(2, 'B', 2), single, null, graded(0, 0), graded(0, 0)],
    ['everybody gets the points', by(2, 'A', 2, 'all'), single, 'C', graded(2, 0), graded(1, 2)],
    ['everybody, who left it open too', by(2, 'A', 2, 'all'), single, '', graded(0, 0), graded(0, 2)],
    ['it counts for nothing', by(2, 'A', 0, 'void'), single, 'C', graded(2, 0), graded(5, 0)],
    [
      'it counts for nothing, whatever points are named',
      by(2, 'A', 3, 'void'),
      single,
      'A',
      graded(1, 2),
      graded(5, 0),
    ],
    ['it counts again', single, by(2, 'A', 0, 'void'), 'C', graded(5, 0), graded(2, 0)],
    ['a half right one', by(3, 'ABC', 4), by(3, 'AB', 4), 'AB', graded(1, 4), graded(3, 2)],
    ['an own score stays where the reference is another', by(4, '新的', 5), text, '文', graded(3, 2.5), graded(3, 2.5)],
    ['an own score that waits goes on waiting', by(4, '新的', 5), text, '文', graded(4, null), graded(4, null)],
    ['full points stay full', by(4, '参考', 8), text, '文', graded(1, 5), graded(1, 8)],
    ['others fit', by(4, '参考', 2), text, '文', graded(3, 3), graded(1, 2)],
    [
      'points given by the school wait for the student again',
      text,
      by(4, '参考', 5, 'all'),
      '文',
      graded(1, 5),
      graded(4, null),
    ],
    [
      'a text that everybody gets: its own score is set aside',
      by(8, '参考', 5, 'all'),
      flagged,
      '文',
      graded(2, 1, 2),
      graded(1, 5, null, own(1, 5, 2)),
    ],
    [
      'and so where it counts for nothing',
      by(4, '参考', 0, 'void'),
      text,
      '文',
      graded(3, 2.5),
      graded(5, 0, null, own(2.5, 5)),
    ],
    [
      'it stays aside from one to the other',
      by(4, '参考', 5, 'all'),
      by(4, '参考', 0, 'void'),
      '文',
      graded(5, 0, null, own(2.5, 5)),
      graded(1, 5, null, own(2.5, 5)),
    ],
    [
      'and counts with the question',
      text,
      by(4, '参考', 0, 'void'),
      '文',
      graded(5, 0, null, own(2.5, 5)),
      graded(3, 2.5),
    ],
    ['with its flag', flagged, by(8, '参考', 5, 'all'), '文', graded(1, 5, null, own(1, 5, 2)), graded(2, 1, 2)],
    [
      'full points come back as full points',
      by(4, '参考', 8),
      by(4, '参考', 5, 'all'),
      '文',
      graded(1, 5, null, own(5, 5)),
      graded(1, 8),
    ],
    ['one that was not scored yet waits again', text, by(4, '参考', 0, 'void'), '文', graded(5, 0), graded(4, null)],
    ['the flag stays the student’s', by(8, '参考', 3), flagged, '文', graded(2, 4, 2), graded(2, 3, 2)],
  ];
  it.each(cases)('%s', (_name, question, was, answer, before, expected) => {
    expect(regraded(question, { before, was, answer, share: 0.5 })).toEqual(expected);
  });
});

const question: CorrectableQuestion = {
  type: 3,
  letters: 'ABCD',
  right: 'AB',
  analysis: '因为',
  gradeMode: 'key',
  score: 2,
  scores: new Map([
    [7, 3],
    [8, 2],
  ]),
};

describe('what a correction changes', () => {
  it.each([
    [{ right: 'b, a' }, { ok: false, why: 'nothingToCorrect' }],
    [{ right: 'ca' }, { ok: true, change: { right: ['AB', 'AC'] } }],
    [{ right: 'E' }, { ok: false, why: 'answerMalformed', field: 'rightAnswer' }],
    [{ right: ' ' }, { ok: false, why: 'answerMalformed', field: 'rightAnswer' }],
    [{ analysis: '所以' }, { ok: true, change: { analysis: ['因为', '所以'] } }],
    [{ gradeMode: 'all' }, { ok: true, change: { gradeMode: ['key', 'all'] } }],
    [{ gradeMode: 'void' }, { ok: true, change: { gradeMode: ['key', 'void'] } }],
    [{ scores: [{ examId: 7, score: 4.5 }] }, { ok: true, change: { scores: { 7: [3, 4.5] } } }],
    [{ scores: [{ examId: 7, score: 3 }] }, { ok: false, why: 'nothingToCorrect' }],
    [{ scores: [{ examId: 9, score: 3 }] }, { ok: false, why: 'notFound', field: 'scores.0.examId', at: 0 }],
    [{ scores: [{ examId: 7, score: 0 }] }, { ok: false, why: 'badInput', field: 'scores.0.score', at: 0 }],
    [{ scores: [{ examId: 7, score: 1.3 }] }, { ok: false, why: 'badInput', field: 'scores.0.score', at: 0 }],
  ] as const)('%j', (wanted, expected) => {
    expect(decideCorrection(question, wanted, null)).toEqual(expected);
  });

  it('gives back the points that a question had before it counted for nothing', () => {
    const voided = { ...question, gradeMode: 'void' as const, score: 0, scores: new Map([[7, 0]]) };
    const had = {
      score: [2, 0] as [number, number],
      scores: { 7: [3, 0] as [number, number], 8: [2, 0] as [number, number] },
    };
    expect(decideCorrection(voided, { gradeMode: 'key' }, had)).toEqual({
      ok: true,
      change: { gradeMode: ['void', 'key'], score: [0, 2], scores: { 7: [0, 3] } },
    });
    // Lists that were not written over, or that a file has written since, say themselves what it gives.
    const named = { ...voided, score: 4, scores: new Map([[7, 5]]) };
    expect(decideCorrection(named, { gradeMode: 'key' }, had)).toEqual({
      ok: true,
      change: { gradeMode: ['void', 'key'] },
    });
  });

  it('changes verdicts but for an analysis alone', () => {
    expect([rescores({ analysis: ['a', 'b'] }), rescores({ scores: { 7: [1, 2] } })]).toEqual([false, true]);
  });
});

describe('another rule for partly right answers', () => {
  const paper = (partial: number | null, ...types: QuestionType[]) => ({
    partial,
    questions: types.map((type, at) => ({ questionId: at + 1, type })),
  });
  it.each([
    ['grades multiple and indefinite choices again', paper(null, 1, 2, 3, 4, 5, 8), 0.5, [3, 5]],
    ['and when it is taken back', paper(0.5, 3, 5), null, [1, 2]],
    ['nothing and half points are rules of their own', paper(null, 3), 0, [1]],
    ['nothing where the version has it already', paper(0.5, 3, 5), 0.5, []],
    ['nor where both are none', paper(null, 3), null, []],
    ['nor where no letters can be missing', paper(null, 1, 2, 4, 8), 0.5, []],
  ])('%s', (_name, version, share, ids) => {
    expect(ruledQuestions(version, share).map(({ questionId }) => questionId)).toEqual(ids);
  });

  it.each([
    ['a part earns its share', by(3, 'ABC', 4), 'AB', graded(2, 0), 0.5, graded(3, 2)],
    ['and nothing again', by(5, 'ABC', 4), 'AB', graded(3, 2), null, graded(2, 0)],
    ['half points, rounded down', by(3, 'AB', 3), 'A', graded(2, 0), 0.33, graded(3, 0.5)],
    ['a share that brings nothing', by(3, 'AB', 1), 'A', graded(2, 0), 0.25, graded(3, 0)],
    ['a wrong letter earns nothing', by(3, 'AB', 4), 'AC', graded(2, 0), 0.5, graded(2, 0)],
    ['all of them stay', by(3, 'AB', 4), 'AB', graded(1, 4), 0.5, graded(1, 4)],
    ['nothing was answered', by(3, 'AB', 4), null, graded(0, 0), 0.5, graded(0, 0)],
    ['a void one stays', by(3, 'AB', 0, 'void'), 'A', graded(5, 0), 0.5, graded(5, 0)],
    ['what everybody gets stays', by(3, 'AB', 4, 'all'), 'A', graded(1, 4), 0.5, graded(1, 4)],
  ] as const)('%s', (_name, question, answer, before, share, expected) => {
    expect(regraded(question, { before, was: question, answer, share })).toEqual(expected);
  });
});

describe('a file that comes in again', () => {
  it.each([
    ['says what it said: the teacher’s word stands', 'B', 'A', [['A', 'B']], 'B', 'kept'],
    [
      'says what it said before two corrections',
      'C',
      'A',
      [
        ['A', 'B'],
        ['B', 'C'],
      ],
      'C',
      'kept',
    ],
    ['agrees', 'B', 'B', [['A', 'B']], 'B', null],
    ['says something new', 'B', 'D', [['A', 'B']], 'D', 'overruled'],
    ['was taken since', 'D', 'A', [['A', 'B']], 'A', null],
    ['of a question that nobody corrected', 'A', 'B', [], 'B', null],
  ] as [string, string, string, [string, string][], string, string | null][])(
    '%s',
    (_name, stored, wanted, corrected, value, says) => {
      expect(afterImport(stored, wanted, corrected)).toEqual({ value, says });
    },
  );
});
