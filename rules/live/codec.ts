/** Why a stream is refused or warned of, with the sentence for its teacher. The key is in none of them. */
export const streamFaults = {
  videoCodec: '请改用 H.264：编码器发送的视频格式不能播放',
  audioCodec: '请改用 AAC：编码器发送的声音格式不能播放',
  tooMuch: '码率过高，请把码率降到 8000 kbps 以下',
  damaged: '编码器发送的数据有误，请重新开始推流',
  changing: '编码参数不停变化，请固定分辨率和编码设置后重新推流',
} as const;
export type StreamFault = keyof typeof streamFaults;

export const streamWarnings = {
  bFrames: '编码器使用了 B 帧，画面会有延迟，请关闭 B 帧',
  keyFrames: '关键帧间隔超过 10 秒，进入的同学要等很久，请设为 2 秒',
  clock: '编码器的时间跳动，已自动衔接',
  recordingFailed: '录制写入失败，直播不受影响，已录部分可以播放',
  recordingStopped: '服务器磁盘空间不足，录制暂停，直播不受影响',
  recordingSlow: '服务器磁盘过慢，录制缺少片段',
  recordingGap: '录制中断过，现已恢复，回放会缺少一段',
} as const;
export type StreamWarning = keyof typeof streamWarnings;

const STANDS_STILL: readonly string[] = ['recordingFailed', 'recordingStopped'];

/** What a stream is warned of after one more warning: a recording that goes on stands still no more, and the other way round. */
export function warningsAfter(known: readonly string[], what: StreamWarning): string[] {
  const over = what === 'recordingGap' ? STANDS_STILL : STANDS_STILL.includes(what) ? ['recordingGap'] : [];
  return [...known.filter((each) => each !== what && !over.includes(each)), what];
}

/** What a video message holds, by its first bytes (FLV specification E.4.3.1, enhanced RTMP "ExVideoTagHeader"). */
type VideoKind =
  | { ok: true; is: 'header' | 'end' }
  | { ok: true; is: 'picture'; key: boolean; reordered: boolean }
  | { ok: false; why: 'videoCodec' | 'nothing' };

const AVC = 7;
/** A frame type that carries a command of an old player and no picture. */
const COMMAND = 5;

/** Recognises a video message; `nothing`: no picture, and no reason to refuse the stream. */
export function videoKind(data: Uint8Array): VideoKind {
  const [first, packet = 0, ...offset] = data.subarray(0, 5);
  if (first === undefined) return { ok: false, why: 'nothing' };
  // The highest bit says that four letters name the codec: HEVC, AV1, VP9.
  if (first >= 0x80) return { ok: false, why: 'videoCodec' };
  const frame = first >> 4;
  if (frame === COMMAND || frame === 0) return { ok: false, why: 'nothing' };
  if ((first & 0x0f) !== AVC) return { ok: false, why: 'videoCodec' };
  if (offset.length < 3) return { ok: false, why: 'nothing' };
  if (packet === 0) return isAvcHeader(data.subarray(5)) ? { ok: true, is: 'header' } : { ok: false, why: 'nothing' };
  if (packet === 2) return { ok: true, is: 'end' };
  if (packet !== 1 || data.length < 10) return { ok: false, why: 'nothing' };
  return { ok: true, is: 'picture', key: frame === 1 || frame === 4, reordered: offset.some((byte) => byte !== 0) };
}

/** The beginning of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3): version 1, with a set of parameters. */
const isAvcHeader = (data: Uint8Array) => data.length >= 11 && data[0] === 1 && ((data[5] ?? 0) & 0x1f) > 0;

/** What a sound message holds (FLV specification E.4.2.1). */
type AudioKind = { ok: true; is: 'header' | 'sound' } | { ok: false; why: 'audioCodec' | 'nothing' };

const AAC = 10;

export function audioKind(data: Uint8Array): AudioKind {
  const [first, packet] = data;
  if (first === undefined) return { ok: false, why: 'nothing' };
  if (first >> 4 !== AAC) return { ok: false, why: 'audioCodec' };
  if (packet === 0 && data.length >= 4) return { ok: true, is: 'header' };
  return packet === 1 && data.length > 2 ? { ok: true, is: 'sound' } : { ok: false, why: 'nothing' };
}
