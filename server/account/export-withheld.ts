import { isMadeWithout } from '#rules/exam/reveal.ts';
import type { StoredExport } from './export-store.ts';

/** The questions of which neither key nor verdict may be told to a person now (rules/exam/reveal.ts `InOpenExam`). */
export type HiddenFrom = (userId: number) => Promise<ReadonlySet<number>>;

/** Whether a copy tells what its person's answers to questions were graded that they sit now (decision 062). */
export const isWithheld = ({ state, sat }: StoredExport, hidden: ReadonlySet<number>): boolean =>
  state === 'ready' && !isMadeWithout(hidden, JSON.parse(sat) as number[]);
