import { type Compilable, CompiledQuery } from 'kysely';
import type { Db, Query } from './open.ts';

/**
 * A query of the hot path, compiled once per list length instead of once per run. `build` writes it with placeholder
 * values for a list of `size` items; a run passes the true parameters in the order in which the query names them.
 * Write no constants into it (`limit`, flags): they become parameters too.
 */
export class Prepared<R> {
  readonly #build: (size: number) => Compilable<R>;
  readonly #texts = new Map<number, string>();

  constructor(build: (size: number) => Compilable<R>) {
    this.#build = build;
  }

  /** Runs it. `size` is the length of its list (1 when it has none). */
  async run(query: Query, parameters: readonly unknown[], size = 1): Promise<R[]> {
    const compiled = CompiledQuery.raw(this.#text(size), [...parameters]) as CompiledQuery<R>;
    return (await query.executeQuery<R>(compiled)).rows;
  }

  /** Reads what is committed, beside any transaction (`Db.look`). For a `select` outside of one. */
  async look(db: Db, parameters: readonly unknown[], size = 1): Promise<R[]> {
    return db.look<R>(this.#text(size), parameters);
  }

  #text(size: number): string {
    let text = this.#texts.get(size);
    if (text === undefined) {
      text = this.#build(size).compile().sql;
      this.#texts.set(size, text);
    }
    return text;
  }
}

/** List lengths that statements are compiled for: few texts serve every length. */
const SIZES = [1024, 256, 64, 16, 4, 1] as const;

/** A list filled up to one of few lengths by repeating its last item: for `in (…)`, where repetition changes nothing. */
export function padded<T>(items: readonly T[]): T[] {
  const last = items.at(-1);
  const size = SIZES.findLast((one) => one >= items.length);
  if (last === undefined || size === undefined) return [...items];
  return [...items, ...Array.from({ length: size - items.length }, () => last)];
}

/** A list cut into pieces of few lengths: for `insert … values`, where nothing may repeat. */
export function pieces<T>(items: readonly T[]): T[][] {
  const cut: T[][] = [];
  let from = 0;
  for (const size of SIZES) {
    while (items.length - from >= size) {
      cut.push(items.slice(from, from + size));
      from += size;
    }
  }
  return cut;
}

/** `count` placeholder rows or values for a query that is being compiled. */
export function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}
