import { type Compilable, CompiledQuery, type Expression, type QueryCreator, sql } from 'kysely';
import type { Db, Query } from './open.ts';
import type { Tables } from './schema.ts';

/**
 * A query of the hot path, compiled once instead of once per run. `build` writes it with placeholder values; a run passes
 * the true parameters in the order in which the query names them. Write no constants into it (`limit`, flags): they
 * become parameters too.
 */
export class Prepared<R> {
  readonly #db: Db;
  readonly #text: string;

  constructor(db: Db, build: () => Compilable<R>) {
    this.#db = db;
    this.#text = build().compile().sql;
    db.keepPrepared(this.#text);
  }

  /** Runs it. */
  run(query: Query, parameters: readonly unknown[]): Promise<R[]> {
    return runText(query, this.#text, parameters);
  }

  /** Reads what is committed, beside any transaction (`Db.look`). For a `select` outside of one. */
  async look(parameters: readonly unknown[]): Promise<R[]> {
    return this.#db.look<R>(this.#text, parameters);
  }
}

type ColumnType = 'bigint' | 'double precision' | 'text';
export type RowOf<C extends Readonly<Record<string, ColumnType>>> = {
  [K in keyof C]: (C[K] extends 'text' ? string : number) | null;
};
/** Begins a query that finds the rows of its run in the table `given`. */
type WithGiven<Row> = QueryCreator<Tables & { given: Row }>;

/**
 * A query of the hot path over rows that each run brings along: `build` finds them as the table `given`, in the order of
 * the run. Rows that are given twice are there twice. PostgreSQL gets them as one array per column, so that one text
 * serves every number of rows; SQLite as values, in a text for each of few numbers. Write no constants into it, as in
 * `Prepared`.
 */
export class PreparedForRows<C extends Readonly<Record<string, ColumnType>>, R> {
  readonly #db: Db;
  readonly #columns: readonly [name: keyof C & string, type: ColumnType][];
  readonly #build: (given: WithGiven<RowOf<C>>) => Compilable<R>;
  readonly #texts = new Map<number, string>();

  constructor(db: Db, columns: C, build: (given: WithGiven<RowOf<C>>) => Compilable<R>) {
    this.#db = db;
    this.#columns = Object.entries(columns);
    this.#build = build;
  }

  /** Runs it for these rows, at once where the database can; @returns what came back for all of them. */
  async run(query: Query, rows: readonly RowOf<C>[]): Promise<R[]> {
    if (rows.length === 0) return [];
    if (this.#db.kind === 'postgres') {
      const arrays = this.#columns.map(([name]) => rows.map((row) => row[name]));
      return runText(query, this.#text(0), arrays);
    }
    const found: R[] = [];
    for (const piece of pieces(rows)) {
      const parameters: unknown[] = [];
      for (const row of piece) for (const [name] of this.#columns) parameters.push(row[name]);
      const part = await runText<R>(query, this.#text(piece.length), parameters);
      if (piece.length === rows.length) return part;
      for (const row of part) found.push(row);
    }
    return found;
  }

  /** The text for so many rows; on PostgreSQL there is one for all. */
  #text(size: number): string {
    const known = this.#texts.get(size);
    if (known !== undefined) return known;
    const names = this.#columns.map(([name]) => name).join(', ');
    const given = this.#db.query.with(`given(${names})`, () => this.#given(size) as never);
    const text = this.#build(given as never).compile().sql;
    this.#texts.set(size, text);
    this.#db.keepPrepared(text);
    return text;
  }

  #given(size: number) {
    if (this.#db.kind === 'postgres') {
      const arrays = this.#columns.map(([, type]) => sql`${null}::${sql.raw(type)}[]`);
      return sql`(select * from unnest(${sql.join(arrays)}))`;
    }
    const row = sql`(${sql.join(this.#columns.map(() => null))})`;
    return sql`(values ${sql.join(Array.from({ length: size }, () => row))})`;
  }
}

/** What an insert takes: all rows that are given, in their order (SQLite reads `on conflict` only after a `where`). */
export function allGiven(names: readonly string[]): Expression<never> {
  return sql`select ${sql.join(names.map((name) => sql.ref(name)))} from given where true`;
}

async function runText<R>(query: Query, text: string, parameters: readonly unknown[]): Promise<R[]> {
  return (await query.executeQuery<R>(CompiledQuery.raw(text, parameters as unknown[]) as CompiledQuery<R>)).rows;
}

/** Up to here every number of rows has a text of its own: a group of saves is seldom larger. */
const OWN_TEXT = 32;
/** Numbers of rows above that have one. */
const LONG = [1024, 256, 64] as const;

/** A list cut into pieces of few lengths. */
export function pieces<T>(items: readonly T[]): (readonly T[])[] {
  if (items.length <= OWN_TEXT) return items.length === 0 ? [] : [items];
  const cut: T[][] = [];
  let from = 0;
  for (const size of [...LONG, OWN_TEXT]) {
    while (items.length - from >= size) {
      cut.push(items.slice(from, from + size));
      from += size;
    }
  }
  if (from < items.length) cut.push(items.slice(from));
  return cut;
}

/** List lengths that `padded` fills up to: few texts serve every length. */
const SIZES = [1024, 256, 64, 16, 4, 1] as const;

/** A list filled up to one of few lengths by repeating its last item: for `in (…)`, where repetition changes nothing. */
export function padded<T>(items: readonly T[]): T[] {
  const last = items.at(-1);
  const size = SIZES.findLast((length) => length >= items.length);
  if (last === undefined || size === undefined) return [...items];
  return [...items, ...Array.from({ length: size - items.length }, () => last)];
}
