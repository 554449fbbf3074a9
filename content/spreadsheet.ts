import { open } from 'node:fs/promises';
import { readCsv } from './csv.ts';
import { type Header, isHeaderAgain, readHeader } from './question-columns.ts';
import { isEmptyRow, type RowOutcome, readRow } from './question-row.ts';
import { FileRefused, type SheetRow } from './sheet.ts';
import { readXlsx } from './xlsx.ts';

/** Rows above the header that may hold a title, a date or instructions. */
const ROWS_ABOVE = 20;

/** Opens a spreadsheet by what it is, not by how it is called. */
export async function rowsOf(path: string): Promise<AsyncGenerator<SheetRow>> {
  const handle = await open(path).catch(() => {
    throw new FileRefused(`打不开文件：${path}`);
  });
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(8), 0, 8, 0)
    .catch(() => {
      throw new FileRefused(`读不了文件：${path}`);
    })
    .finally(() => handle.close());
  if (bytesRead === 0) throw new FileRefused('文件是空的');
  const start = buffer.toString('latin1');
  if (start.startsWith('PK')) return readXlsx(path);
  if (start.startsWith('\xd0\xcf\x11\xe0')) {
    throw new FileRefused('这是旧版 .xls 文件，或是设了密码的文件，请用表格软件另存为不带密码的 .xlsx');
  }
  if (start.startsWith('%PDF')) throw new FileRefused('这是 PDF 文件，请提供 .xlsx 或 CSV');
  return readCsv(path);
}

interface Sheet {
  header: Header | null;
  seen: number;
}

/**
 * Reads a question spreadsheet (xlsx or CSV) row by row, without holding it: each row becomes a question or a list of
 * reasons, and a question that stood in an earlier row is refused. Every visible sheet that has a header is read.
 * @param notes receives sentences that are no mistakes but worth saying: sheets and columns that were not read
 * @throws FileRefused with a Chinese sentence when the file, or the header of a sheet, cannot be read
 */
export async function* readSpreadsheet(path: string, notes: string[] = []): AsyncGenerator<RowOutcome> {
  const sheets = new Map<string, Sheet>();
  const earlier = new Map<string, { sheet: string; row: number; rightAnswer: string }>();
  let headers = 0;
  for await (const line of await rowsOf(path)) {
    const sheet = sheets.get(line.sheet) ?? { header: null, seen: 0 };
    sheets.set(line.sheet, sheet);
    if (!sheet.header) {
      if (sheet.seen >= ROWS_ABOVE || isEmptyRow(line.cells)) continue;
      sheet.seen += 1;
      sheet.header = readHeader(line.cells);
      if (!sheet.header) continue;
      headers += 1;
      const where = line.sheet ? `工作表“${line.sheet}”` : '';
      if (sheet.header.mistakes.length > 0) throw new FileRefused(where + sheet.header.mistakes.join('；'));
      if (sheet.header.unused.length > 0)
        notes.push(`${where}没有读取的列：${sheet.header.unused.join('、').slice(0, 200)}`);
      continue;
    }
    if (isEmptyRow(line.cells) || isHeaderAgain(line.cells, sheet.header)) continue;
    yield withoutDuplicates(readRow(line, sheet.header), earlier);
  }
  if (headers === 0) throw new FileRefused('没有找到表头：前 20 行里要有一行写着 题型、题干、选项A、答案 等列名');
  for (const [name, { header, seen }] of sheets) {
    if (!header && seen > 0) notes.push(`工作表“${name}”没有表头，没有读取`);
  }
}

function withoutDuplicates(
  outcome: RowOutcome,
  earlier: Map<string, { sheet: string; row: number; rightAnswer: string }>,
): RowOutcome {
  if (!outcome.ok) return outcome;
  const { sheet, row, question } = outcome;
  const first = earlier.get(question.key);
  if (!first) {
    earlier.set(question.key, {
      sheet,
      row,
      rightAnswer: question.type === 4 || question.type === 8 ? '' : question.rightAnswer,
    });
    return outcome;
  }
  const place = first.sheet === sheet ? `第 ${first.row} 行` : `工作表“${first.sheet}”第 ${first.row} 行`;
  const differs = first.rightAnswer !== '' && first.rightAnswer !== question.rightAnswer;
  const why = differs ? `与${place}是同一道题，但答案不同（那里是 ${first.rightAnswer}）` : `与${place}重复`;
  return { ok: false, sheet, row, why: [why], topic: question.topic.replace(/<[^>]*>/g, '').slice(0, 60) };
}
