import { Loader } from '@mantine/core';
import { IconCheck, IconChevronsRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useReducer, useRef } from 'react';
import classes from './SliderCaptcha.module.css';
import { farRight, type Step, sliderAtStart, sliderNext } from './slider-state.ts';
import { t } from './words.ts';

interface Props {
  /** Proves the finished drag to the server. Resolves to whether it was believed; a refusal goes back to the start. */
  prove: (track: Step[]) => Promise<boolean>;
  onDone: () => void;
  /** Said instead of the prompt when the drag was refused; already in the person's language. */
  refusedText?: string;
  /** The keyboard comes to it once it is there: in a dialog that is about nothing else. */
  takesFocus?: boolean;
}

/** One press of an arrow key, in permille of the track. */
const keyStep = 50;

/**
 * 请按住滑块，拖动到最右边: by mouse, finger, pen, or with the arrow keys. Listeners on the page exist only during a drag,
 * and none are left after success (spec §4).
 */
export function SliderCaptcha({ prove, onDone, refusedText, takesFocus = false }: Props) {
  const [state, dispatch] = useReducer(sliderNext, sliderAtStart);
  const rail = useRef<HTMLDivElement>(null);
  const grip = useRef<HTMLDivElement>(null);
  const grabbedAt = useRef(0);
  const { phase, track } = state;

  const send = useEffectEvent(async () => {
    let believed = false;
    try {
      believed = await prove([...track]);
    } catch {
      // The caller has said what failed; the slider only starts again.
    }
    dispatch({ type: believed ? 'believed' : 'refused' });
    if (believed) onDone();
  });
  useEffect(() => {
    if (phase === 'proving') void send();
  }, [phase]);

  useEffect(() => {
    if (phase !== 'dragging') return;
    const move = (event: PointerEvent) => {
      const room = (rail.current?.clientWidth ?? 0) - (grip.current?.offsetWidth ?? 0);
      if (room <= 0 || grabbedAt.current === 0) return;
      dispatch({ type: 'move', x: ((event.clientX - grabbedAt.current) / room) * farRight, now: performance.now() });
    };
    const release = () => dispatch({ type: 'release' });
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
    };
  }, [phase]);

  useEffect(() => {
    if (takesFocus) grip.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: keyStep, ArrowUp: keyStep, ArrowLeft: -keyStep, ArrowDown: -keyStep }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    grabbedAt.current = 0;
    dispatch({ type: 'nudge', by, now: performance.now() });
  };

  const done = phase === 'done';
  const share = state.x / farRight;
  const prompt = state.refused && refusedText !== undefined ? refusedText : t('请按住滑块，拖动到最右边');
  return (
    <div className={classes.rail} ref={rail} data-phase={phase} data-refused={state.refused || undefined}>
      <div className={classes.filled} style={{ width: `calc(var(--grip) + (100% - var(--grip)) * ${share})` }} />
      <span className={classes.prompt} aria-hidden>
        {done ? t('验证成功') : phase === 'proving' ? '' : prompt}
      </span>
      <span className="unseen" role="status">
        {done ? t('验证成功') : state.refused ? prompt : ''}
      </span>
      <div
        ref={grip}
        className={classes.grip}
        role="slider"
        tabIndex={0}
        aria-label={t('请按住滑块，拖动到最右边')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={done ? t('验证成功') : `${Math.round(share * 100)}%`}
        aria-disabled={done || undefined}
        style={{ left: `calc((100% - var(--grip)) * ${share})` }}
        onKeyDown={done ? undefined : onKeyDown}
        onBlur={() => dispatch({ type: 'release' })}
        onPointerDown={
          done
            ? undefined
            : (event) => {
                if (event.button !== 0) return;
                grabbedAt.current = event.clientX;
                dispatch({ type: 'grab', now: performance.now() });
              }
        }
      >
        {phase === 'proving' ? (
          <Loader size={18} />
        ) : done ? (
          <IconCheck size={20} aria-hidden />
        ) : (
          <IconChevronsRight size={20} aria-hidden />
        )}
      </div>
    </div>
  );
}
