/** The address ticker moves 1 px every 100 ms (spec §2, §9). */
export const TICK = 100;
export const STEP = 1;

/** Where the ticker stands after one tick; past the end of its first round it goes on at the beginning, unseen. */
export function ticked(left: number, round: number): number {
  const next = left + STEP;
  return round > 0 && next >= round ? next - round : next;
}

/** Whether it moves: never under the pointer or the focus, nor when the person paused it or wants no motion. */
export function moves(now: {
  over: boolean;
  focus: boolean;
  paused: boolean;
  calm: boolean;
  hidden: boolean;
}): boolean {
  return !now.over && !now.focus && !now.paused && !now.calm && !now.hidden;
}
