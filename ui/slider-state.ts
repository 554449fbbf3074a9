/**
 * The drag slider (spec §2, §4): idle → dragging → proving → done. Done is final. Letting go before the far right goes
 * back to the start. Positions are permille of the track, times milliseconds since the drag began.
 */
export interface Step {
  readonly at: number;
  readonly x: number;
}
interface SliderState {
  readonly phase: 'idle' | 'dragging' | 'proving' | 'done';
  readonly x: number;
  readonly track: readonly Step[];
  /** The clock when the drag began. */
  readonly began: number;
  /** The server did not believe the last drag. */
  readonly refused: boolean;
}
export type SliderEvent =
  | { type: 'grab'; now: number }
  | { type: 'move'; x: number; now: number }
  | { type: 'nudge'; by: number; now: number }
  | { type: 'release' }
  | { type: 'believed' }
  | { type: 'refused' };

export const farRight = 1000;
/** The contract takes at most 500 steps; a slow drag keeps its newest position and thins out the rest. */
const mostSteps = 400;

export const sliderAtStart: SliderState = { phase: 'idle', x: 0, track: [], began: 0, refused: false };

/** What the slider becomes. In `proving` the caller sends `track` and answers with `believed` or `refused`. */
export function sliderNext(state: SliderState, event: SliderEvent): SliderState {
  switch (event.type) {
    case 'grab':
      if (state.phase !== 'idle') return state;
      return { phase: 'dragging', x: 0, track: [{ at: 0, x: 0 }], began: event.now, refused: false };
    case 'move':
      return state.phase === 'dragging' ? moved(state, event.x, event.now) : state;
    case 'nudge': {
      const from = state.phase === 'idle' ? sliderNext(state, { type: 'grab', now: event.now }) : state;
      return from.phase === 'dragging' ? moved(from, from.x + event.by, event.now) : state;
    }
    case 'release':
      return state.phase === 'dragging' ? { ...sliderAtStart, refused: state.refused } : state;
    case 'believed':
      return state.phase === 'proving' ? { ...state, phase: 'done' } : state;
    case 'refused':
      return state.phase === 'proving' ? { ...sliderAtStart, refused: true } : state;
  }
}

function moved(state: SliderState, to: number, now: number): SliderState {
  const x = Math.round(Math.min(farRight, Math.max(0, to)));
  const at = Math.max(0, Math.round(now - state.began));
  const thinned =
    state.track.length < mostSteps ? state.track : state.track.filter((_, index) => index === 0 || index % 2 === 1);
  return { ...state, x, track: [...thinned, { at, x }], phase: x >= farRight ? 'proving' : 'dragging' };
}
