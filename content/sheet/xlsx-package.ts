import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type FileText, TextReader } from './runs.ts';
import { FileRefused } from './sheet.ts';

/** A workbook that unpacks to more than this is an attack or a mistake; a million questions need less. */
const MOST_BYTES = 2_000_000_000;

/** What is read in all, a part counted each time that it is read (bytes): a sheet is read twice. 100,000 questions have some 300 MB. */
const MOST_READ = 1_000_000_000;

/** The table of shared texts is held in memory, so what it holds may not be longer than this (characters): 100,000 questions have some 60 million. */
const MOST_TEXT = 100_000_000;
/** What keeping one text takes besides (characters). */
const TEXT_TAKES = 40;

/** Relations of one part that are looked at. */
const MOST_RELATIONS = 100_000;

/** A spreadsheet nests about ten elements; thousands would keep the parser busy for hours. */
const DEEPEST = 64;

/** Archives that are no workbook, by a part that tells them. */
const OTHER_KINDS = [
  ['word/document.xml', '这是 Word 文档（.docx），请把内容填入 .xlsx 或 CSV 表格，文档里的表格可以复制进去'],
  ['ppt/presentation.xml', '这是演示文稿（.pptx），请把内容填入 .xlsx 或 CSV 表格'],
  ['xl/workbook.bin', '这是二进制的 Excel 工作簿（.xlsb），请用表格软件打开后另存为 .xlsx'],
  ['Index/Document.iwa', '这是 Numbers 表格，请在 Numbers 里导出为 Excel（.xlsx）'],
  ['content.xml', '这是 OpenDocument 文件（如 .ods），请用表格软件打开后另存为 .xlsx'],
] as const;

/** Attributes of an XML element by name. */
export type Attributes = Record<string, string>;
/** What is told while XML is read; names come without their namespace. */
interface XmlEvents {
  open?: (name: string, attributes: Attributes) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** What was read before the fault was found may have been passed on already. */
const DAMAGED_WITHIN = '文件已损坏，读到一半无法继续';

/** A name without its namespace. */
export const local = (name: string) => name.slice(name.indexOf(':') + 1);

/** Feeds a part of the file through an XML parser piece by piece, giving way to the caller after each. */
export async function* xmlEvents(stream: AsyncIterable<unknown>, events: XmlEvents): AsyncGenerator<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > DEEPEST) throw new FileRefused('文件已损坏，或不是 .xlsx 文件');
        events.open?.(local(name), attributes);
      },
      ontext: (text) => events.text?.(text),
      onclosetag: (name) => {
        depth -= 1;
        events.close?.(local(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes?: Buffer) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new FileRefused('文件已损坏：里面的文字不是 UTF-8，请用表格软件打开后另存为 .xlsx');
    }
  };
  for await (const bytes of stream) {
    parser.write(decoded(bytes as Buffer));
    yield;
  }
  parser.end(decoded());
  yield;
}

/** A part that its writer kept as UTF-16, which the standard allows, as UTF-8; any other as it is. */
async function* asUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const piece of bytes) {
    if (decoder === undefined) {
      const [first, second] = piece;
      decoder =
        first === 0xff && second === 0xfe
          ? new TextDecoder('utf-16le')
          : first === 0xfe && second === 0xff
            ? new TextDecoder('utf-16be')
            : null;
    }
    yield decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece;
  }
}

async function readXml(stream: AsyncIterable<unknown>, events: XmlEvents): Promise<void> {
  for await (const _ of xmlEvents(stream, events));
}

/** Whether the disk, not the file's content, is why it cannot be read (EIO, EACCES …). */
const isOfDisk = (error: unknown) => error instanceof Error && 'syscall' in error;

/** The bytes of an entry; they are checked against the sum that the file keeps of them, which the unpacker leaves to us. */
async function* whole(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      sum = crc32(bytes as Buffer, sum);
      yield bytes as Buffer;
    }
  } catch (error) {
    throw isOfDisk(error) ? error : new FileRefused(DAMAGED_WITHIN);
  }
  if (sum !== entry.crc32) throw new FileRefused(DAMAGED_WITHIN);
}

/** By what a part is found: its name says the same in capitals and small letters, and some programs write it in both. */
const partKey = (name: string) => name.replace(/^\/+/, '').toLowerCase();

/** The parts of the package by name, and how to open one. */
export class XlsxParts {
  readonly zip: ZipFile;
  readonly #entries = new Map<string, Entry>();
  #read = 0;
  private constructor(zip: ZipFile) {
    this.zip = zip;
  }

  static async open(path: string): Promise<XlsxParts> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
      throw new FileRefused('文件已损坏，或不是 .xlsx 文件');
    });
    const parts = new XlsxParts(zip);
    try {
      let total = 0;
      for await (const entry of zip.eachEntry()) {
        total += entry.uncompressedSize;
        if (entry.isEncrypted()) throw new FileRefused('文件有密码，请去掉密码后再导入');
        parts.#entries.set(partKey(entry.fileName), entry);
      }
      const other = OTHER_KINDS.find(([name]) => parts.has(name))?.[1];
      if (other) throw new FileRefused(other);
      const inside = [...parts.#entries.keys()].find((name) => /\.(?:xlsx|xls|csv)$/i.test(name));
      if (inside !== undefined && !parts.has('[Content_Types].xml'))
        throw new FileRefused('这是压缩文件（.zip），请先解压，再导入里面的 .xlsx 或 CSV 表格');
      if (total > MOST_BYTES) throw new FileRefused('文件解压后过大，请拆成几个文件');
    } catch (error) {
      zip.close();
      throw error instanceof FileRefused ? error : new FileRefused('文件已损坏，或不是 .xlsx 文件');
    }
    return parts;
  }

  has(name: string): boolean {
    return this.#entries.has(partKey(name));
  }

  /** How large a part is outside of the archive (bytes); 0: there is none. */
  sizeOf(name: string): number {
    return this.#entries.get(partKey(name))?.uncompressedSize ?? 0;
  }

  /** @throws FileRefused, now or while it is read, when the part is damaged, or more than may be read in all */
  async stream(name: string): Promise<Readable | null> {
    const entry = this.#entries.get(partKey(name));
    this.#count(entry);
    return entry ? Readable.from(asUtf8(whole(this.zip, entry)), { objectMode: false }) : null;
  }

  /** The unpacker holds a part to the size that it says of itself. */
  #count(entry: Entry | undefined): void {
    this.#read += entry?.uncompressedSize ?? 0;
    if (this.#read > MOST_READ)
      throw new FileRefused(`文件内容太多：要读的合计超过 ${MOST_READ / 1_000_000} MB，请拆成几个文件`);
  }

  /** The bytes of a part; null: there is none. @param most more of them are not read: `'long'` */
  async bytes(name: string, most: number): Promise<Uint8Array | 'long' | null> {
    const entry = this.#entries.get(partKey(name));
    if (!entry) return null;
    if (entry.uncompressedSize > most) return 'long';
    this.#count(entry);
    const pieces: Buffer[] = [];
    for await (const piece of whole(this.zip, entry)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The relations of a part: by their id, of what type they are and where they lead; `external`: out of the file. */
  async relations(part: string): Promise<Map<string, { type: string; target: string; external: boolean }>> {
    const cut = part.lastIndexOf('/') + 1;
    const relations = new Map<string, { type: string; target: string; external: boolean }>();
    await this.read(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`, {
      open: (name, { Id = '', Type = '', Target = '', TargetMode = '' }) => {
        if (name !== 'Relationship' || relations.size >= MOST_RELATIONS) return;
        const external = TargetMode === 'External';
        relations.set(Id, { type: Type, target: external ? Target : resolved(part.slice(0, cut), Target), external });
      },
    });
    return relations;
  }

  async read(name: string, events: XmlEvents): Promise<void> {
    const stream = await this.stream(name);
    if (stream) await readXml(stream, events);
  }
}

/** A copy that does not keep the piece of the file alive from which it was cut. */
const detached = (text: string) => (text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le'));

/** Where a relation leads, from the folder of the part that has it. */
function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const steps = folder.split('/').filter(Boolean);
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** What a workbook says about itself: its visible sheets, and where its texts and styles are. */
export interface Workbook {
  from1904: boolean;
  /** Whoever opens it computes its formulas anew: it was written by a program that cannot. */
  recalculated: boolean;
  sheets: { name: string; part: string }[];
  /** Names of sheets that are hidden. */
  hidden: string[];
  /** Names of sheets that have the content of another one. */
  same: string[];
  strings: string;
  styles: string;
  /** Its own part. */
  main: string;
}

/** Reads the workbook's own part. @throws FileRefused when it has no visible sheet */
export async function readWorkbook(parts: XlsxParts): Promise<Workbook> {
  let main = 'xl/workbook.xml';
  await parts.read('_rels/.rels', {
    open: (name, { Type = '', Target = '' }) => {
      if (name === 'Relationship' && Type.endsWith('/officeDocument')) main = resolved('', Target);
    },
  });
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const relations = new Map<string, string>();
  const charts = new Set<string>();
  const book: Workbook = {
    ...{ from1904: false, recalculated: false, sheets: [], hidden: [], same: [] },
    ...{ strings: '', styles: '', main },
  };
  await parts.read(`${folder}_rels/${main.slice(folder.length)}.rels`, {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      const part = resolved(folder, Target);
      relations.set(Id, part);
      if (/\/(?:chartsheet|dialogsheet)$/i.test(Type)) charts.add(Id);
      if (Type.endsWith('/sharedStrings')) book.strings = part;
      if (Type.endsWith('/styles')) book.styles = part;
    },
  });
  const read = new Set<string>();
  await parts.read(main, {
    open: (name, attributes) => {
      if (name === 'workbookPr') book.from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name === 'calcPr') book.recalculated ||= ['1', 'true'].includes(attributes.fullCalcOnLoad ?? '');
      if (name !== 'sheet') return;
      if ((attributes.state ?? 'visible') !== 'visible') {
        // WPS keeps its pictures in cells in such a sheet.
        const { name: own = '' } = attributes;
        if (!own.startsWith('WpsReserved_')) book.hidden.push(own);
        return;
      }
      const id = Object.entries(attributes).find(([key]) => local(key) === 'id' && key.includes(':'))?.[1] ?? '';
      if (charts.has(id)) return;
      const part = relations.get(id);
      // Left out it would look as if all had been read.
      if (part === undefined || !parts.has(part))
        throw new FileRefused(`工作表“${(attributes.name ?? '').slice(0, 40)}”的内容不在文件里，文件已损坏`);
      // Sheets that share a part, by one relation or by several, are no work of a spreadsheet program: 100 kB would be read for hours.
      if (read.has(part)) book.same.push(attributes.name ?? '');
      else book.sheets.push({ name: attributes.name ?? '', part });
      read.add(part);
    },
  });
  if (book.sheets.length === 0) throw new FileRefused('文件里没有可以读取的工作表');
  return book;
}

/** Reads the table of shared texts, in pieces where they are formatted; phonetic signs above them are left out. */
export async function readStrings(parts: XlsxParts, part: string): Promise<FileText[]> {
  const strings: FileText[] = [];
  const reader = new TextReader();
  let held = 0;
  await parts.read(part, {
    open: reader.open,
    text: reader.text,
    close: (name) => {
      reader.close(name);
      if (name !== 'si') return;
      const text = reader.take();
      const pieces = typeof text === 'string' ? [{ text }] : text.pieces;
      for (const piece of pieces) held += piece.text.length + TEXT_TAKES;
      held += TEXT_TAKES;
      if (held > MOST_TEXT) throw new FileRefused('文件里的文字太多，请拆成几个文件');
      strings.push(
        typeof text === 'string'
          ? detached(text)
          : { ...text, pieces: text.pieces.map((piece) => ({ ...piece, text: detached(piece.text) })) },
      );
    },
  });
  return strings;
}
