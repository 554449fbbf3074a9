/** Rows by table. */
export type Counts = Record<string, number>;

/**
 * Tables whose rows are never deleted. Counted before and after a copy was made of a database in use, they say whether
 * the copy can be whole.
 */
const ONLY_GROWING = [
  'users',
  'packs',
  'courses',
  'chapters',
  'questions',
  'exams',
  'enrolments',
  'exam_records',
  'exam_answers',
  'late_saves',
  'record_reopenings',
];

/** What is wrong with a copy that was made between two counts: tables that are not there, or hold too few or many rows. */
export function copyFaults(before: Counts, copy: Counts, after: Counts): string[] {
  const faults: string[] = [];
  for (const name of Object.keys(before)) if (!(name in copy)) faults.push(`${name}: 缺失`);
  for (const name of ONLY_GROWING) {
    const [least, n, most] = [before[name] ?? 0, copy[name] ?? 0, after[name] ?? 0];
    if (n < least || n > most) faults.push(`${name}: ${n} 行，应为 ${least === most ? least : `${least}–${most}`} 行`);
  }
  return faults;
}

/** What differs between two counts that have to be the same. */
export function differences(expected: Counts, found: Counts): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter((name) => expected[name] !== found[name])
    .map((name) => `${name}: ${found[name] ?? 0} 行，应为 ${expected[name] ?? 0} 行`);
}
