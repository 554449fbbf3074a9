import { padded } from './prepared.ts';

/** Rows in one statement: 20 values each stay far below the 32,766 that both databases take. */
const ROWS_PER_STATEMENT = 500;
/** Values that one `in (…)` names at most. */
const MOST_VALUES = 1000;

/** Cuts a list into pieces that one statement can carry. */
export function* batches<T>(rows: readonly T[], size = ROWS_PER_STATEMENT): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

/** Cuts a list into those that one `in (…)` can name, of few lengths (`padded`), so that few texts serve all. */
export function* inLists<T>(values: readonly T[]): Generator<T[]> {
  for (const batch of batches(values, MOST_VALUES)) yield padded(batch);
}
