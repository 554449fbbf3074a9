import { type FileHandle, open } from 'node:fs/promises';

const HEADER = 13;
const TAG_HEAD = 11;
const TAG_TAIL = 4;
const PIECE = 1024 * 1024;
/** No message of an encoder is larger (decision 050): what says so is the end of what can be read. */
const LONGEST_TAG = 4 * 1024 * 1024;
const FLAGS = 4;
/** Milliseconds from the last frame of a part to the first one of the next. */
const STEP = 40;

/**
 * Joins the parts of a recording, each an FLV that begins at 0, into one whose clock goes on over them: its length is the sum of
 * theirs. A part that ends in the middle of a tag (the process was killed) ends before it. Codecs may change from part to part.
 * @param onPart told of each part how long it is in the whole (milliseconds), in their order
 */
export async function* joinParts(
  paths: readonly string[],
  onPart: (length: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  yield await headerOf(paths);
  let offset = 0;
  for (const path of paths) {
    const file = await open(path, 'r');
    try {
      let last = -1;
      for await (const { bytes, latest } of tagsOf(file, offset)) {
        last = Math.max(last, latest);
        yield bytes;
      }
      const next = last < 0 ? offset : last + STEP;
      onPart(next - offset);
      offset = next;
    } finally {
      await file.close();
    }
  }
}

/** The beginning of the whole: it has the tracks that any part has. */
async function headerOf(paths: readonly string[]): Promise<Buffer> {
  const header = Buffer.from([0x46, 0x4c, 0x56, 1, 0, 0, 0, 0, 9, 0, 0, 0, 0]);
  for (const path of paths) {
    const file = await open(path, 'r');
    try {
      const head = Buffer.alloc(HEADER);
      const { bytesRead } = await file.read(head, 0, HEADER, 0);
      if (bytesRead === HEADER) header[FLAGS] = (header[FLAGS] ?? 0) | (head[FLAGS] ?? 0);
    } finally {
      await file.close();
    }
  }
  return header;
}

/** Whole tags, many at once, with their times moved on. `latest`: the latest of these times. */
async function* tagsOf(file: FileHandle, offset: number): AsyncGenerator<{ bytes: Buffer; latest: number }> {
  let left = Buffer.alloc(0);
  let at = HEADER;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const { bytesRead } = await file.read(piece, 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    const bytes = Buffer.concat([left, piece.subarray(0, bytesRead)]);
    let latest = -1;
    let end = 0;
    while (end + TAG_HEAD <= bytes.length) {
      const length = bytes.readUIntBE(end + 1, 3);
      if (length > LONGEST_TAG) return;
      const next = end + TAG_HEAD + length + TAG_TAIL;
      if (next > bytes.length) break;
      const time = bytes.readUIntBE(end + 4, 3) + (bytes[end + 7] ?? 0) * 2 ** 24 + offset;
      bytes.writeUIntBE(time & 0xffffff, end + 4, 3);
      bytes[end + 7] = (time >>> 24) & 0xff;
      latest = Math.max(latest, time);
      end = next;
    }
    if (end > 0) yield { bytes: bytes.subarray(0, end), latest };
    left = bytes.subarray(end);
  }
}
