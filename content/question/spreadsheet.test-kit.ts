import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import sharp from 'sharp';
import { FileRefused } from '#content/sheet/sheet.ts';
import { workbookOf } from '#content/sheet/xlsx.test-kit.ts';
import type { CheckedRow, FileQuestion } from './file-question.ts';
import { HEADER } from './header.test-kit.ts';
import { readSpreadsheet } from './spreadsheet.ts';

/**
 * The rows of questions of a file; sheets of papers have tests of their own (papers.test.ts).
 * @param later gets what is said of rows at the end, with the number of the row
 */
export async function read(
  bytes: string | Uint8Array,
  notes: string[] = [],
  later: string[] = [],
): Promise<CheckedRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-sheet-'));
  try {
    const path = join(folder, 'file.dat');
    writeFileSync(path, bytes);
    const rows = await Array.fromAsync(readSpreadsheet(path, notes));
    for (const row of rows) if (row.ok === 'later') later.push(`${row.row}: ${row.why.join('；')}`);
    return rows.flatMap((row) => ('standing' in row || row.ok === 'later' ? [] : [row]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why a file is refused as a whole. */
export const refused = async (bytes: string | Uint8Array): Promise<string> => {
  try {
    await read(bytes);
  } catch (error) {
    if (error instanceof FileRefused) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
};

export const good = (rows: readonly CheckedRow[]): FileQuestion[] =>
  rows.flatMap((row) => (row.ok ? [row.question] : []));
export const bad = (rows: readonly CheckedRow[]): string[] =>
  rows.flatMap((row) => (row.ok ? [] : [`${row.row}: ${row.why.join('；')}`]));
export const asXlsx = (rows: CellValue[][], more: object = {}) =>
  writeXlsx({ sheets: [{ name: '题库', rows, ...more }] });

export const csv = (...lines: string[]) => `${[HEADER.join(','), ...lines].join('\r\n')}\r\n`;

export const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

/** Questions of topic, option A and answer from raw cells; styles 1 bold, 2 struck out, 3 Chinese numerals. */
export function styledWorkbook(
  questions: readonly (readonly [topic: string, optionA: string])[],
  strings: readonly string[],
  answer = '<c t="inlineStr"><is><t>A</t></is></c>',
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const rows = questions.map(([topic, option]) => inline('单选') + topic + option + inline('乙') + answer);
  const header = ['题型', '题干', '选项A', '选项B', '答案'].map(inline).join('');
  return workbookOf({
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[DBNum1]General"/></numFmts>' +
      '<fonts><font/><font><b/></font><font><strike/></font></fonts>' +
      '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${[header, ...rows].map((cells) => `<row>${cells}</row>`).join('')}</sheetData></worksheet>`,
    ...more,
  });
}

/** Relations of a part of a workbook. */
export const relations = (...to: [id: string, type: string, target: string, mode?: string][]) =>
  `<Relationships>${to.map(([id, type, target, mode = '']) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}" ${mode && `TargetMode="${mode}"`}/>`).join('')}</Relationships>`;

/** A picture of a drawing, and where it hangs. @param said attributes: what its author says of it; about: elements within */
export const pic = (blip: string, more = '', said = '', about = '') =>
  `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_1" ${said}>${about}</xdr:cNvPr></xdr:nvPicPr><xdr:blipFill><a:blip ${blip}/>${more}</xdr:blipFill><xdr:spPr><a:xfrm><a:ext cx="95250" cy="47625"/></a:xfrm></xdr:spPr></xdr:pic>`;
export const anchor = (row: number, column: number, inside: string) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:row>${row}</xdr:row></xdr:from><xdr:to><xdr:col>${column}</xdr:col><xdr:row>${row + 1}</xdr:row></xdr:to>${inside}</xdr:twoCellAnchor>`;

/** The parts of a drawing over the first sheet. */
export const drawings = (...anchors: string[]) => ({
  'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'drawing', '../drawings/drawing1.xml']),
  'xl/drawings/drawing1.xml': `<xdr:wsDr>${anchors.join('')}</xdr:wsDr>`,
  'xl/drawings/_rels/drawing1.xml.rels': relations(
    ['p1', 'image', '../media/image1.png'],
    ['p2', 'image', '../media/image2.png'],
    ['p3', 'image', '../media/image3.emf'],
    ['far', 'image', 'http://example.com/x.png', 'External'],
  ),
});

export const pixels = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();

/** How a question shows a picture. @param alt as HTML */
export const image = (bytes: Uint8Array, width: number, height: number, alt = '') =>
  `<img src="media/${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.png" alt="${alt}" width="${width}" height="${height}" />`;

/** How what stands in a cell of Excel and in one of WPS is said in a file: by a rich value, and by the name of a picture. */
interface InCells {
  /** Which stored picture the one of Excel is. */
  excel?: string;
  /** Attributes and elements of the one of WPS. */
  said?: string;
  about?: string;
  /** More fields of the one of Excel, their names and what they hold. */
  keys?: string;
  fields?: string;
}

/** The parts of a workbook with a picture in a cell of WPS (image1.png, `ID_1`) and in one of Excel (the first value). */
export const inCells = ({ excel = 'image1.png', said, about, keys = '', fields = '<v>5</v>' }: InCells) => ({
  'xl/_rels/workbook.xml.rels': relations(
    ['r1', 'worksheet', 'worksheets/sheet1.xml'],
    ['r2', 'cellImage', 'cellimages.xml'],
    ['r3', 'sheetMetadata', 'metadata.xml'],
    ['r4', 'rdRichValue', 'richData/rdrichvalue.xml'],
    ['r5', 'rdRichValueStructure', 'richData/rdrichvaluestructure.xml'],
    ['r6', 'richValueRel', 'richData/richValueRel.xml'],
  ),
  'xl/cellimages.xml': `<etc:cellImages><etc:cellImage>${pic('r:embed="i1"', '', said, about)}</etc:cellImage></etc:cellImages>`,
  'xl/_rels/cellimages.xml.rels': relations(['i1', 'image', 'media/image1.png']),
  'xl/metadata.xml':
    '<metadata><metadataTypes><metadataType name="XLRICHVALUE"/></metadataTypes><futureMetadata name="XLRICHVALUE"><bk><extLst><ext><xlrd:rvb i="0"/></ext></extLst></bk></futureMetadata><valueMetadata><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>',
  'xl/richData/rdrichvalue.xml': `<rvData><rv s="0"><v>0</v>${fields}</rv></rvData>`,
  'xl/richData/rdrichvaluestructure.xml': `<rvStructures><s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/>${keys}</s></rvStructures>`,
  'xl/richData/richValueRel.xml': '<richValueRels><rel r:id="rId1"/></richValueRels>',
  'xl/richData/_rels/richValueRel.xml.rels': relations(['rId1', 'image', `../media/${excel}`]),
});
