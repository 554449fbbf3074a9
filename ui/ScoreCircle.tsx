import { useEffect, useRef } from 'react';
import classes from './ScoreCircle.module.css';
import { t } from './words.ts';

const RADIUS = 74;
const ROUND = 2 * Math.PI * RADIUS;
/** Length of the animation from 0 to the percent, in milliseconds. */
const DURATION = 900;

type Level = 'excellent' | 'pass' | 'start';

function label(level: Level): string {
  return level === 'excellent' ? t('优秀') : level === 'pass' ? t('及格') : t('起步');
}

/**
 * A score in percent as a circle that fills from 0; it stands still for people who asked for less motion.
 * @param percent null: not shown yet
 * @param level the label that the caller's rule gives this percent; null: none yet
 * @param open said instead of a label while there is none, in the person's language
 */
export function ScoreCircle({
  percent,
  level,
  open = '',
}: {
  percent: number | null;
  level: Level | null;
  open?: string;
}) {
  const word = level === null ? open : label(level);
  const whole = Math.max(0, Math.min(100, percent ?? 0));
  const arc = useRef<SVGCircleElement>(null);
  const number = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const draw = (value: number) => {
      if (arc.current) {
        arc.current.style.strokeDashoffset = String(ROUND * (1 - value / 100));
        // A round line end would show as a dot at nothing.
        arc.current.style.opacity = value > 0 ? '1' : '0';
      }
      if (number.current) number.current.textContent = String(Math.round(value));
    };
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      draw(whole);
      return;
    }
    let frame = 0;
    const begun = performance.now();
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, now - begun) / DURATION);
      draw(whole * (1 - (1 - share) ** 3));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    draw(0);
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [whole]);
  return (
    <div
      className={classes.circle}
      data-level={level ?? undefined}
      role="img"
      aria-label={percent === null ? word : t('{percent}%，{label}', { percent: whole, label: word })}
    >
      <svg viewBox="0 0 168 168" aria-hidden="true">
        <circle className={classes.track} cx="84" cy="84" r={RADIUS} />
        <circle ref={arc} className={classes.arc} cx="84" cy="84" r={RADIUS} strokeDasharray={ROUND} />
      </svg>
      <div className={classes.middle} aria-hidden="true">
        {percent !== null && (
          <span className={classes.percent}>
            <span ref={number}>0</span>
            <small>%</small>
          </span>
        )}
        <span className={classes.label}>{word}</span>
      </div>
    </div>
  );
}
