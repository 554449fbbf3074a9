import { marks as kinds, type Mark } from '#contract/values/exam.ts';

/** The questions that carry a mark, by kind. */
export type Marks = Readonly<Record<Mark, ReadonlySet<number>>>;
/** Marks that the server has not confirmed, by kind and question: whether they are set or taken back. */
export type UnsentMarks = Readonly<Record<Mark, ReadonlyMap<number, boolean>>>;
export const noUnsentMarks: UnsentMarks = { flag: new Map(), guess: new Map() };

/** One mark is set or taken back. */
export interface MarkChange {
  readonly mark: Mark;
  readonly questionId: number;
  readonly on: boolean;
}

/** The marks that a server has, by the answers that it stores. */
export function storedMarks(answers: readonly ({ questionId: number } & Readonly<Record<Mark, number>>)[]): Marks {
  const of = (mark: Mark) =>
    new Set(answers.filter((answer) => answer[mark] === 1).map(({ questionId }) => questionId));
  return { flag: of('flag'), guess: of('guess') };
}

/** The marks that the server has, and over them those that it has not confirmed. */
export function withUnsent(stored: Marks, unsent: UnsentMarks): Marks {
  const of = (mark: Mark) => {
    const marked = new Set(stored[mark]);
    for (const [id, on] of unsent[mark]) {
      if (on) marked.add(id);
      else marked.delete(id);
    }
    return marked;
  };
  return { flag: of('flag'), guess: of('guess') };
}

/** Of marks that were kept, those of questions that there are. */
export function marksOf(kept: UnsentMarks, questions: ReadonlyMap<number, unknown>): UnsentMarks {
  const of = (mark: Mark) => new Map([...kept[mark]].filter(([id]) => questions.has(id)));
  return { flag: of('flag'), guess: of('guess') };
}

/** How many marks the server has not confirmed. */
export function unsentMarkCount(unsent: UnsentMarks): number {
  return kinds.reduce((sum, mark) => sum + unsent[mark].size, 0);
}

/** Every mark that the server has not confirmed, to be sent. */
export function sendMarks(unsent: UnsentMarks): ({ do: 'mark' } & MarkChange)[] {
  return kinds.flatMap((mark) =>
    [...unsent[mark]].map(([questionId, on]) => ({ do: 'mark', mark, questionId, on }) as const),
  );
}
