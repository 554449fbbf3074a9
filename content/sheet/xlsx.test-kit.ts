import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A part that is small in the archive and large outside of it. */
interface Packed {
  bytes: Buffer;
  sum: number;
  size: number;
}

/** A text in which a piece comes again and again, packed without ever writing it out. */
export function packed(begin: string, piece: string, times: number, end: string): Packed {
  // A block that ends with a full flush leans on none before it, so copies of it may follow one another.
  const block = (text: string, finishFlush: number) => deflateRawSync(text, { level: 9, finishFlush });
  const flush = constants.Z_FULL_FLUSH;
  const together = Math.max(1, Math.min(times, Math.floor(1_000_000 / piece.length)));
  const large = Buffer.from(piece.repeat(together));
  const rest = piece.repeat(times % together) + end;
  const blocks = Math.floor(times / together);
  let sum = crc32(begin);
  for (let at = 0; at < blocks; at += 1) sum = crc32(large, sum);
  const middle = block(large.toString(), flush);
  return {
    bytes: Buffer.concat([
      block(begin, flush),
      ...Array.from({ length: blocks }, () => middle),
      block(rest, constants.Z_FINISH),
    ]),
    sum: crc32(rest, sum),
    size: Buffer.byteLength(begin) + blocks * large.length + Buffer.byteLength(rest),
  };
}

/** A zip archive of stored or packed parts: for workbooks with oddities that no writing library makes. */
export function zip(parts: Readonly<Record<string, string | Uint8Array | Packed>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const path = Buffer.from(name);
    const { bytes: body, sum, size } = isPacked(part) ? part : stored(part);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isPacked(part) ? 8 : 0, 4);
    common.writeUInt32LE(sum, 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, body]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, place, path]));
    bodies.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, index, Buffer.from('PK\x05\x06'), end]);
}

const isPacked = (part: string | Uint8Array | Packed): part is Packed => typeof part === 'object' && 'sum' in part;

function stored(part: string | Uint8Array): Packed {
  const bytes = Buffer.from(part as string);
  return { bytes, sum: crc32(bytes), size: bytes.length };
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook of one sheet from its raw XML: rows, then what stands behind them. */
export function rawWorkbook(rows: string, behind = '', strings: readonly string[] = []): Buffer {
  return workbookOf({
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`,
  });
}

/** A workbook of one sheet from its parts: sheet, shared texts, styles. */
export function workbookOf(parts: Readonly<Record<string, string | Uint8Array | Packed>>): Buffer {
  return zip({
    '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}"><sheets><sheet name="题库" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="r2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>` +
      `<Relationship Id="r3" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ...parts,
  });
}
