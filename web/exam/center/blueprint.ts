import { OWN_PAPER_MOST, RANDOM_MINUTES, RANDOM_SCORE } from '#contract/values/exam.ts';
import type { Data, Input } from '#web/lib/send.ts';

export type BankChapter = Data<'GET /app/exam/random_options'>['chapters'][number];
/** How the newest random paper was wanted; null: there is none. */
export type LastBlueprint = Data<'GET /app/exam/random_options'>['last'];
type TypeId = BankChapter['types'][number]['questionTypesId'];

/** What a student has typed for one type; texts as they stand in their fields. */
interface TypedLine {
  count: string;
  score: string;
}

/** A random paper as its student writes it down. */
export interface Blueprint {
  /** Chapters that are chosen whole; those below a chosen one are in it too. */
  chosen: ReadonlySet<number>;
  lines: Readonly<Partial<Record<TypeId, TypedLine>>>;
  minutes: string;
}

export type BlueprintStep =
  | { type: 'chapter'; chapterId: number; on: boolean }
  | { type: 'all'; on: boolean }
  | { type: 'line'; of: TypeId; change: Partial<TypedLine> }
  | { type: 'spread'; count: number }
  | { type: 'minutes'; minutes: string };

/** In the order of a paper. */
const types: readonly TypeId[] = [1, 2, 3, 5, 4, 8];
/** Points of one question until the student says others. */
const usualScores: Readonly<Record<TypeId, string>> = { 1: '1', 2: '1', 3: '2', 5: '2', 4: '5', 8: '5' };

/** The blueprint a form opens with: the whole pack, twenty questions spread over its types. */
export function freshBlueprint(bank: readonly BankChapter[]): Blueprint {
  const empty: Blueprint = { chosen: new Set(), lines: {}, minutes: String(RANDOM_MINUTES.usual) };
  return blueprintAfter(bank, blueprintAfter(bank, empty, { type: 'all', on: true }), { type: 'spread', count: 20 });
}

/** The blueprint of the last paper again; chapters that are gone are left out, and without any left it is a fresh one. */
export function blueprintAgain(bank: readonly BankChapter[], last: LastBlueprint): Blueprint {
  const { chapterIds, lines, examTime } = last ?? { chapterIds: [], lines: [], examTime: 0 };
  const chosen = new Set(
    chapterIds === null
      ? bank.map(({ chapterId }) => chapterId)
      : bank
          .filter(({ chapterId }) => chapterIds.includes(chapterId))
          .flatMap((one) => [...withBelow(bank, one.chapterId)]),
  );
  if (last === null || chosen.size === 0) return freshBlueprint(bank);
  return {
    chosen,
    lines: Object.fromEntries(
      lines.map(({ questionTypesId, count, score }) => [
        questionTypesId,
        { count: String(count), score: String(score) },
      ]),
    ),
    minutes: String(examTime),
  };
}

/** The blueprint after one act of the student. */
export function blueprintAfter(bank: readonly BankChapter[], was: Blueprint, step: BlueprintStep): Blueprint {
  switch (step.type) {
    case 'all':
      return { ...was, chosen: new Set(step.on ? bank.map(({ chapterId }) => chapterId) : []) };
    case 'chapter': {
      const chosen = new Set(was.chosen);
      for (const id of withBelow(bank, step.chapterId)) {
        if (step.on) chosen.add(id);
        else chosen.delete(id);
      }
      // A chapter is chosen when all of it is, and not when a part of it is not.
      for (let parent = parentOf(bank, step.chapterId); parent !== null; parent = parentOf(bank, parent)) {
        const whole = bank
          .filter(({ parentId }) => parentId === parent)
          .every(({ chapterId }) => chosen.has(chapterId));
        if (whole && step.on) chosen.add(parent);
        else chosen.delete(parent);
      }
      return { ...was, chosen };
    }
    case 'line': {
      const line = was.lines[step.of] ?? { count: '', score: usualScores[step.of] };
      return { ...was, lines: { ...was.lines, [step.of]: { ...line, ...step.change } } };
    }
    case 'spread': {
      const counts = spread(available(bank, was.chosen), step.count);
      const lines = Object.fromEntries(
        types.map((type) => [
          type,
          { score: usualScores[type], ...was.lines[type], count: String(counts.get(type) ?? 0) },
        ]),
      );
      return { ...was, lines };
    }
    case 'minutes':
      return { ...was, minutes: step.minutes };
  }
}

/** How many questions of each type the chosen chapters have; types without any are left out. */
export function available(bank: readonly BankChapter[], chosen: ReadonlySet<number>): Map<TypeId, number> {
  const found = new Map<TypeId, number>();
  for (const chapter of bank) {
    if (!chosen.has(chapter.chapterId)) continue;
    for (const { questionTypesId, count } of chapter.types)
      found.set(questionTypesId, (found.get(questionTypesId) ?? 0) + count);
  }
  return new Map(types.flatMap((type) => (found.has(type) ? [[type, found.get(type) ?? 0] as const] : [])));
}

/** How many questions a chapter has with all below it. */
export function countOf(bank: readonly BankChapter[], chapterId: number): number {
  const own = withBelow(bank, chapterId);
  return bank
    .filter((chapter) => own.has(chapter.chapterId))
    .reduce((sum, { types: some }) => sum + some.reduce((all, { count }) => all + count, 0), 0);
}

/** A paper of so many questions with the types in the shares that the bank has; fewer where it has fewer. */
function spread(bank: ReadonlyMap<TypeId, number>, count: number): Map<TypeId, number> {
  const total = [...bank.values()].reduce((sum, has) => sum + has, 0);
  const wanted = Math.min(count, total);
  const share = (has: number) => (has * wanted) / Math.max(1, total);
  const counts = new Map([...bank].map(([type, has]) => [type, Math.floor(share(has))]));
  const left = wanted - [...counts.values()].reduce((sum, some) => sum + some, 0);
  // What rounding took goes to those that lost most by it.
  const lost = [...bank].sort(([, one], [, other]) => (share(other) % 1) - (share(one) % 1)).slice(0, left);
  for (const [type] of lost) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** What is wrong with one line, as a code with its numbers. */
export type LineFault = { why: 'count' } | { why: 'score' } | { why: 'bank'; has: number };

/** What a blueprint comes to at this moment. */
export interface BlueprintTotal {
  questions: number;
  score: number;
  minutes: number | null;
  faults: ReadonlyMap<TypeId, LineFault>;
  /** Why it cannot be sent although no line is at fault; null: it can. */
  why: 'chapters' | 'nothing' | 'tooMany' | 'minutes' | null;
  lines: Input<'POST /app/exam/random_paper'>['lines'];
  rows: readonly { type: TypeId; has: number; count: string; score: string }[];
}

/** Adds a blueprint up and says what is wrong with it, before anything is sent. */
export function totalOf(bank: readonly BankChapter[], { chosen, lines, minutes }: Blueprint): BlueprintTotal {
  const has = available(bank, chosen);
  const everywhere = available(bank, new Set(bank.map(({ chapterId }) => chapterId)));
  const faults = new Map<TypeId, LineFault>();
  const sent: BlueprintTotal['lines'] = [];
  const rows = [...everywhere.keys()].map((type) => {
    const { count, score } = lines[type] ?? { count: '', score: usualScores[type] };
    const wanted = wholeFrom(count);
    const points = pointsFrom(score);
    const there = has.get(type) ?? 0;
    if (wanted === null) faults.set(type, { why: 'count' });
    else if (wanted > there) faults.set(type, { why: 'bank', has: there });
    else if (wanted > 0 && points === null) faults.set(type, { why: 'score' });
    if (wanted !== null && wanted > 0) sent.push({ questionTypesId: type, count: wanted, score: points ?? 0 });
    return { type, has: there, count, score };
  });
  const questions = sent.reduce((sum, { count }) => sum + count, 0);
  const time = wholeFrom(minutes);
  const inTime = time !== null && time >= RANDOM_MINUTES.least && time <= RANDOM_MINUTES.most ? time : null;
  const fault = (): BlueprintTotal['why'] => {
    if (chosen.size === 0) return 'chapters';
    if (questions === 0) return 'nothing';
    if (questions > OWN_PAPER_MOST) return 'tooMany';
    return inTime === null ? 'minutes' : null;
  };
  const score = Math.round(sent.reduce((sum, line) => sum + line.count * line.score, 0) * 2) / 2;
  return { questions, score, minutes: inTime, faults, why: fault(), lines: sent, rows };
}

/** The chapters to send: those chosen whole, without what lies below one of them; undefined: the whole pack. */
export function rootsOf(bank: readonly BankChapter[], chosen: ReadonlySet<number>): number[] | undefined {
  if (bank.every(({ chapterId }) => chosen.has(chapterId))) return undefined;
  return bank
    .filter(({ chapterId, parentId }) => chosen.has(chapterId) && (parentId === null || !chosen.has(parentId)))
    .map(({ chapterId }) => chapterId);
}

/** A chapter and everything below it. */
function withBelow(bank: readonly BankChapter[], chapterId: number): Set<number> {
  const found = new Set([chapterId]);
  // The tree is in order: who lies below stands after.
  for (let pass = 0; pass < 2; pass += 1)
    for (const { chapterId: id, parentId } of bank) if (parentId !== null && found.has(parentId)) found.add(id);
  return found;
}

function parentOf(bank: readonly BankChapter[], chapterId: number): number | null {
  return bank.find((chapter) => chapter.chapterId === chapterId)?.parentId ?? null;
}

/** A count as somebody types it; nothing typed is none, null: it is no count. */
function wholeFrom(text: string): number | null {
  const typed = text.trim();
  if (typed === '') return 0;
  return /^\d{1,4}$/.test(typed) ? Number(typed) : null;
}

function pointsFrom(text: string): number | null {
  const { least, most, step } = RANDOM_SCORE;
  const typed = text.trim();
  const points = /^\d{1,3}(\.\d)?$/.test(typed) ? Number(typed) : Number.NaN;
  return points >= least && points <= most && Number.isInteger(points / step) ? points : null;
}
