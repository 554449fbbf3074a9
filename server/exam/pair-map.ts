/** A question of a record. */
export interface Place {
  recordId: number;
  questionId: number;
}

/** A value by record and question. Two maps of numbers: making a text as key would cost more than the look-up. */
export class ByQuestion<V> {
  readonly #records = new Map<number, Map<number, V>>();

  get({ recordId, questionId }: Place): V | undefined {
    return this.#records.get(recordId)?.get(questionId);
  }

  set({ recordId, questionId }: Place, value: V): void {
    const known = this.#records.get(recordId);
    if (known) known.set(questionId, value);
    else this.#records.set(recordId, new Map([[questionId, value]]));
  }

  /** All values, record by record. */
  values(): V[] {
    const all: V[] = [];
    for (const record of this.#records.values()) for (const value of record.values()) all.push(value);
    return all;
  }
}
