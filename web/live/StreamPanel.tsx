import { Button, CopyButton } from '@mantine/core';
import { useState } from 'react';
import {
  ENDED,
  type ingestTroubles,
  LIVE,
  REPLAY,
  type streamFaultKinds,
  type streamWarningKinds,
} from '#contract/values/live.ts';
import { TextBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Data, failureText, send } from '#web/lib/send.ts';
import { msg, t, tIn } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { LiveStage } from './LiveStage.tsx';
import classes from './StreamPanel.module.css';
import { Attendance } from './talk/Attendance.tsx';

type Stream = Data<'GET /app/live/stream'>;
type Fault = (typeof streamFaultKinds)[number];
type Warning = (typeof streamWarningKinds)[number];
type Trouble = (typeof ingestTroubles)[number];

/** How often it is asked how the stream stands, while the panel is open (milliseconds). */
const LOOK_EVERY = 3000;

const faults: Readonly<Record<Exclude<Fault, ''>, string>> = {
  videoCodec: msg('推流被拒绝：视频请改用 H.264 编码（不支持 HEVC、AV1）'),
  audioCodec: msg('推流被拒绝：声音请改用 AAC 编码'),
  tooMuch: msg('推流被拒绝：码率太高，请降到 8000 kbps 以下'),
  damaged: msg('推流被拒绝：编码器发来的数据有误，请重新开始推流'),
  changing: msg('推流被拒绝：编码参数不停变化，请固定分辨率和编码设置后重新推流'),
};
const warnings: Readonly<Record<Warning, string>> = {
  bFrames: msg('编码器用了 B 帧，画面会晚一点，建议在编码器里关闭'),
  keyFrames: msg('关键帧间隔超过 10 秒，刚进来的同学要等很久，请设为 2 秒'),
  clock: msg('编码器的时间跳动过，已自动衔接'),
  recordingFailed: msg('录制写入失败，直播不受影响，已录部分可以播放'),
  recordingStopped: msg('服务器磁盘空间不足，录制暂停，直播不受影响'),
  recordingSlow: msg('服务器磁盘过慢，录制缺少片段'),
};
const troubles: Readonly<Record<Exclude<Trouble, ''>, string>> = {
  off: msg('这台服务器没有开启推流（RTMP_PORT），请联系管理员'),
  starting: msg('推流服务正在启动，请稍等'),
  portTaken: msg('推流端口被其他程序占用，请联系管理员'),
  portForbidden: msg('服务器没有权限使用推流端口，请联系管理员'),
  noListening: msg('推流端口不能使用，请联系管理员'),
  ended: msg('推流服务刚刚中断，正在自动恢复'),
  closed: msg('服务器正在关闭'),
};

/** What the teacher of a lesson in the room of this site needs: where to send, what arrives, starting and ending it, its replay. */
export function StreamPanel({ liveId }: { liveId: number }) {
  const call = useCall('GET /app/live/stream', { liveId }, { staleTime: 0, refetchInterval: () => LOOK_EVERY });
  return (
    <CallState call={call} skeleton={<TextBones lines={5} />}>
      {(stream) => <Panel liveId={liveId} stream={stream} onChanged={() => void call.refetch()} />}
    </CallState>
  );
}

function Panel({ liveId, stream, onChanged }: { liveId: number; stream: Stream; onChanged: () => void }) {
  const over = stream.state === ENDED || stream.state === REPLAY;
  return (
    <div className={classes.panel}>
      {stream.trouble !== '' && !over && (
        <p className={classes.bad} role="alert">
          {t(troubles[stream.trouble])}
        </p>
      )}
      {over ? (
        <Replay liveId={liveId} stream={stream} onChanged={onChanged} />
      ) : (
        <>
          <Ingest liveId={liveId} port={stream.port} />
          <Standing liveId={liveId} stream={stream} onChanged={onChanged} />
        </>
      )}
      {stream.startedAt !== null && (
        <div className={classes.wide}>
          <Attendance livelessonId={liveId} />
        </div>
      )}
    </div>
  );
}

/** Where an encoder sends to, with the key, which is shown only when it is asked for. */
function Ingest({ liveId, port }: { liveId: number; port: number }) {
  const [key, setKey] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const renew = useSend('POST /app/live/new_stream_key', { renews: [] });
  const address = `rtmp://${window.location.hostname}${port === 1935 ? '' : `:${port}`}/live`;
  const withKey = async (use: (key: string) => void) => {
    try {
      const known = key ?? (await send('GET /app/live/stream_key', { liveId })).streamKey;
      setKey(known);
      use(known);
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const change = async () => {
    const sure = await confirm({
      title: t('更换推流密钥？'),
      text: t('旧密钥马上失效，正在用它推流的编码器会断开。'),
      yes: t('更换密钥'),
      no: t('再想想'),
      danger: true,
    });
    if (!sure) return;
    try {
      setKey((await renew.mutateAsync({ liveId })).streamKey);
      toast(t('密钥已更换'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <section className={classes.part} aria-label={t('推流设置')}>
      <h4 className={classes.title}>{t('推流设置')}</h4>
      <dl className={classes.list}>
        <dt>{t('服务器')}</dt>
        <dd>
          <code className={classes.code}>{address}</code>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button variant="default" size="compact-sm" onClick={copy}>
                {copied ? t('已复制') : t('复制')}
              </Button>
            )}
          </CopyButton>
        </dd>
        <dt>{t('推流密钥')}</dt>
        <dd>
          <code className={classes.code} data-key>
            {shown && key !== null ? key : '••••••••••••'}
          </code>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => (shown ? setShown(false) : void withKey(() => setShown(true)))}
          >
            {shown ? t('隐藏') : tIn('key', '显示')}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              void withKey((known) => {
                navigator.clipboard.writeText(known).then(
                  () => toast(t('已复制'), 'good'),
                  // A browser that forbids it: it can be copied by hand.
                  () => setShown(true),
                );
              })
            }
          >
            {t('复制')}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => void change()}>
            {t('更换密钥')}
          </Button>
        </dd>
      </dl>
      <ol className={classes.steps}>
        <li>{t('打开 OBS，进入“设置 → 直播”，服务选“自定义”，填入上面的服务器和推流密钥。')}</li>
        <li>{t('在“输出”里选 H.264（x264）编码，码率 2500 kbps 左右，关键帧间隔 2 秒，声音用 AAC。')}</li>
        <li>{t('点“开始直播”。开课前 30 分钟以内推流会自动开课，更早只是试播，学员看不到。')}</li>
      </ol>
      <p className={classes.small}>{t('有密钥的人都能推流，请不要发给别人。')}</p>
    </section>
  );
}

/** What arrives now, and what its teacher does with the lesson. */
function Standing({ liveId, stream, onChanged }: { liveId: number; stream: Stream; onChanged: () => void }) {
  const renews = ['GET /app/live/stream', 'GET /app/live/teach_list', 'GET /app/live/list'] as const;
  const start = useSend('POST /app/live/start', { renews });
  const end = useSend('POST /app/live/end', { renews });
  const [preview, setPreview] = useState(false);
  const { state, streamState, sends, facts, startedAt } = stream;
  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      toast(done, 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
    onChanged();
  };
  const finish = async () => {
    const sure = await confirm({
      title: t('结束这场直播？'),
      text: t('结束后不能再开，学员会看到直播已结束，录像自动生成回放。只是休息的话，停止推流就可以，直播不会结束。'),
      yes: t('结束直播'),
      no: t('再想想'),
      danger: true,
    });
    if (sure) await run(() => end.mutateAsync({ liveId }), t('直播已结束'));
  };
  return (
    <section className={classes.part} aria-label={t('直播状态')}>
      <h4 className={classes.title}>{t('直播状态')}</h4>
      <p className={classes.state} data-state={sends ? 'live' : streamState} role="status">
        {stateWords(stream)}
      </p>
      {facts !== null && sends && <p className={classes.small}>{factsWords(stream, facts)}</p>}
      {stream.fault !== '' && !sends && (
        <p className={classes.bad} role="alert">
          {t(faults[stream.fault])}
        </p>
      )}
      {sends &&
        stream.warnings.map((warning) => (
          <p key={warning} className={classes.warn}>
            {t(warnings[warning])}
          </p>
        ))}
      <div className={classes.actions}>
        {startedAt === null && (
          <WaitButton
            size="sm"
            waiting={start.isPending}
            onClick={() => void run(() => start.mutateAsync({ liveId }), t('直播已开始'))}
          >
            {t('开始直播')}
          </WaitButton>
        )}
        {startedAt !== null && (
          <WaitButton size="sm" color="cinnabar" waiting={end.isPending} onClick={() => void finish()}>
            {t('结束直播')}
          </WaitButton>
        )}
        {sends && (
          <Button size="sm" variant="default" aria-expanded={preview} onClick={() => setPreview(!preview)}>
            {preview ? t('收起预览') : t('预览画面')}
          </Button>
        )}
      </div>
      {sends && preview && (
        <div className={classes.preview}>
          <LiveStage lesson={{ id: liveId, state, streamState: 'live' }} onChanged={onChanged} />
        </div>
      )}
    </section>
  );
}

/** What comes, as one line. */
function factsWords({ state, watching }: Stream, facts: NonNullable<Stream['facts']>): string {
  const { hasVideo, hasAudio, fps, kbps, keyEvery } = facts;
  const words = [
    hasVideo ? t('画面 {fps} 帧/秒', { fps }) : t('没有画面'),
    hasAudio ? t('有声音') : t('没有声音'),
    `${kbps} kbps`,
    ...(keyEvery === null ? [] : [t('关键帧间隔 {seconds} 秒', { seconds: keyEvery })]),
    ...(state === LIVE ? [t('{count} 个窗口在看', { count: watching })] : []),
  ];
  return words.join(' · ');
}

function stateWords({ state, streamState, sends, startedAt, heardAt }: Stream): string {
  if (streamState === 'live') return t('正在直播，学员可以看到画面');
  if (sends) return t('收到推流：这是试播，学员还看不到');
  if (streamState === 'interrupted')
    return t('推流中断：学员看到“老师暂时离开”。最后一次收到画面是 {time}', {
      time: formatMoment(heardAt ?? serverNow(), serverNow()),
    });
  if (startedAt !== null) return t('直播已开始，还没有收到推流');
  return state === LIVE ? t('到开课时间了，还没有收到推流') : t('还没有开课');
}

/** What became of the recording. */
function Replay({ liveId, stream, onChanged }: { liveId: number; stream: Stream; onChanged: () => void }) {
  const make = useSend('POST /app/live/make_replay', { renews: ['GET /app/live/stream'] });
  const again = async () => {
    try {
      await make.mutateAsync({ liveId });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
    onChanged();
  };
  const { replay, replayFault, endedAt } = stream;
  return (
    <section className={classes.part} aria-label={t('回放')}>
      <h4 className={classes.title}>{t('回放')}</h4>
      <p role="status">
        {replay === 'ready' && t('回放已生成，学员可以看了。')}
        {replay === 'making' && t('正在用录像生成回放，完成后学员就能看。')}
        {replay === 'none' && t('没有录像，没有回放。')}
        {replay === 'failed' && t('回放没有生成。')}
      </p>
      {replayFault !== '' && (
        <p className={classes.bad} lang="zh-CN">
          {replayFault}
        </p>
      )}
      {endedAt !== null && (
        <p className={classes.small}>{t('{time} 结束', { time: formatMoment(endedAt, serverNow()) })}</p>
      )}
      {replay === 'failed' && (
        <div className={classes.actions}>
          <WaitButton size="sm" waiting={make.isPending} onClick={() => void again()}>
            {t('重新生成')}
          </WaitButton>
        </div>
      )}
    </section>
  );
}
