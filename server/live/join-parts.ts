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

const VIDEO = 9;
const AUDIO = 8;
/** Of the flags at the beginning of a file: it has pictures. */
const HAS_VIDEO = 1;

export interface PartToJoin {
  path: string;
  /** Milliseconds of its beginning that are left out, up to the last place before where a player can begin; left out: none. */
  trial?: number;
}

/**
 * Joins the parts of a recording, each an FLV that begins at 0, into one whose clock goes on over them: its length is the sum of
 * theirs. A part that ends in the middle of a tag (the process was killed) ends before it. Codecs may change from part to part.
 * @param onPart told of each part how long it is in the whole, and how much was left out of it (milliseconds), in their order
 */
export async function* joinParts(
  parts: readonly PartToJoin[],
  onPart: (part: { length: number; left: number }) => void = () => undefined,
): AsyncGenerator<Buffer> {
  yield await headerOf(parts);
  let offset = 0;
  for (const { path, trial = 0 } of parts) {
    const file = await open(path, 'r');
    try {
      const begins = trial > 0 ? await placeAt(file, trial) : BEGINNING;
      let last = -1;
      if (begins.parameters.length > 0) yield moved(begins.parameters, (time) => time + offset).bytes;
      for await (const tags of tagsOf(file, begins.at)) {
        // Sound that stands behind its key frame and came before it begins with it.
        const { bytes, latest } = moved(tags, (time) => Math.max(0, time - begins.time) + offset);
        last = Math.max(last, latest);
        yield bytes;
      }
      const next = last < 0 ? offset : last + STEP;
      onPart({ length: next - offset, left: begins.time });
      offset = next;
    } finally {
      await file.close();
    }
  }
}

/** How long a part is in the whole (milliseconds). */
export async function lengthOfPart(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    let last = -1;
    for await (const tags of tagsOf(file, HEADER)) last = Math.max(last, moved(tags, (time) => time).latest);
    return last < 0 ? 0 : last + STEP;
  } finally {
    await file.close();
  }
}

/** Where a part begins: at this byte, whose tag has this time, with these tags before it. */
interface Place {
  at: number;
  time: number;
  parameters: Buffer;
}
const BEGINNING: Place = { at: HEADER, time: 0, parameters: Buffer.alloc(0) };

/** The last place until this time where a player can begin: a key frame, or any sound where there are no pictures. */
async function placeAt(file: FileHandle, until: number): Promise<Place> {
  const head = Buffer.alloc(HEADER);
  await file.read(head, 0, HEADER, 0);
  const hasVideo = ((head[FLAGS] ?? 0) & HAS_VIDEO) !== 0;
  let place = BEGINNING;
  let at = HEADER;
  let parameters: Buffer[] = [];
  for await (const bytes of tagsOf(file, HEADER)) {
    for (const { from, to, kind, time } of eachTag(bytes)) {
      if (time > until) return place;
      const [first = 0, packet] = bytes.subarray(from + TAG_HEAD, from + TAG_HEAD + 2);
      if (packet === 0) {
        // Of a track the last ones count.
        parameters = parameters.filter(([known]) => known !== kind);
        parameters.push(Buffer.from(bytes.subarray(from, to)));
      } else if (packet === 1 && (hasVideo ? kind === VIDEO && first >> 4 === 1 : kind === AUDIO))
        place = { at: at + from, time, parameters: Buffer.concat(parameters) };
    }
    at += bytes.length;
  }
  return place;
}

/** The beginning of the whole: it has the tracks that any part has. */
async function headerOf(parts: readonly PartToJoin[]): Promise<Buffer> {
  const header = Buffer.from([0x46, 0x4c, 0x56, 1, 0, 0, 0, 0, 9, 0, 0, 0, 0]);
  for (const { path } of parts) {
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

/** The tags of which these bytes are, each from where to where it is. */
function* eachTag(bytes: Buffer): Generator<{ from: number; to: number; kind: number; time: number }> {
  for (let from = 0; from + TAG_HEAD <= bytes.length; ) {
    const to = from + TAG_HEAD + bytes.readUIntBE(from + 1, 3) + TAG_TAIL;
    if (to > bytes.length) return;
    const time = bytes.readUIntBE(from + 4, 3) + (bytes[from + 7] ?? 0) * 2 ** 24;
    yield { from, to, kind: bytes[from] ?? 0, time };
    from = to;
  }
}

/** Whole tags with other times. `latest`: the latest of them; -1: there are no tags. */
function moved(bytes: Buffer, timeOf: (time: number) => number): { bytes: Buffer; latest: number } {
  let latest = -1;
  for (const { from, time } of eachTag(bytes)) {
    const then = timeOf(time);
    bytes.writeUIntBE(then & 0xffffff, from + 4, 3);
    bytes[from + 7] = (then >>> 24) & 0xff;
    latest = Math.max(latest, then);
  }
  return { bytes, latest };
}

/** Whole tags, many at once, from this byte on. */
async function* tagsOf(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  let left = Buffer.alloc(0);
  let at = from;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const { bytesRead } = await file.read(piece, 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    const bytes = Buffer.concat([left, piece.subarray(0, bytesRead)]);
    let end = 0;
    while (end + TAG_HEAD <= bytes.length) {
      const length = bytes.readUIntBE(end + 1, 3);
      if (length > LONGEST_TAG) {
        if (end > 0) yield bytes.subarray(0, end);
        return;
      }
      const next = end + TAG_HEAD + length + TAG_TAIL;
      if (next > bytes.length) break;
      end = next;
    }
    if (end > 0) yield bytes.subarray(0, end);
    left = bytes.subarray(end);
  }
}
