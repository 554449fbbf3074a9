/** What a file is by its first bytes: the reader that FFmpeg is made to use, and the ending of the stored file. */
export interface Container {
  /** FFmpeg's name of the demuxer: it never chooses by itself, so that a playlist is read by nobody. */
  demuxer: string;
  extension: string;
}

/** How many first bytes are looked at. */
export const HEAD_BYTES = 4096;

const text = (head: Uint8Array, at: number, length: number) => String.fromCharCode(...head.subarray(at, at + length));
const startsWith = (head: Uint8Array, bytes: readonly number[], at = 0) =>
  bytes.every((byte, index) => head[at + index] === byte);

/** Packets of 188 bytes that begin with 0x47, one after the other. */
const isTransportStream = (head: Uint8Array) => [0, 188, 376, 564].every((at) => head[at] === 0x47);
/** Two frames of MPEG audio (layer III) whose sync bits stand; without a second one it may be anything. */
const isMpegAudio = (head: Uint8Array) => head[0] === 0xff && [0xfb, 0xfa, 0xf3, 0xf2].includes(head[1] ?? 0);
const isAdts = (head: Uint8Array) => head[0] === 0xff && [0xf1, 0xf9].includes(head[1] ?? 0);

/** Pictures in the container of films: an AVIF would become a film of one second. */
const PICTURES: ReadonlySet<string> = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1']);

const ASF = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11];

/**
 * Recognises films and sounds by content, whatever their name says. Playlists, lists of files and everything else that
 * would make FFmpeg open a second file or address are none of these (incidents: ytdl-org/youtube-dl#8227).
 * @param head the first `HEAD_BYTES` of the file
 * @returns null: nothing that is taken here
 */
export function containerOf(head: Uint8Array): Container | null {
  const brand = text(head, 4, 4);
  if (brand === 'ftyp') {
    const kind = text(head, 8, 4);
    if (PICTURES.has(kind)) return null;
    if (kind === 'M4A ' || kind === 'M4B ') return { demuxer: 'mov', extension: 'm4a' };
    return { demuxer: 'mov', extension: kind === 'qt  ' ? 'mov' : 'mp4' };
  }
  if (['moov', 'mdat', 'wide', 'free', 'skip'].includes(brand)) return { demuxer: 'mov', extension: 'mov' };
  if (startsWith(head, [0x1a, 0x45, 0xdf, 0xa3]))
    return { demuxer: 'matroska', extension: text(head, 0, 64).includes('webm') ? 'webm' : 'mkv' };
  if (text(head, 0, 4) === 'RIFF' && text(head, 8, 4) === 'AVI ') return { demuxer: 'avi', extension: 'avi' };
  if (text(head, 0, 4) === 'RIFF' && text(head, 8, 4) === 'WAVE') return { demuxer: 'wav', extension: 'wav' };
  if (text(head, 0, 4) === 'fLaC') return { demuxer: 'flac', extension: 'flac' };
  if (text(head, 0, 4) === 'OggS') return { demuxer: 'ogg', extension: 'ogg' };
  if (text(head, 0, 3) === 'FLV') return { demuxer: 'flv', extension: 'flv' };
  if (startsWith(head, ASF)) return { demuxer: 'asf', extension: 'wmv' };
  if (startsWith(head, [0, 0, 1, 0xba])) return { demuxer: 'mpeg', extension: 'mpg' };
  if (isTransportStream(head)) return { demuxer: 'mpegts', extension: 'ts' };
  if (text(head, 0, 3) === 'ID3' || isMpegAudio(head)) return { demuxer: 'mp3', extension: 'mp3' };
  if (isAdts(head)) return { demuxer: 'aac', extension: 'aac' };
  return null;
}
