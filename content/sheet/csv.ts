import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Cell, FileRefused, MOST_ROWS, type SheetRow } from './sheet.ts';

type Encoding = 'utf-8' | 'gb18030' | 'utf-16le' | 'utf-16be';

/** The longest cell (characters) that is read; a missing quote would otherwise swallow the whole file into one. */
const LONGEST_RECORD = 400_000;

/**
 * Finds out how a text file is encoded: by its byte order mark, else UTF-8 if every byte fits, else GB18030 (what
 * Excel in China writes). The file is read once as a stream.
 */
async function detectEncoding(path: string): Promise<Encoding> {
  const handle = await open(path);
  const { buffer } = await handle.read(Buffer.alloc(3), 0, 3, 0);
  await handle.close();
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le';
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be';
  for (const encoding of ['utf-8', 'gb18030'] as const) {
    if (await fits(path, encoding)) return encoding;
  }
  throw new FileRefused('无法识别文件的文字编码，请另存为 UTF-8 或 GB18030（GBK）编码的 CSV');
}

async function fits(path: string, encoding: Encoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const bytes of createReadStream(path)) decoder.decode(bytes as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* decoded(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of createReadStream(path)) {
    const text = decoder.decode(bytes as Buffer, { stream: true });
    if (text.includes('\0')) throw new FileRefused('这不是文本文件，无法按 CSV 读取');
    if (text) yield text;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

/** A first line for spreadsheet programs, which obey it and do not show it. */
const SAYS_SEPARATOR = /^"?sep=([^"\r\n])"?\r?\n/i;

/** What a spreadsheet program would compute; students see it as it is written. */
const COMPUTED = /^=\S/;
const WOULD_BE_COMPUTED = '以“=”开头，表格软件打开时会把它当作公式，学员看到的是写着的字';
/** What WPS writes for a picture in a cell. */
const PICTURE = /^\s*=\s*(?:_xlfn\.)?DISPIMG\([^()]*\)\s*$/i;
const NO_PICTURE = '里是一张图片（DISPIMG），CSV 存不了图片，请另存为 .xlsx';
const cellOf = (text: string): Cell => (PICTURE.test(text) ? { text: '', fault: NO_PICTURE } : plainCell(text));
const plainCell = (text: string): Cell => (COMPUTED.test(text) ? { text, remarks: [WOULD_BE_COMPUTED] } : { text });

/**
 * The separator (comma, tab as in Excel's "Unicode text", semicolon) is the one that the first line with any of them uses
 * most: a title or the header, where the others are rare. In questions they are not: code, English sentences.
 */
function separatorOf(start: string): string {
  const said = SAYS_SEPARATOR.exec(start)?.[1];
  if (said !== undefined) return said;
  for (const line of start.replace(/"[^"]*"/g, '').split(/[\r\n]+/)) {
    const counts = [',', '\t', ';'].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
    const most = counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best));
    if (most.count > 1) return most.mark;
  }
  return ',';
}

/**
 * Rows of a CSV file, as Excel numbers them (a line break inside a cell makes no new row). Cells are text, whatever they
 * begin with: nothing is computed.
 * @throws FileRefused with a Chinese sentence when the file cannot be read as CSV
 */
export async function* readCsv(path: string): AsyncGenerator<SheetRow> {
  const encoding = await detectEncoding(path);
  const chunks = decoded(path, encoding);
  const first = await chunks.next();
  if (first.done) return;
  const start = first.value;
  const hidden = SAYS_SEPARATOR.exec(start)?.[0].length ?? 0;
  async function* whole() {
    yield start.slice(hidden);
    yield* chunks;
  }
  const parser = parse({
    delimiter: separatorOf(start.slice(0, 4000)),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    max_record_size: LONGEST_RECORD,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const source = Readable.from(whole());
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let row = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row += 1;
      if (row > MOST_ROWS) throw new FileRefused(`超过 ${MOST_ROWS} 行，请拆成几个文件`);
      yield { sheet: '', row, cells: record.map(cellOf) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileRefused(
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `第 ${row + 1} 行超过 ${LONGEST_RECORD / 10_000} 万个字符，可能有一个英文引号没有配对，后面的内容无法分行`
        : error.code === 'CSV_QUOTE_NOT_CLOSED'
          ? `第 ${row + 1} 行起有一个英文引号没有配对，后面的内容无法分行`
          : `第 ${row + 1} 行不符合 CSV 格式`,
    );
  }
}
