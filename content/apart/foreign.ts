import type { CheckedPack, readPack } from '#content/pack/pack.ts';
import type { CheckedPaperRow } from '#content/question/file-paper.ts';
import type { CheckedRow, LaterWarning } from '#content/question/file-question.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { joinStorefront, type readStorefront } from '#content/storefront/storefront.ts';
import type { CheckedUniversityRow } from '#content/university/university-row.ts';
import { readApart, TookTooMuch } from './read-apart.ts';

/** A single file that took too much: the sentence with its name. */
async function* named<Result>(results: AsyncGenerator<Result>): AsyncGenerator<Result> {
  try {
    yield* results;
  } catch (error) {
    throw error instanceof TookTooMuch ? new FileRefused(`“${error.file}”${error.message}`) : error;
  }
}

/** `readSpreadsheet` for files of strangers: apart and with bounds. */
export const readForeignSpreadsheet = (
  path: string,
  notes: string[] = [],
): AsyncGenerator<CheckedRow | CheckedPaperRow | LaterWarning> => named(readApart('questions', path, notes));

/** `readUniversities` for files of strangers: apart and with bounds. */
export const readForeignUniversities = (path: string, notes: string[] = []): AsyncGenerator<CheckedUniversityRow> =>
  named(readApart('universities', path, notes));

/** `readPack` for packs of strangers: apart and with bounds. A file that takes too much is a mistake of the pack. */
export async function readForeignPack(folder: string): ReturnType<typeof readPack> {
  let head: Omit<CheckedPack, 'cases' | 'questions' | 'papers' | 'lessons' | 'files' | 'media'> | null = null;
  const parts: Pick<CheckedPack, 'cases' | 'questions' | 'papers' | 'lessons' | 'files' | 'media'> = {
    cases: [],
    questions: [],
    papers: [],
    lessons: [],
    files: [],
    media: [],
  };
  try {
    for await (const piece of readApart('pack', folder, [])) {
      if ('mistakes' in piece) return { ok: false, mistakes: piece.mistakes };
      if ('head' in piece) head = piece.head;
      else (parts[piece.part] as unknown[]).push(piece.value);
    }
  } catch (error) {
    if (!(error instanceof TookTooMuch)) throw error;
    return { ok: false, mistakes: [{ file: error.file, line: 1, where: '', reason: error.message }] };
  }
  if (!head) throw new Error('the pack came without its head');
  return { ok: true, pack: { ...head, ...parts } };
}

/** `readStorefront` for folders of strangers: apart and with bounds. */
export async function readForeignStorefront(folder: string): ReturnType<typeof readStorefront> {
  try {
    return await joinStorefront(readApart('storefront', folder, []));
  } catch (error) {
    if (!(error instanceof TookTooMuch)) throw error;
    return { ok: false, mistakes: [{ file: error.file, line: 1, where: '', reason: error.message }] };
  }
}
