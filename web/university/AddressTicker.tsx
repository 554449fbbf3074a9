import { ActionIcon } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMapPin, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '#web/lib/t.ts';
import classes from './AddressTicker.module.css';
import { moves, TICK, ticked } from './ticker-state.ts';

/** Addresses are read by few: more would only make the round longer. */
const MOST = 40;

interface Props {
  universities: readonly { id: number; name: string; schoolLocation: string }[];
}

/**
 * Addresses of the universities that are shown, moving by (spec §2). It scrolls a box that a person can scroll too, stands
 * still under the pointer and the focus, can be paused, and does not move for people who want no motion.
 */
export function AddressTicker({ universities }: Props) {
  const known = universities.filter(({ schoolLocation }) => schoolLocation !== '').slice(0, MOST);
  const box = useRef<HTMLElement>(null);
  const round = useRef<HTMLUListElement>(null);
  const [over, setOver] = useState(false);
  const [focus, setFocus] = useState(false);
  const [paused, setPaused] = useState(false);
  const calm = useMediaQuery('(prefers-reduced-motion: reduce)', false, { getInitialValueInEffect: false });
  const going = moves({ over, focus, paused, calm, hidden: false });
  useEffect(() => {
    if (!going) return;
    // Remembered with its fraction: on some screens a scroll position is rounded to device pixels.
    let left = box.current?.scrollLeft ?? 0;
    const timer = setInterval(() => {
      const [outer, first] = [box.current, round.current];
      if (outer === null || first === null || document.hidden || first.scrollWidth <= outer.clientWidth) return;
      if (Math.abs(outer.scrollLeft - left) > 2) left = outer.scrollLeft;
      left = ticked(left, first.offsetWidth);
      outer.scrollLeft = left;
    }, TICK);
    return () => clearInterval(timer);
  }, [going]);
  if (known.length === 0) return null;
  const lines = known.map(({ id, name, schoolLocation }) => (
    <li key={id}>
      <span className={classes.name}>{name}</span>
      {schoolLocation}
    </li>
  ));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only makes it stand still; the button does so for everybody
    <div
      className={classes.ticker}
      onPointerEnter={(event) => event.pointerType !== 'touch' && setOver(true)}
      onPointerLeave={() => setOver(false)}
      // A pressed button keeps the focus unseen; only a visible focus means somebody reads here.
      onFocus={(event) => setFocus(event.target.matches(':focus-visible'))}
      onBlur={() => setFocus(false)}
    >
      <IconMapPin size={16} className={classes.pin} aria-hidden />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section ref={box} className={classes.box} aria-label={t('院校地址')} tabIndex={0} data-going={going}>
        <ul ref={round} className={classes.round} lang="zh-CN">
          {lines}
        </ul>
        {!calm && (
          <ul className={classes.round} lang="zh-CN" aria-hidden>
            {lines}
          </ul>
        )}
      </section>
      {!calm && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={paused ? t('继续滚动') : t('暂停滚动')}
          onClick={() => setPaused(!paused)}
        >
          {paused ? <IconPlayerPlay size={15} aria-hidden /> : <IconPlayerPause size={15} aria-hidden />}
        </ActionIcon>
      )}
    </div>
  );
}
