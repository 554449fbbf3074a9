import { useState } from 'react';
import { t } from '../words.ts';
import classes from './SeekBar.module.css';
import { timeText } from './time-text.ts';

/** A small picture of the film from one second to another, as part of a larger one. */
export interface Thumbnail {
  from: number;
  to: number;
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Props {
  position: number;
  duration: number;
  loadedTo: number;
  thumbnails: readonly Thumbnail[];
  onSeek: (to: number) => void;
}

/** Where the film is, and the way to another place: a slider of the browser's own, so keys and screen readers know it. */
export function SeekBar({ position, duration, loadedTo, thumbnails, onSeek }: Props) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [pointed, setPointed] = useState<{ second: number; share: number } | null>(null);
  const most = Math.max(duration, 0.1);
  const shown = Math.min(dragged ?? position, most);
  const share = (second: number) => `${(Math.min(1, second / most) * 100).toFixed(3)}%`;
  const drop = () => {
    if (dragged !== null) onSeek(dragged);
    setDragged(null);
  };
  const picture = pointed && thumbnails.find(({ from, to }) => pointed.second >= from && pointed.second < to);
  return (
    <div
      className={classes.bar}
      onPointerMove={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        const at = Math.min(1, Math.max(0, (event.clientX - left) / width));
        setPointed({ second: at * most, share: at });
      }}
      onPointerLeave={() => setPointed(null)}
    >
      {pointed && duration > 0 && (
        <span className={classes.pointed} style={{ left: `${pointed.share * 100}%` }} aria-hidden>
          {picture && (
            <span
              className={classes.picture}
              style={{
                width: picture.width,
                height: picture.height,
                backgroundImage: `url("${picture.url}")`,
                backgroundPosition: `-${picture.x}px -${picture.y}px`,
              }}
            />
          )}
          {timeText(pointed.second)}
        </span>
      )}
      <span className={classes.rail} aria-hidden>
        <span className={classes.loaded} style={{ width: share(loadedTo) }} />
        <span className={classes.played} style={{ width: share(shown) }} />
      </span>
      <input
        type="range"
        className={classes.input}
        min={0}
        max={most}
        step={1}
        value={shown}
        disabled={duration <= 0}
        aria-label={t('播放进度')}
        aria-valuetext={t('{at}，共 {all}', { at: timeText(shown), all: timeText(duration) })}
        onChange={(event) => setDragged(Number(event.currentTarget.value))}
        onPointerUp={drop}
        onKeyUp={drop}
        onBlur={drop}
      />
    </div>
  );
}
