import { isOfOne, troubleOf } from '#server/db/trouble.ts';

/** Runs of a chore for which what it could not do is passed over. */
const PASS_OVER = 60;

/** Whether the database is in trouble, not what a chore works at. */
export function isOfAll(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble !== null && !isOfOne(trouble);
}

/**
 * What a chore could not do (a record whose paper is missing, say), so that it does not stop what stands behind it: it is told, passed
 * over for some runs and then tried again. Each process remembers for itself; the trouble of a whole database is nobody's fault.
 */
export class PassedOver<Key> {
  readonly #runs = new Map<Key, number>();
  readonly #told: (key: Key, error: unknown) => void;

  /** @param told hears of each that failed alone */
  constructor(told: (key: Key, error: unknown) => void) {
    this.#told = told;
  }

  /** Begins another run of the chore. */
  nextRun(): void {
    for (const [key, runs] of this.#runs) {
      if (runs <= 1) this.#runs.delete(key);
      else this.#runs.set(key, runs - 1);
    }
  }

  has(key: Key): boolean {
    return this.#runs.has(key);
  }

  get size(): number {
    return this.#runs.size;
  }

  keys(): Key[] {
    return [...this.#runs.keys()];
  }

  /** Works at all of these together and, where that fails, at each alone; what fails alone is passed over. */
  async work(keys: readonly Key[], work: (some: readonly Key[]) => Promise<void>): Promise<void> {
    try {
      await work(keys);
    } catch (error) {
      if (isOfAll(error)) throw error;
      const [only, ...others] = keys;
      if (only === undefined) throw error;
      if (others.length > 0) for (const key of keys) await this.work([key], work);
      else {
        this.#runs.set(only, PASS_OVER);
        this.#told(only, error);
      }
    }
  }
}
