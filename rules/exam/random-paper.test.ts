import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BankQuestion, type BlueprintLine, drawPaper } from './random-paper.ts';

const question = (questionId: number, over: Partial<BankQuestion> = {}): BankQuestion => ({
  questionId,
  questionTypesId: 2,
  caseId: null,
  position: questionId,
  answeredAt: null,
  ...over,
});
const line = (questionTypesId: number, count: number, score = 2): BlueprintLine => ({ questionTypesId, count, score });
const ids = (drawn: ReturnType<typeof drawPaper>) =>
  drawn.ok ? drawn.questions.map(({ questionId }) => questionId) : [];
const sorted = (drawn: ReturnType<typeof drawPaper>) => ids(drawn).sort((a, b) => a - b);

describe('a random paper', () => {
  it.each<[string, BankQuestion[], BlueprintLine[], number[]]>([
    [
      'takes what was never answered',
      [question(1, { answeredAt: 5 }), question(2), question(3, { answeredAt: 1 }), question(4)],
      [line(2, 2)],
      [2, 4],
    ],
    [
      'then what was answered longest ago',
      [question(1, { answeredAt: 5 }), question(2), question(3, { answeredAt: 1 }), question(4, { answeredAt: 9 })],
      [line(2, 2)],
      [2, 3],
    ],
    [
      'takes a case whole where it fits',
      [question(1, { caseId: 7 }), question(2, { caseId: 7 }), question(3, { answeredAt: 1 })],
      [line(2, 2)],
      [1, 2],
    ],
    [
      'leaves a case that is too large while single questions are there',
      [1, 2, 3].map((id) => question(id, { caseId: 7 })).concat(question(4, { answeredAt: 1 }), question(5)),
      [line(2, 2)],
      [4, 5],
    ],
    [
      'takes the first questions of a case where nothing else is left',
      [question(3, { caseId: 7 }), question(1, { caseId: 7 }), question(2, { caseId: 7 })],
      [line(2, 2)],
      [1, 2],
    ],
    [
      'of a case only the types that are wanted',
      [question(1, { caseId: 7 }), question(2, { caseId: 7, questionTypesId: 4 })],
      [line(2, 1)],
      [1],
    ],
    [
      'holds a case as fresh as its question answered last',
      [question(1, { caseId: 7 }), question(2, { caseId: 7, answeredAt: 9 }), question(3, { answeredAt: 5 })],
      [line(2, 1)],
      [3],
    ],
  ])('%s', (_, bank, blueprint, drawn) => {
    for (const seed of [1, 2, 3, 4_000_000_000]) expect(sorted(drawPaper(bank, blueprint, seed))).toEqual(drawn);
  });

  it('stands in the order of the blueprint, with cases together at the end and their points by type', () => {
    const bank = [
      question(1, { questionTypesId: 1 }),
      question(2),
      question(3, { questionTypesId: 1, caseId: 7, position: 9 }),
      question(4, { caseId: 7, position: 8 }),
    ];
    const drawn = drawPaper(bank, [line(2, 2, 3), line(1, 2, 0.5)], 1);
    expect(drawn).toEqual({
      ok: true,
      questions: [
        { questionId: 2, score: 3 },
        { questionId: 1, score: 0.5 },
        { questionId: 4, score: 3 },
        { questionId: 3, score: 0.5 },
      ],
    });
  });

  it('says which line cannot be filled, and what there is', () => {
    const bank = [question(1), question(2, { questionTypesId: 1 })];
    expect(drawPaper(bank, [line(1, 1), line(2, 3)], 1)).toEqual({ ok: false, why: 'bankTooSmall', at: 1, has: 1 });
  });

  it('is another with another seed, and the same with the same', () => {
    const bank = Array.from({ length: 40 }, (_, at) => question(at + 1));
    const papers = [1, 2, 1].map((seed) => ids(drawPaper(bank, [line(2, 10)], seed)));
    expect(papers[0]).toEqual(papers[2]);
    expect(papers[0]).not.toEqual(papers[1]);
  });

  it('is exactly what was asked for whenever the bank has it, each question once, each case in one piece', () => {
    const anyQuestion = fc.record({
      questionTypesId: fc.constantFrom(1, 2, 4),
      caseId: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      answeredAt: fc.option(fc.nat(5), { nil: null }),
    });
    fc.assert(
      fc.property(
        fc.array(anyQuestion, { maxLength: 40 }),
        fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12)),
        fc.nat(),
        (some, counts, seed) => {
          const bank = some.map((each, at) => question(at + 1, each));
          const types = [1, 2, 4];
          const blueprint = types.map((type, at) => line(type, counts[at] ?? 0));
          const drawn = drawPaper(bank, blueprint, seed);
          const enough = blueprint.every(
            ({ questionTypesId, count }) =>
              bank.filter((one) => one.questionTypesId === questionTypesId).length >= count,
          );
          expect(drawn.ok).toBe(enough);
          if (!drawn.ok) return;
          const byId = new Map(bank.map((one) => [one.questionId, one]));
          const paper = ids(drawn).map((id) => byId.get(id));
          expect(new Set(paper)).toHaveLength(paper.length);
          for (const [at, type] of types.entries())
            expect(paper.filter((one) => one?.questionTypesId === type)).toHaveLength(counts[at] ?? 0);
          const runs = paper
            .map((one) => one?.caseId ?? null)
            .filter((id, at, all) => id !== null && id !== all[at - 1]);
          expect(new Set(runs)).toHaveLength(runs.length);
        },
      ),
    );
  });
});
