import { Button, CopyButton } from '@mantine/core';
import { useRef, useState } from 'react';
import { ENDED, LIVE, REPLAY } from '#contract/values/live.ts';
import { TextBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { failureText, send } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { LiveStage } from './LiveStage.tsx';
import classes from './StreamPanel.module.css';
import { type Stream, streamFaults, streamTroubles, streamWarnings, streamWords } from './stream-words.ts';
import { Attendance } from './talk/Attendance.tsx';
import { useStream } from './useStream.ts';

/** What the teacher of a lesson in the room of this site needs: where to send, what arrives, starting and ending it, its replay. */
export function StreamPanel({ liveId }: { liveId: number }) {
  const call = useStream(liveId);
  return (
    <CallState call={call} skeleton={<TextBones lines={5} />}>
      {(stream) => <Panel liveId={liveId} stream={stream} onChanged={() => void call.refetch()} />}
    </CallState>
  );
}

function Panel({ liveId, stream, onChanged }: { liveId: number; stream: Stream; onChanged: () => void }) {
  const over = stream.state === ENDED || stream.state === REPLAY;
  const panel = useRef<HTMLDivElement>(null);
  useSwapFocus(panel, over);
  return (
    <div ref={panel} tabIndex={-1} className={classes.panel}>
      {stream.trouble !== '' && !over && (
        <p className={classes.bad} role="alert">
          {t(streamTroubles[stream.trouble])}
        </p>
      )}
      {over ? (
        <Replay liveId={liveId} stream={stream} onChanged={onChanged} />
      ) : (
        <>
          <Ingest liveId={liveId} server={stream.server} port={stream.port} />
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
function Ingest({ liveId, server, port }: { liveId: number; server: string; port: number }) {
  const [key, setKey] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const renew = useSend('POST /app/live/new_stream_key', { renews: [] });
  const here = `rtmp://${window.location.hostname}${port === 1935 ? '' : `:${port}`}/live`;
  const address = server === '' ? here : server;
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
  const actions = useRef<HTMLDivElement>(null);
  useSwapFocus(actions, startedAt !== null);
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
        {streamWords(stream)}
      </p>
      {facts !== null && sends && <p className={classes.small}>{factsWords(stream, facts)}</p>}
      {stream.fault !== '' && !sends && (
        <p className={classes.bad} role="alert">
          {t(streamFaults[stream.fault])}
        </p>
      )}
      {sends &&
        stream.warnings.map((warning) => (
          <p key={warning} className={classes.warn}>
            {t(streamWarnings[warning])}
          </p>
        ))}
      <div ref={actions} tabIndex={-1} className={classes.actions}>
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
      <h4 className={classes.title} tabIndex={-1} data-takes-focus>
        {t('回放')}
      </h4>
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
