/** A value of AMF0, the way in which RTMP writes commands (Adobe "Action Message Format -- AMF 0"). */
export type AmfValue = number | boolean | string | null | readonly AmfValue[] | AmfObject;
/** A map, since the names are a stranger's. */
type AmfObject = ReadonlyMap<string, AmfValue>;

const MARKER = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  list: 8,
  end: 9,
  array: 10,
} as const;
const DATE = 11;
const LONG_STRING = 12;

/** What one message may hold. */
const DEEPEST = 6;
const MOST_VALUES = 256;
const LONGEST_TEXT = 4096;

/**
 * Reads the values of one message. It is bounded in depth, number and length, and does not throw.
 * @returns null: it is none, or more than one needs
 */
export function readAmf(bytes: Buffer): AmfValue[] | null {
  const reader = new Reader(bytes);
  const values: AmfValue[] = [];
  while (reader.at < bytes.length) {
    const value = reader.value(0);
    if (value === undefined) return null;
    values.push(value);
  }
  return values;
}

/** `undefined`: what stands there cannot be read. */
class Reader {
  at = 0;
  private count = 0;
  private readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  private has(length: number): boolean {
    return this.at + length <= this.bytes.length;
  }

  private text(sizeBytes: 2 | 4): string | undefined {
    if (!this.has(sizeBytes)) return undefined;
    const length = this.bytes.readUIntBE(this.at, sizeBytes);
    this.at += sizeBytes;
    if (length > LONGEST_TEXT || !this.has(length)) return undefined;
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  value(depth: number): AmfValue | undefined {
    this.count += 1;
    if (depth > DEEPEST || this.count > MOST_VALUES || !this.has(1)) return undefined;
    const marker = this.bytes[this.at];
    this.at += 1;
    switch (marker) {
      case MARKER.number:
      case DATE: {
        const length = marker === DATE ? 10 : 8;
        if (!this.has(length)) return undefined;
        this.at += length;
        return this.bytes.readDoubleBE(this.at - length);
      }
      case MARKER.boolean:
        if (!this.has(1)) return undefined;
        this.at += 1;
        return this.bytes[this.at - 1] !== 0;
      case MARKER.string:
        return this.text(2);
      case LONG_STRING:
        return this.text(4);
      case MARKER.null:
      case MARKER.undefined:
        return null;
      case MARKER.list:
        // Its number of members is a hint that many get wrong.
        if (!this.has(4)) return undefined;
        this.at += 4;
        return this.object(depth);
      case MARKER.object:
        return this.object(depth);
      case MARKER.array:
        return this.array(depth);
      default:
        return undefined;
    }
  }

  private object(depth: number): AmfObject | undefined {
    const found = new Map<string, AmfValue>();
    for (;;) {
      const name = this.text(2);
      if (name === undefined || !this.has(1)) return undefined;
      if (name === '' && this.bytes[this.at] === MARKER.end) {
        this.at += 1;
        return found;
      }
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      found.set(name, value);
    }
  }

  private array(depth: number): AmfValue[] | undefined {
    if (!this.has(4)) return undefined;
    const length = this.bytes.readUInt32BE(this.at);
    this.at += 4;
    const found: AmfValue[] = [];
    while (found.length < length) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      found.push(value);
    }
    return found;
  }
}

/** Writes the values of one message. Texts are ours and short. */
export function writeAmf(values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.flatMap(pieces));
}

const sized = (text: string) => {
  const bytes = Buffer.from(text);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(bytes.length);
  return [size, bytes];
};

function pieces(value: AmfValue): Buffer[] {
  if (value === null) return [Buffer.of(MARKER.null)];
  if (typeof value === 'boolean') return [Buffer.of(MARKER.boolean, value ? 1 : 0)];
  if (typeof value === 'string') return [Buffer.of(MARKER.string), ...sized(value)];
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return [bytes];
  }
  if (value instanceof Map) {
    const members = [...(value as AmfObject)].flatMap(([name, member]) => [...sized(name), ...pieces(member)]);
    return [Buffer.of(MARKER.object), ...members, Buffer.of(0, 0, MARKER.end)];
  }
  const list = value as readonly AmfValue[];
  const size = Buffer.alloc(5);
  size[0] = MARKER.array;
  size.writeUInt32BE(list.length, 1);
  return [size, ...list.flatMap(pieces)];
}
