import { Button } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { Player } from '#ui/player/Player.tsx';
import type { Failure, Source } from '#ui/player/source.ts';
import type { PlaybackControls } from '#ui/player/usePlayback.ts';
import { useMe } from '#web/lib/me.ts';
import { usePlaySettings } from '#web/lib/play-settings.ts';
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
  const { source, refusal, again } = useGrant(replayFileId);
  const [failure, setFailure] = useState<Failure | null>(null);
  // Opened again, it goes on where it was.
  const [opening, setOpening] = useState({ times: 0, from: 0 });
  const at = useRef(0);
  if (refusal !== null || failure !== null)
    return (
      <div className={classes.frame} role="alert">
        <p>{t(refusal?.msg ?? failures[failure ?? 'network'])}</p>
        <Button
          variant="default"
          onClick={() => {
            if (refusal !== null) again();
            setFailure(null);
            setOpening(({ times }) => ({ times: times + 1, from: at.current }));
          }}
        >
          {t('重试')}
        </Button>
      </div>
    );
  return (
    <Opened
      key={opening.times}
      source={source}
      title={title}
      album={packName}
      startAt={opening.from}
      onPosition={(seconds) => {
        at.current = seconds;
        onPosition?.(seconds);
      }}
      onFailure={setFailure}
    />
  );
}

interface OpenedProps {
  source: Source;
  title: string;
  album: string;
  /** Seconds: where it begins. */
  startAt: number;
  onPosition: (seconds: number) => void;
  onFailure: (why: Failure) => void;
}

function Opened({ source, title, album, startAt, onPosition, onFailure }: OpenedProps) {
  const { me } = useMe();
  const controls = useRef<PlaybackControls>(null);
  const { settings, follow } = usePlaySettings(controls);
  const nowPlaying = useMemo(() => ({ title, album }), [title, album]);
  return (
    <Player
      kind="video"
      source={source}
      duration={0}
      startAt={startAt}
      rate={settings.rate}
      volume={settings.volume}
      {...(me === null ? {} : { watermark: `${me.nickname} ${me.validPhoneExt}` })}
      nowPlaying={nowPlaying}
      onChange={(state) => {
        follow(state);
        onPosition(state.position);
      }}
      onFailure={onFailure}
      controls={controls}
    />
  );
}
