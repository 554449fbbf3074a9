import { Button } from '@mantine/core';
import { IconCloudUpload, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react';
import { type DragEvent, useRef, useState, useSyncExternalStore } from 'react';
import { confirm } from '#ui/confirm.ts';
import iconButton from '#ui/icon-button.module.css';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { formatBytes } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './UploadBox.module.css';
import { speedOf, type UploadItem } from './upload-state.ts';
import { takeBack, uploader } from './uploader.ts';

/** What the picker offers first; what a file is, the server finds out. */
const ACCEPT = 'video/*,audio/*,.mkv,.flv,.avi,.ts,.wmv,.mpg';

type ServerUpload = Data<'GET /app/upload/list'>['list'][number];

/** Where files are dropped or chosen, and those on their way: of this window, left from before, and of colleagues. */
export function UploadBox({ left, onChange }: { left: readonly ServerUpload[]; onChange: () => void }) {
  const items = useSyncExternalStore(uploader.subscribe, uploader.items);
  const own = new Set(items.map(({ address }) => address));
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) uploader.add(files);
  };
  const others = left.filter(({ address }) => address === null || !own.has(address));
  return (
    <section aria-label={t('上传')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here by mouse; the button beside does the same */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconCloudUpload size={30} stroke={1.5} aria-hidden />
        <p>
          <span className={classes.dropWords}>{t('把视频或音频拖到这里，或者')}</span>
          <Button onClick={() => picker.current?.click()}>{t('选择文件')}</Button>
        </p>
        <small>{t('可以一次选多个，单个最大 20 GB。断网、刷新或关闭页面后，再选同一个文件即可从断点继续。')}</small>
        <input
          ref={picker}
          type="file"
          multiple
          accept={ACCEPT}
          className="unseen"
          tabIndex={-1}
          aria-label={t('选择视频或音频文件')}
          onChange={(event) => {
            uploader.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {items.length + others.length > 0 && (
        <ul className={`${rows.rows} ${classes.list}`} aria-label={t('上传中的文件')}>
          {items.map((item) => (
            <OwnUpload key={item.key} item={item} onChange={onChange} />
          ))}
          {others.map((upload) => (
            <LeftUpload key={upload.uploadId} upload={upload} onChange={onChange} />
          ))}
        </ul>
      )}
    </section>
  );
}

const shareOf = (done: number, all: number) => (all === 0 ? 0 : Math.floor((done / all) * 100));

function stateOf(item: UploadItem): string {
  switch (item.phase) {
    case 'reading':
      return t('正在读取文件');
    case 'waiting':
      return t('等待上传');
    case 'paused':
      return t('已暂停');
    case 'cut':
    case 'failed':
      return t(item.msg);
    case 'sending':
      return t('正在上传');
  }
}

/** How long the rest takes, in words. */
function restOf(item: UploadItem): string {
  const speed = item.phase === 'sending' ? speedOf(item) : null;
  if (!speed) return '';
  const minutes = Math.ceil((item.bytes - item.sent) / speed / 60);
  const size = t('{size}/秒', { size: formatBytes(speed) });
  return minutes <= 1
    ? t('{size}，不到 1 分钟', { size })
    : minutes < 60
      ? t('{size}，约 {n} 分钟', { size, n: minutes })
      : t('{size}，约 {n} 小时', { size, n: Math.ceil(minutes / 60) });
}

const cancelQuestion = (name: string) => ({
  title: t('取消上传？'),
  text: t('“{name}”已经上传的部分会被删除。', { name }),
  yes: t('取消上传'),
  no: t('继续上传'),
  danger: true,
});

function OwnUpload({ item, onChange }: { item: UploadItem; onChange: () => void }) {
  const { key, fileName, phase, sent, bytes } = item;
  const bad = phase === 'failed';
  const going = phase === 'sending' || phase === 'waiting' || phase === 'reading' || phase === 'cut';
  const cancel = async () => {
    // What failed at once has nothing to lose.
    if (sent > 0 && !bad && !(await confirm(cancelQuestion(fileName)))) return;
    await uploader.cancel(key).catch(() => toast(t('没有取消成功，请稍后再试'), 'bad'));
    onChange();
  };
  return (
    <li className={classes.upload} data-phase={phase}>
      <div className={classes.words}>
        <p className={classes.name}>{fileName}</p>
        <p className={classes.state} role={bad ? 'alert' : undefined}>
          {stateOf(item)}
        </p>
        <Bar done={shareOf(sent, bytes)} label={fileName} quiet={!going} />
        <p className={rows.facts}>
          <span>
            {formatBytes(sent)} / {formatBytes(bytes)}
          </span>
          <span>{shareOf(sent, bytes)}%</span>
          <span>{restOf(item)}</span>
        </p>
      </div>
      <div className={classes.tools}>
        {(phase === 'sending' || phase === 'waiting') && (
          <Tool label={t('暂停')} onClick={() => uploader.pause(key)}>
            <IconPlayerPause size={20} aria-hidden />
          </Tool>
        )}
        {phase === 'paused' && (
          <Tool label={t('继续')} onClick={() => uploader.resume(key)}>
            <IconPlayerPlay size={20} aria-hidden />
          </Tool>
        )}
        {(phase === 'cut' || phase === 'failed') && (
          <Tool label={t('重试')} onClick={() => uploader.resume(key)}>
            <IconRefresh size={20} aria-hidden />
          </Tool>
        )}
        <Tool label={bad ? t('移除') : t('取消上传')} onClick={() => void cancel()}>
          <IconX size={20} aria-hidden />
        </Tool>
      </div>
    </li>
  );
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" className={iconButton.button} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}

function Bar({ done, label, quiet }: { done: number; label: string; quiet: boolean }) {
  return (
    <div
      className={classes.bar}
      data-quiet={quiet || undefined}
      role="progressbar"
      aria-label={t('{name} 的上传进度', { name: label })}
      aria-valuenow={done}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${done}%` }} />
    </div>
  );
}

function leftState({ state, address, active, reason, broughtBy }: ServerUpload): string {
  if (state === 'refused') return t(reason);
  if (state === 'checking')
    return reason === '' ? t('已传完，正在检查') : t('{reason}，稍后重试', { reason: t(reason) });
  if (address === null)
    return active ? t('{name} 正在上传', { name: broughtBy }) : t('{name} 没有传完', { name: broughtBy });
  return active ? t('正在另一个窗口上传') : t('没有传完，请再选择同一个文件继续');
}

/** An upload of which this window has no file. */
function LeftUpload({ upload, onChange }: { upload: ServerUpload; onChange: () => void }) {
  const { address, fileName, state, received, bytes } = upload;
  const cancel = async () => {
    if (address === null) return;
    if (state === 'receiving' && !(await confirm(cancelQuestion(fileName)))) return;
    await takeBack(address).catch(() => toast(t('没有取消成功，请稍后再试'), 'bad'));
    onChange();
  };
  return (
    <li className={classes.upload} data-phase={state === 'refused' ? 'failed' : state}>
      <div className={classes.words}>
        <p className={classes.name}>{fileName}</p>
        <p className={classes.state}>{leftState(upload)}</p>
        {state === 'receiving' && (
          <>
            <Bar done={shareOf(received, bytes)} label={fileName} quiet />
            <p className={rows.facts}>
              <span>
                {formatBytes(received)} / {formatBytes(bytes)}
              </span>
              <span>{shareOf(received, bytes)}%</span>
            </p>
          </>
        )}
      </div>
      <div className={classes.tools}>
        {address !== null && state !== 'checking' && (
          <Tool label={state === 'refused' ? t('移除') : t('取消上传')} onClick={() => void cancel()}>
            <IconX size={20} aria-hidden />
          </Tool>
        )}
      </div>
    </li>
  );
}
