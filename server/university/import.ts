import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  BUNDLED_UNIVERSITIES,
  readUniversities,
  type UniversityOutcome,
  type UniversityRow,
} from '#content/universities.ts';
import { monogramSvg } from '#rules/university/monogram.ts';
import type { Db, Query } from '#server/db/open.ts';
import { type Files, fileAddress } from '#server/files.ts';
import { type MarkedRow, storedMarks, syncUniversities, type UniversityChanges } from './import-store.ts';
import { bundledDigest, setBundledDigest, setUniversitiesVersion } from './store.ts';

/** A row that was not imported. */
export type RejectedUniversity = Extract<UniversityOutcome, { ok: false }>;

interface UniversityImport {
  /** Import the good rows although there are bad ones. */
  keepGood?: boolean | undefined;
  /** Gets every rejected row, in order. */
  rejected?: ((row: RejectedUniversity) => void) | undefined;
  /** Gets how many rows have been read, and then how many marks have been drawn or stored. */
  progress?: ((step: 'read' | 'marks', done: number, of: number | null) => void) | undefined;
}

interface UniversityReport extends UniversityChanges {
  good: number;
  bad: number;
  /** Sentences in Chinese worth saying: columns that were not read. */
  notes: string[];
  /** False when bad rows kept everything out. */
  imported: boolean;
}

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
  const { rows, bad, notes } = await readRows(path, task);
  const report: UniversityReport = {
    ...{ good: rows.length, bad, notes, imported: false },
    ...{ added: 0, changed: 0, unchanged: 0, kept: 0 },
  };
  if (rows.length === 0 || (bad > 0 && !task.keepGood)) return report;
  const changes = await write(db, files, rows, 'school', null, task.progress);
  return { ...report, ...changes, imported: true };
}

/** Raise it when the drawn marks or the reading of rows change, so that the bundled list is loaded again. */
const FORMAT = 1;

/**
 * Loads the bundled list: into an empty table, and again when a new version of the program brings another one.
 * @param say gets a line for the operator when something was loaded
 */
export async function loadUniversities(db: Db, files: Files, say: (line: string) => void): Promise<void> {
  const bytes = await readFile(BUNDLED_UNIVERSITIES);
  const digest = createHash('sha256').update(`${FORMAT}:`).update(bytes).digest('hex');
  if ((await bundledDigest(db.query)) === digest) return;
  const { rows, bad } = await readRows(BUNDLED_UNIVERSITIES, {
    rejected: ({ row, why }) => say(`universities.csv, row ${row}: ${why.join('；')}`),
  });
  if (bad > 0) say(`universities.csv: ${bad} rows were not loaded`);
  const { added, changed } = await write(db, files, rows, 'bundled', digest);
  say(`Universities loaded: ${added} added, ${changed} changed`);
}

async function readRows(
  path: string,
  { rejected, progress }: UniversityImport,
): Promise<{ rows: UniversityRow[]; bad: number; notes: string[] }> {
  const rows: UniversityRow[] = [];
  const notes: string[] = [];
  let bad = 0;
  for await (const outcome of readUniversities(path, notes)) {
    if (outcome.ok) rows.push(outcome.university);
    else {
      bad += 1;
      rejected?.(outcome);
    }
    progress?.('read', rows.length + bad, null);
  }
  return { rows, bad, notes };
}

async function write(
  db: Db,
  files: Files,
  rows: readonly UniversityRow[],
  origin: 'bundled' | 'school',
  digest: string | null,
  progress?: UniversityImport['progress'],
): Promise<UniversityChanges> {
  const marked = await withMarks(db.query, files, rows, origin, progress);
  return db.transaction(async (trx) => {
    const changes = await syncUniversities(trx, marked, origin);
    if (changes.added + changes.changed > 0) await setUniversitiesVersion(trx, randomUUID());
    if (digest !== null) await setBundledDigest(trx, digest);
    return changes;
  });
}

/** Files written at once: each waits for the disk. */
const AT_ONCE = 16;

/**
 * Stores the mark of every row: the school's own picture, else the drawn one. A school's file that says nothing about
 * marks leaves a picture as it is; a drawn mark follows the short names.
 */
async function withMarks(
  query: Query,
  files: Files,
  rows: readonly UniversityRow[],
  origin: 'bundled' | 'school',
  progress?: UniversityImport['progress'],
): Promise<MarkedRow[]> {
  const stored = await storedMarks(query);
  const marked: MarkedRow[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE).map(async ({ logo, ...row }): Promise<MarkedRow> => {
      if (logo) return { ...row, logoUrl: fileAddress(await files.put(logo.bytes, logo.extension)) };
      const known = stored.get(row.name);
      if (
        origin === 'school' &&
        known &&
        logo === undefined &&
        known.logoUrl !== drawnAddress(row.name, known.aliases)
      ) {
        return { ...row, logoUrl: undefined };
      }
      const drawn = monogramSvg(row.name, row.aliases ?? known?.aliases ?? []);
      return { ...row, logoUrl: fileAddress(await files.put(new TextEncoder().encode(drawn), 'svg')) };
    });
    marked.push(...(await Promise.all(some)));
    progress?.('marks', marked.length, rows.length);
  }
  return marked;
}

/** The address that the drawn mark of these names has: files are named by their content. */
function drawnAddress(name: string, aliases: readonly string[]): string {
  const hash = createHash('sha256').update(monogramSvg(name, aliases)).digest('hex');
  return fileAddress(`${hash.slice(0, 2)}/${hash}.svg`);
}
