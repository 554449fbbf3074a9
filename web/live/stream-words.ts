import { type ingestTroubles, LIVE, type streamFaultKinds, type streamWarningKinds } from '#contract/values/live.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';

/** The stream of a live lesson as its teacher sees it. */
export type Stream = Data<'GET /app/live/stream'>;
type Fault = (typeof streamFaultKinds)[number];
type Warning = (typeof streamWarningKinds)[number];
type Trouble = (typeof ingestTroubles)[number];

/** Why the last encoder was refused. */
export const streamFaults: Readonly<Record<Exclude<Fault, ''>, string>> = {
  videoCodec: msg('推流被拒绝：视频请改用 H.264 编码（不支持 HEVC、AV1）'),
  audioCodec: msg('推流被拒绝：声音请改用 AAC 编码'),
  tooMuch: msg('推流被拒绝：码率太高，请降到 8000 kbps 以下'),
  damaged: msg('推流被拒绝：编码器发来的数据有误，请重新开始推流'),
  changing: msg('推流被拒绝：编码参数不停变化，请固定分辨率和编码设置后重新推流'),
};
/** What is wrong with a stream that is taken. */
export const streamWarnings: Readonly<Record<Warning, string>> = {
  bFrames: msg('编码器用了 B 帧，画面会晚一点，建议在编码器里关闭'),
  keyFrames: msg('关键帧间隔超过 10 秒，刚进来的同学要等很久，请设为 2 秒'),
  clock: msg('编码器的时间跳动过，已自动衔接'),
  recordingFailed: msg('录制写入失败，直播不受影响，已录部分可以播放'),
  recordingStopped: msg('服务器磁盘空间不足，录制暂停，直播不受影响'),
  recordingSlow: msg('服务器磁盘过慢，录制缺少片段'),
  recordingGap: msg('录制中断过，现已恢复，回放会缺少一段'),
};
/** Why no stream can be taken. */
export const streamTroubles: Readonly<Record<Exclude<Trouble, ''>, string>> = {
  off: msg('这台服务器没有开启推流（RTMP_PORT），请联系管理员'),
  unreached: msg('推流服务器（SRS）连接不上，请联系管理员'),
  starting: msg('推流服务正在启动，请稍等'),
  portTaken: msg('推流端口被其他程序占用，请联系管理员'),
  portForbidden: msg('服务器没有权限使用推流端口，请联系管理员'),
  noListening: msg('推流端口不能使用，请联系管理员'),
  ended: msg('推流服务刚刚中断，正在自动恢复'),
  closed: msg('服务器正在关闭'),
};

/** How a stream stands, in one sentence. */
export function streamWords({ state, streamState, sends, startedAt, heardAt }: Stream): string {
  if (streamState === 'live') return t('正在直播，学员可以看到画面');
  if (sends) return t('收到推流：这是试播，学员还看不到');
  if (streamState === 'interrupted')
    return t('推流中断：学员看到“老师暂时离开”。最后一次收到画面是 {time}', {
      time: formatMoment(heardAt ?? serverNow(), serverNow()),
    });
  if (startedAt !== null) return t('直播已开始，还没有收到推流');
  return state === LIVE ? t('到开课时间了，还没有收到推流') : t('还没有开课');
}
