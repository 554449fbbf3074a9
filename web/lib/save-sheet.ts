import { saveBlob } from './save-file.ts';

/**
 * Lets the browser save rows as a spreadsheet (xlsx) of this name. Texts are cells of text: none of them is a formula. The writer is
 * loaded only here.
 */
export async function saveSheet(name: string, rows: readonly (readonly (string | number)[])[]): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx');
  const bytes = await writeXlsx({ sheets: [{ name, rows: rows.map((row) => [...row]) }] });
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  saveBlob(`${name}.xlsx`, new Blob([bytes as BlobPart], { type }));
}
