import { sortLetters } from './answer.ts';

/**
 * How one record shows its paper, frozen when it starts. Answers are stored by the option's identity (its stored letter),
 * so the same answer means the same option on every device, however options are shown (incidents: ruankao #43).
 */
export interface Layout {
  /** Question ids in the order shown. */
  order: readonly number[];
  /** By question id: "CADB" says that the shown A stands for the stored C, B for A and so on. */
  options?: Readonly<Record<string, string>>;
}

interface Shufflable {
  questionId: number;
  type: number;
  /** Letters on offer, e.g. "ABCD"; '' for text questions. */
  letters: string;
  /** Case material the question belongs to, or null. */
  caseId: number | null;
}

/**
 * A layout from a seed, or null when nothing is shuffled. Questions stay in their section, and questions on one case
 * stay together and in their order, since they build on each other. Right and wrong of a judge question never swap.
 * @param sections questions by section, in the paper's order
 * @param seed 32 bits; the same seed gives the same layout
 */
export function makeLayout(
  sections: readonly (readonly Shufflable[])[],
  shuffle: { questions: boolean; options: boolean },
  seed: number,
): Layout | null {
  if (!shuffle.questions && !shuffle.options) return null;
  const next = random(seed);
  const order = sections.flatMap((section) =>
    shuffle.questions ? mixed(caseBlocks(section), next).flat() : [...section],
  );
  if (!shuffle.options) return { order: order.map((question) => question.questionId) };
  const options: Record<string, string> = {};
  for (const { questionId, type, letters } of order) {
    if (type !== 1 && letters.length > 1) options[questionId] = mixed([...letters], next).join('');
  }
  return { order: order.map((question) => question.questionId), options };
}

/** Shown letters to the stored letters they stand for, ascending. Without a permutation they are the same. */
export function toStored(shown: string, permutation: string | undefined): string {
  if (permutation === undefined) return shown;
  return sortLetters([...shown].map((letter) => permutation[letter.charCodeAt(0) - 65] ?? '').join(''));
}

/** Stored letters to the letters they are shown with, ascending. */
export function toShown(stored: string, permutation: string | undefined): string {
  if (permutation === undefined) return stored;
  return sortLetters(
    [...stored]
      .map((letter) => permutation.indexOf(letter))
      .filter((at) => at >= 0)
      .map((at) => String.fromCharCode(65 + at))
      .join(''),
  );
}

/** Options under the letters they are shown with. */
export function shownOptions(
  options: Readonly<Record<string, string>>,
  permutation: string | undefined,
): Readonly<Record<string, string>> {
  if (permutation === undefined) return options;
  return Object.fromEntries(
    [...permutation].map((stored, at) => [String.fromCharCode(65 + at), options[stored] ?? '']),
  );
}

function caseBlocks(questions: readonly Shufflable[]): Shufflable[][] {
  const blocks: Shufflable[][] = [];
  for (const question of questions) {
    const last = blocks.at(-1);
    if (last && question.caseId !== null && last[0]?.caseId === question.caseId) last.push(question);
    else blocks.push([question]);
  }
  return blocks;
}

/** Fisher and Yates. */
export function mixed<T>(items: readonly T[], next: () => number): T[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}

/** Mulberry32: small, and good enough to mix a paper; nothing secret hangs on it. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 4_294_967_296;
  };
}
