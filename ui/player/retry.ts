import type { Failure } from './source.ts';

/** How often what failed is tried again before it is said, and the wait before each try, in milliseconds. */
const WAITS = [1000, 2000, 4000] as const;
/** Seconds that lie ready and still play: nothing is missing yet. */
const PLAYS_ON = 1;
/** Milliseconds between tries while it plays on. */
const MEANWHILE = 4000;

/** How a film stands when a part of it did not come. */
export interface Standing {
  /** Tries so far that failed, since the last part that came. */
  failures: number;
  why: Failure;
  /** Seconds that are loaded ahead of the position. */
  ahead: number;
  paused: boolean;
}

/**
 * What follows a part that did not come. While there is film to play, a network that is away has interrupted nobody: a server that starts
 * again within those seconds goes unnoticed.
 * @returns milliseconds until it is tried again; `wanted`: once somebody plays or jumps, nobody waits for it before; null: it has failed
 */
export function waitAfterFailure({ failures, why, ahead, paused }: Standing): number | 'wanted' | null {
  const wait = WAITS[failures];
  if (wait !== undefined) return wait;
  if (why !== 'network' || ahead < PLAYS_ON) return null;
  return paused ? 'wanted' : MEANWHILE;
}
