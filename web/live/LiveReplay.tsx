import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Failure } from '#ui/player/engine.ts';
import { Player } from '#ui/player/Player.tsx';
import { useMe } from '#web/lib/me.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useGrant } from '#web/lib/useGrant.ts';
import classes from './LiveStage.module.css';

type Lesson = Data<'GET /app/live/room'>;

const failures: Readonly<Record<Failure, string>> = {
  decode: msg('回放播放失败，请重试'),
  network: msg('网络不稳定，回放没有加载出来，请重试'),
};

interface Props {
  lesson: Pick<Lesson, 'title' | 'packName' | 'replayFileId'>;
  /** Where it is, in seconds, some four times a second. */
  onPosition?: (seconds: number) => void;
}

/** The replay of a live lesson, by the player of course play. */
export function LiveReplay({ lesson: { title, packName, replayFileId }, onPosition }: Props) {
  const { me } = useMe();
  const { source, refusal, again } = useGrant(replayFileId);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [openings, setOpenings] = useState(0);
  const nowPlaying = useMemo(() => ({ title, album: packName }), [title, packName]);
  if (refusal !== null || failure !== null)
    return (
      <div className={classes.frame} role="alert">
        <p>{t(refusal?.msg ?? failures[failure ?? 'network'])}</p>
        <Button
          variant="default"
          onClick={() => {
            if (refusal !== null) again();
            setFailure(null);
            setOpenings((times) => times + 1);
          }}
        >
          {t('重试')}
        </Button>
      </div>
    );
  return (
    <Player
      key={openings}
      kind="video"
      source={source}
      duration={0}
      {...(me === null ? {} : { watermark: `${me.nickname} ${me.validPhoneExt}` })}
      nowPlaying={nowPlaying}
      onChange={({ position }) => onPosition?.(position)}
      onFailure={setFailure}
    />
  );
}
