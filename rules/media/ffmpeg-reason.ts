/** Why FFmpeg could not do it, as a teacher is told; `later`: it may go better another time. */
interface Reason {
  says: string;
  later: boolean;
}

const final = (says: string): Reason => ({ says, later: false });
const later = (says: string): Reason => ({ says, later: true });

/** What FFmpeg writes, the most telling first. */
const REASONS: readonly (readonly [RegExp, Reason])[] = [
  [/No space left on device/i, later('服务器磁盘空间不足，请管理员清理后重试')],
  [/not on whitelist|Protocol .* not (?:allowed|found)/i, final('文件里引用了其他文件或网址，不能转换')],
  [/moov atom not found/i, final('文件不完整：缺少索引，可能没有录完或没有传完，请重新导出后再上传')],
  [
    /Cannot allocate memory|malloc of size|bad_alloc|Resource temporarily unavailable/i,
    final('画面太大，转换所需的内存超过了上限，请导出为 1080p 后再上传'),
  ],
  [/File size limit exceeded|File too large/i, final('转换出来的一段文件太大，已停止')],
  [
    /Decoder .*not found|Unknown decoder|not on the codec whitelist|Decoder \(codec .*\) not found|codec not currently supported/i,
    final('不支持的编码格式，请导出为 H.264（视频）和 AAC（声音）的 MP4 后再上传'),
  ],
  [
    /could not find codec parameters|unspecified (?:size|sample rate)/i,
    final('读不出画面或声音的参数，文件可能已损坏'),
  ],
  [/decryption|encrypted/i, final('文件有加密保护（DRM），不能转换')],
  [/does not contain any stream|matches no streams/i, final('文件里没有画面，也没有声音')],
  [
    /Invalid data found|EBML header parsing failed|Error while decoding|corrupt|header missing|End of file/i,
    final('文件内容已损坏，读不下去，请重新导出后再上传'),
  ],
  [/Permission denied/i, later('服务器读写不了工作文件夹，请管理员检查权限')],
  [/No such file/i, later('服务器上的工作文件不见了，将重新处理')],
];

/** The sentence for what FFmpeg wrote when it failed. */
export function ffmpegReason(said: string): Reason {
  for (const [pattern, reason] of REASONS) if (pattern.test(said)) return reason;
  return final('FFmpeg 处理不了这个文件，请换一种格式（H.264 + AAC 的 MP4）重新导出后再上传');
}
