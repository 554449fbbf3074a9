/** Rows in one statement: 20 values each stay far below the 32,766 that both databases take. */
const ROWS_PER_STATEMENT = 500;

/** Cuts a list into pieces that one statement can carry. */
export function* batches<T>(rows: readonly T[], size = ROWS_PER_STATEMENT): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
