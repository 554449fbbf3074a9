import { Button } from '@mantine/core';
import { IconMovie, IconPhoto, IconVolume } from '@tabler/icons-react';
import { clockText } from '#rules/play/clock-text.ts';
import { confirm } from '#ui/confirm.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatBytes, formatMoment } from '#web/lib/format.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './MediaList.module.css';

const LIST = 'GET /app/media/list';
export type TaughtMedia = Data<typeof LIST>['list'][number];

interface Props {
  list: readonly TaughtMedia[];
  onPreview: (media: TaughtMedia) => void;
  onAttach: (media: TaughtMedia) => void;
}

/** Videos and sounds under each other, with what stands of each. */
export function MediaList({ list, onPreview, onAttach }: Props) {
  return (
    <ul className={rows.rows}>
      {list.map((media) => (
        <MediaRow
          key={media.mediaId}
          media={media}
          onPreview={() => onPreview(media)}
          onAttach={() => onAttach(media)}
        />
      ))}
    </ul>
  );
}

/** What stands of it, in a word, and how that looks. */
function stateOf({ state, percent, qualities, reason }: TaughtMedia): { word: string; look: string } {
  if (percent !== null) return { word: t('转换中 {n}%', { n: percent }), look: 'waiting' };
  if (state === 'waiting') return { word: t('等待转换'), look: 'waiting' };
  if (state === 'failed') return { word: t('转换失败'), look: 'failed' };
  if (reason !== '') return { word: t('可播放，重新转换失败'), look: 'waiting' };
  const all = qualities.map((side) => `${side}p`).join(' ');
  return { word: all === '' ? t('可播放') : t('可播放 {qualities}', { qualities: all }), look: 'ready' };
}

function MediaRow({ media, onPreview, onAttach }: { media: TaughtMedia; onPreview: () => void; onAttach: () => void }) {
  const { mediaId, title, state, kind, duration, bytes, reason, broughtBy, createdAt, lessons, replayOf } = media;
  const retry = useSend('POST /app/media/retry', { renews: [LIST] });
  const remove = useSend('POST /app/media/delete', { renews: [LIST] });
  const tell = (error: unknown) => {
    if (error instanceof CallError) toast(t(error.msg), 'bad');
  };
  const { word, look } = stateOf(media);
  const Icon = kind === 'audio' ? IconVolume : kind === 'video' ? IconMovie : IconPhoto;
  const playable = state === 'ready';
  const askRetry = async () => {
    const sure =
      !playable ||
      (await confirm({
        title: t('重新转换？'),
        text: t('转换需要几分钟到几小时，期间照常播放现在的版本。'),
        yes: t('重新转换'),
      }));
    if (sure) await retry.mutateAsync({ mediaId }).catch(tell);
  };
  const askRemove = async () => {
    const sure = await confirm({
      title: t('删除这个文件？'),
      text:
        replayOf.length === 0
          ? t('“{name}”和转换好的各个清晰度都会删除，不能恢复。', { name: title })
          : t('它是直播“{lives}”的回放：删除后学员不能再看这场回放，也不能恢复。', {
              lives: [...new Set(replayOf)].join('”“'),
            }),
      yes: t('删除'),
      danger: true,
    });
    if (!sure) return;
    await remove.mutateAsync({ mediaId }).then(() => toast(t('已删除'), 'good'), tell);
  };
  return (
    <li className={classes.media}>
      <Icon size={24} stroke={1.5} className={classes.kind} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        <p className={classes.state} data-look={look}>
          {word}
        </p>
        {reason !== '' && <p className={classes.reason}>{t(reason)}</p>}
        <p className={rows.facts}>
          {duration > 0 && <span>{clockText(duration)}</span>}
          <span>{formatBytes(bytes)}</span>
          <span>
            {broughtBy === '' ? t('由管理员导入') : broughtBy} · {formatMoment(createdAt, serverNow())}
          </span>
        </p>
        <ul className={classes.lessons} aria-label={t('使用它的课时')}>
          {lessons.map((lesson) => (
            <li key={`${lesson.firstVideoId} ${lesson.use}`}>
              {lesson.packName} · {lesson.courseName} · {lesson.firstVideoName}
              {lesson.use === 'waits' && <span className={classes.waits}>{t('转换好后启用')}</span>}
              {lesson.use === 'pack' && <span className={classes.waits}>{t('课程包自带，现由老师换成了别的')}</span>}
            </li>
          ))}
          {[...new Set(replayOf)].map((live) => (
            <li key={`replay ${live}`}>{t('直播“{live}”的回放', { live })}</li>
          ))}
          {lessons.length + replayOf.length === 0 && <li>{t('还没有课时使用它')}</li>}
        </ul>
        <div className={classes.tools}>
          {playable && (
            <Button variant="default" onClick={onPreview}>
              {t('预览')}
            </Button>
          )}
          {state !== 'failed' && (
            <Button variant="default" onClick={onAttach}>
              {t('用于课时')}
            </Button>
          )}
          {media.percent === null && state !== 'waiting' && (
            <WaitButton variant="default" waiting={retry.isPending} onClick={() => void askRetry()}>
              {t('重新转换')}
            </WaitButton>
          )}
          {lessons.length === 0 && (
            <WaitButton variant="default" waiting={remove.isPending} onClick={() => void askRemove()}>
              {t('删除')}
            </WaitButton>
          )}
        </div>
      </div>
    </li>
  );
}
