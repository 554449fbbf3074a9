import type { UniversityRow } from '#content/university/university-row.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import { monogramSvg } from '#rules/university/monogram.ts';
import type { Query } from '#server/db/open.ts';
import { type Files, fileNameOf } from '#server/files.ts';
import { type MarkedRow, storedMarks } from '#server/university/universities-sync-store.ts';

/** Gets how many marks have been drawn or stored. */
export type MarkProgress = (done: number, of: number) => void;

/** Files written at once: each waits for the disk. */
const AT_ONCE = 16;

/**
 * Stores the mark of every row: the school's own picture, else the drawn one. A school's file that says nothing about
 * marks leaves a picture as it is; a drawn mark follows the short names. Files are named by their content, so those stored
 * before a transaction that fails are harmless.
 */
export async function withMarks(
  query: Query,
  files: Files,
  rows: readonly UniversityRow[],
  origin: 'bundled' | 'school',
  progress?: MarkProgress,
): Promise<MarkedRow[]> {
  const stored = await storedMarks(query);
  const logoUrlOf = async ({ name, aliases, logo }: UniversityRow): Promise<string | undefined> => {
    if (logo) return fileAddress(await files.put(logo.bytes, logo.extension));
    const known = stored.get(name);
    const saysNothing = origin === 'school' && logo === undefined;
    if (saysNothing && known && known.logoUrl !== drawnAddress(name, known.aliases)) return undefined;
    return fileAddress(await files.put(drawnMark(name, aliases ?? known?.aliases ?? []), 'svg'));
  };

  const marked: MarkedRow[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const batch = rows.slice(from, from + AT_ONCE).map(async (university): Promise<MarkedRow> => {
      const { logo: _, ...row } = university;
      return { ...row, logoUrl: await logoUrlOf(university) };
    });
    marked.push(...(await Promise.all(batch)));
    progress?.(marked.length, rows.length);
  }
  return marked;
}

function drawnMark(name: string, aliases: readonly string[]): Uint8Array {
  return new TextEncoder().encode(monogramSvg(name, aliases));
}

/** The address that the drawn mark of these names has. */
function drawnAddress(name: string, aliases: readonly string[]): string {
  return fileAddress(fileNameOf(drawnMark(name, aliases), 'svg'));
}
