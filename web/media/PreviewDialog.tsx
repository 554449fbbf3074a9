import { Modal } from '@mantine/core';
import '#ui/dialog.css';
import { IconVolume } from '@tabler/icons-react';
import { useState } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { FailedState } from '#ui/FailedState.tsx';
import { useRefocus } from '#ui/focus.ts';
import { LoadingState } from '#ui/LoadingState.tsx';
import { Player } from '#ui/player/Player.tsx';
import { retryHelps } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useGrant } from '#web/lib/useGrant.ts';
import type { TaughtMedia } from './MediaList.tsx';

/** Plays a media as students will see it, from a second on. Nothing is counted. */
export function PreviewDialog({
  media,
  startAt,
  onClose,
}: {
  media: TaughtMedia;
  startAt: number;
  onClose: () => void;
}) {
  useRefocus();
  const [tries, setTries] = useState(0);
  return (
    <Modal opened onClose={onClose} size={820} title={media.title} closeButtonProps={{ 'aria-label': t('关闭') }}>
      <Preview key={tries} media={media} startAt={startAt} onRetry={() => setTries(tries + 1)} />
    </Modal>
  );
}

function Preview({ media, startAt, onRetry }: { media: TaughtMedia; startAt: number; onRetry: () => void }) {
  const { source, refusal } = useGrant(media.mediaId);
  const [failed, setFailed] = useState(false);
  if (refusal) return <FailedState text={t(refusal.msg)} onRetry={retryHelps(refusal) ? onRetry : undefined} />;
  if (failed) return <FailedState text={t('播放不了，请检查网络后重试，或重新转换这个文件')} onRetry={onRetry} />;
  if (media.kind === null) return <LoadingState skeleton={<RowBones count={1} height={320} />} />;
  return (
    <Player
      kind={media.kind}
      source={source}
      duration={media.duration}
      startAt={startAt < media.duration ? startAt : 0}
      art={<IconVolume size={64} stroke={1.2} aria-hidden />}
      nowPlaying={{ title: media.title, album: t('预览') }}
      onFailure={() => setFailed(true)}
    />
  );
}
