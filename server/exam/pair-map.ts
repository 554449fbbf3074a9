/**
 * A value for two ids together, e.g. by record and question. Two maps of numbers: making a text of both as the key would
 * cost more than the look-up.
 */
export class PairMap<V> {
  readonly #rows = new Map<number, Map<number, V>>();

  get(first: number, second: number): V | undefined {
    return this.#rows.get(first)?.get(second);
  }

  has(first: number, second: number): boolean {
    return this.#rows.get(first)?.has(second) ?? false;
  }

  set(first: number, second: number, value: V): void {
    const row = this.#rows.get(first);
    if (row) row.set(second, value);
    else this.#rows.set(first, new Map([[second, value]]));
  }

  /** All values, those of one first id together. */
  values(): V[] {
    const all: V[] = [];
    for (const row of this.#rows.values()) for (const value of row.values()) all.push(value);
    return all;
  }

  /** All values with their ids. */
  entries(): [first: number, second: number, value: V][] {
    const all: [number, number, V][] = [];
    for (const [first, row] of this.#rows) for (const [second, value] of row) all.push([first, second, value]);
    return all;
  }
}
