const HEADER = 13;
const TAG_HEAD = 11;
const TAG_TAIL = 4;
/** No message of an encoder is larger. */
const LONGEST = 4 * 1024 * 1024;
const SCRIPT = 18;
const kinds = { 8: 'audio', 9: 'video' } as const;

/** Reads an FLV as it comes. */
export class FlvReader {
  private left: Buffer = Buffer.alloc(0);
  private begun = false;

  /** @returns false: that is no FLV, and nothing after it can be understood */
  push(bytes: Uint8Array, take: (track: 'audio' | 'video', time: number, data: Buffer) => void): boolean {
    const all = this.left.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.left, bytes]);
    let at = 0;
    if (!this.begun) {
      if (all.length < HEADER) {
        this.left = all;
        return true;
      }
      if (all.toString('latin1', 0, 3) !== 'FLV' || all.readUInt32BE(5) !== 9) return false;
      this.begun = true;
      at = HEADER;
    }
    while (at + TAG_HEAD <= all.length) {
      const kind = (all[at] ?? 0) & 0x1f;
      const length = all.readUIntBE(at + 1, 3);
      if (length > LONGEST || (kind !== 8 && kind !== 9 && kind !== SCRIPT)) return false;
      const end = at + TAG_HEAD + length;
      if (end + TAG_TAIL > all.length) break;
      const time = all.readUIntBE(at + 4, 3) + (all[at + 7] ?? 0) * 2 ** 24;
      // What SRS says about a stream is not handed on: an encoder's own words are in it.
      if (kind !== SCRIPT) take(kinds[kind], time, all.subarray(at + TAG_HEAD, end));
      at = end + TAG_TAIL;
    }
    this.left = all.subarray(at);
    return true;
  }
}
