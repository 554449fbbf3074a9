/** One reported position of the handle: permille of the track, and milliseconds since the drag began. */
export interface DragPoint {
  at: number;
  x: number;
}

/** Milliseconds a challenge may be answered in, and a ticket may be used in (decisions §7). */
export const CHALLENGE_LIFE = 2 * 60 * 1000;
export const TICKET_LIFE = 2 * 60 * 1000;

/** How far into the track the first reported position may be: two keyboard steps (ui/SliderCaptcha.tsx goes by a twentieth). */
const START = 100;
/** How far a hand may slip back from the furthest point it reached. */
const SLIP = 250;
/** Different positions a drag has at least: a script that only reports the end has one or two. */
const POSITIONS = 3;
/** No person sees the slider, takes it and drags it over in less. */
const SHORTEST = 300;
/** The browser's stopwatch may run ahead of ours by this much. */
const CLOCK_SLACK = 500;

type DragCheck = { ok: true } | { ok: false; why: 'captchaFailed' };

/**
 * Whether a drag went from the start of the track to its full width (product spec §5) as a person's would, by pointer or
 * by arrow keys: it starts near 0, never runs backwards in time, goes forward over several positions and ends at 1000.
 * How long it took is judged by the server's clock between challenge and proof; what the browser says can only be less.
 * @param elapsed milliseconds between handing out the challenge and the arrival of the proof, by the server's clock
 */
export function judgeDrag(track: readonly DragPoint[], elapsed: number): DragCheck {
  const failed: DragCheck = { ok: false, why: 'captchaFailed' };
  const first = track[0];
  const last = track.at(-1);
  if (!first || !last || first.x > START || last.x !== 1000) return failed;
  if (elapsed < SHORTEST || elapsed > CHALLENGE_LIFE || last.at > elapsed + CLOCK_SLACK) return failed;
  let time = 0;
  let furthest = 0;
  for (const { at, x } of track) {
    if (at < time || x < furthest - SLIP || x > 1000) return failed;
    time = at;
    furthest = Math.max(furthest, x);
  }
  return new Set(track.map(({ x }) => x)).size >= POSITIONS ? { ok: true } : failed;
}
