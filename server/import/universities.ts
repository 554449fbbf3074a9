import { randomUUID } from 'node:crypto';
import { readForeignUniversities } from '#content/apart/foreign.ts';
import { BUNDLED_UNIVERSITIES, digestOfBundled } from '#content/university/bundled-universities.ts';
import { readUniversities } from '#content/university/universities.ts';
import type { RejectedUniversityRow, UniversityRow } from '#content/university/university-row.ts';
import type { Db } from '#server/db/open.ts';
import type { Files } from '#server/files.ts';
import { bundledDigest, setBundledDigest, setUniversitiesVersion } from '#server/university/store.ts';
import { syncUniversities, type UniversityChanges } from '#server/university/universities-sync-store.ts';
import type { RowReport } from './row-report.ts';
import { type MarkProgress, withMarks } from './university-marks.ts';

interface UniversityImport {
  /** Import the good rows although there are bad ones. */
  keepGood?: boolean | undefined;
  /** Gets every rejected row, in order. */
  rejected?: ((row: RejectedUniversityRow) => void) | undefined;
  /** Gets how many rows have been read, and then how many marks have been drawn or stored. */
  progress?: ((step: 'read' | 'marks', done: number, of: number | null) => void) | undefined;
}

interface UniversityReport extends RowReport, UniversityChanges {}

/**
 * Imports a school's own list of universities (content/universities/README.md). `name` is the key: importing again changes
 * what the file says and nothing else. With bad rows nothing is imported, unless `keepGood`. What a school imports is not
 * changed by a newer bundled list.
 * @throws FileRefused with a Chinese sentence when the file cannot be read
 */
export async function importUniversities(
  db: Db,
  files: Files,
  path: string,
  task: UniversityImport = {},
): Promise<UniversityReport> {
  const { rows, bad, notes } = await readRows(readForeignUniversities, path, task);
  const good = rows.length;
  if (good === 0 || (bad > 0 && !task.keepGood)) {
    return { good, bad, notes, imported: false, added: 0, changed: 0, unchanged: 0, leftToSchool: 0 };
  }
  const changes = await write(db, files, rows, 'school', null, (done, of) => task.progress?.('marks', done, of));
  return { good, bad, notes, imported: true, ...changes };
}

/**
 * Loads the bundled list: into an empty table, and again when a new version of the program brings another one.
 * @param say gets a line for the operator when something was loaded
 */
export async function loadUniversities(db: Db, files: Files, say: (line: string) => void): Promise<void> {
  const digest = await digestOfBundled();
  if ((await bundledDigest(db.query)) === digest) return;
  const { rows, bad } = await readRows(readUniversities, BUNDLED_UNIVERSITIES, {
    rejected: ({ row, why }) => say(`universities.csv, row ${row}: ${why.join('；')}`),
  });
  if (bad > 0) say(`universities.csv: ${bad} rows were not loaded`);
  const { added, changed } = await write(db, files, rows, 'bundled', digest);
  say(`Universities loaded: ${added} added, ${changed} changed`);
}

/** @param read the bundled list is read here, that of a stranger apart */
async function readRows(
  read: typeof readUniversities,
  path: string,
  { rejected, progress }: UniversityImport,
): Promise<{ rows: UniversityRow[]; bad: number; notes: string[] }> {
  const rows: UniversityRow[] = [];
  const notes: string[] = [];
  let bad = 0;
  for await (const checked of read(path, notes)) {
    if (checked.ok) rows.push(checked.university);
    else {
      bad += 1;
      rejected?.(checked);
    }
    progress?.('read', rows.length + bad, null);
  }
  return { rows, bad, notes };
}

/** @param digest of the bundled list, noted in the transaction that wrote it; null: a school's own list */
async function write(
  db: Db,
  files: Files,
  rows: readonly UniversityRow[],
  origin: 'bundled' | 'school',
  digest: string | null,
  progress?: MarkProgress,
): Promise<UniversityChanges> {
  const marked = await withMarks(db.query, files, rows, origin, progress);
  return db.transaction(
    async (trx) => {
      const changes = await syncUniversities(trx, marked, origin);
      if (changes.added + changes.changed > 0) await setUniversitiesVersion(trx, randomUUID());
      if (digest !== null) await setBundledDigest(trx, digest);
      return changes;
    },
    { long: true },
  );
}
