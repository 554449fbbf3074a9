/** Kinds of tags (FLV specification E.4.1). */
export const TAG = { audio: 8, video: 9 } as const;
export type TagKind = (typeof TAG)[keyof typeof TAG];

/** The beginning of an FLV: which tracks it has is said as it is, since a player waits for what was announced (incidents: mpegts.js#191). */
function flvHeader({ audio, video }: { audio: boolean; video: boolean }): Buffer {
  return Buffer.from([0x46, 0x4c, 0x56, 1, (audio ? 4 : 0) | (video ? 1 : 0), 0, 0, 0, 9, 0, 0, 0, 0]);
}

/** One tag, with its length behind it. @param time milliseconds, 32 bits */
export function flvTag(kind: TagKind, time: number, data: Buffer): Buffer {
  const tag = Buffer.allocUnsafe(15 + data.length);
  tag[0] = kind;
  tag.writeUIntBE(data.length, 1, 3);
  tag.writeUIntBE(time & 0xffffff, 4, 3);
  tag[7] = (time >>> 24) & 0xff;
  tag.writeUIntBE(0, 8, 3);
  data.copy(tag, 11);
  tag.writeUInt32BE(11 + data.length, 11 + data.length);
  return tag;
}

/** What every player needs first: which tracks there are, and the parameters of their codecs. */
export function flvBeginning({ video, audio }: { video: Buffer | null; audio: Buffer | null }): Buffer {
  return Buffer.concat([
    flvHeader({ audio: audio !== null, video: video !== null }),
    ...(video ? [flvTag(TAG.video, 0, video)] : []),
    ...(audio ? [flvTag(TAG.audio, 0, audio)] : []),
  ]);
}
