import { createHash } from 'node:crypto';
import type { SpooledQuestion } from '#content/question/file-question.ts';
import { asSeen, type NearMatch, nearMatch, pairsOf, type ToldBy } from '#rules/exam/same-question.ts';
import type { SheetQuestion } from '#server/exam/paper/sheet-question-store.ts';

/** A row that may be the correction of a stored question. */
export interface NearPair {
  row: SpooledQuestion;
  stored: SheetQuestion;
  match: NearMatch;
}

/** Pairs of characters by which a text is looked up: those with the smallest hashes, which two texts that are alike mostly share. */
const PAIRS = 24;
/** Rows with one pair of characters that are looked at. */
const ROWS_OF_PAIR = 300;
/** Rows with the most pairs in common that are compared. */
const COMPARED = 4;
/** Rows with one rest that are compared. */
const ROWS_OF_REST = 20;

const told = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 16);

/** FNV-1a, 31 bits: a small integer is the cheapest key of a Map. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}

/** What the others of a question's four parts say, for each part that may be the corrected one. */
function restsOf(question: ToldBy) {
  const { type, topic, options, material } = asSeen(question);
  return {
    type: `t${told([topic, options, material])}`,
    topic: `q${told([type, options, material])}`,
    options: `o${told([type, topic, material])}`,
    material: `m${told([type, topic, options])}`,
  };
}

const lookupsOf = (topic: string, rest: string) =>
  [...new Set(pairsOf(topic).map(hashOf))]
    .sort((a, b) => a - b)
    .slice(0, PAIRS)
    .map((pair) => hashOf(`${rest}${pair}`));

/**
 * Finds rows of a file that nothing stored is the same as and that are near to something stored. The rows are held, what is stored passes
 * by: a bank of any size needs the memory of the rows that are new in the file. A first import holds none.
 */
export class NearRows {
  readonly #rows: SpooledQuestion[] = [];
  readonly #byRest = new Map<string, number[]>();
  readonly #byPair = new Map<number, number[]>();
  readonly #materials = new Map<string, string>();
  /** How many stored questions and rows have the same rest around a text. */
  readonly #shared = new Map<string, { stored: number; rows: number }>();
  readonly #found: NearPair[] = [];

  /** Takes a row that no stored question is the same as. */
  add(row: SpooledQuestion): void {
    // Rows of one case have its text once.
    const material = this.#materials.get(row.material) ?? row.material;
    this.#materials.set(material, material);
    const at = this.#rows.push({ ...row, material }) - 1;
    const rests = restsOf(row);
    for (const rest of Object.values(rests)) {
      const rows = this.#byRest.get(rest);
      if (!rows) this.#byRest.set(rest, [at]);
      else if (rows.length < ROWS_OF_REST) rows.push(at);
    }
    const shared = this.#shared.get(rests.topic) ?? { stored: 0, rows: 0 };
    shared.rows += 1;
    this.#shared.set(rests.topic, shared);
    for (const lookup of lookupsOf(row.topic, rests.topic)) {
      const rows = this.#byPair.get(lookup);
      if (!rows) this.#byPair.set(lookup, [at]);
      else if (rows.length < ROWS_OF_PAIR) rows.push(at);
    }
  }

  get size(): number {
    return this.#rows.length;
  }

  /** Compares a stored question with the rows. */
  pass(stored: SheetQuestion): void {
    const rests = restsOf(stored);
    const shared = this.#shared.get(rests.topic);
    if (shared) shared.stored += 1;
    const rows = new Set(Object.values(rests).flatMap((rest) => this.#byRest.get(rest) ?? []));
    if (shared) for (const at of this.#alike(stored.topic, rests.topic)) rows.add(at);
    for (const at of rows) {
      const row = this.#rows[at];
      // Two keys of the school are two questions, whatever they say.
      if (!row || (row.schoolKey !== null && stored.schoolKey !== null)) continue;
      const match = nearMatch(stored, row);
      if (match) this.#found.push({ row, stored, match });
    }
  }

  /** The rows whose texts have the most pairs of characters in common with this one. */
  #alike(topic: string, rest: string): number[] {
    const counts = new Map<number, number>();
    for (const lookup of lookupsOf(topic, rest))
      for (const at of this.#byPair.get(lookup) ?? []) counts.set(at, (counts.get(at) ?? 0) + 1);
    return [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, COMPARED)
      .map(([at]) => at);
  }

  /** What was found, the most alike first. What only its rest vouches for counts where one row and one stored question have that rest. */
  found(): NearPair[] {
    return this.#found
      .filter(({ row, match }) => {
        if (!match.onlyByRest) return true;
        const shared = this.#shared.get(restsOf(row).topic);
        return shared?.rows === 1 && shared.stored === 1;
      })
      .sort((a, b) => b.match.likeness - a.match.likeness);
  }
}
