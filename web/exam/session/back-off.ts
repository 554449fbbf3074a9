/** Milliseconds before the nth retry: doubles from one second to at most 30, spread by `jitter` (0 to 1). */
export function backOff(tries: number, jitter: number): number {
  return Math.round(Math.min(30_000, 1000 * 2 ** (tries - 1)) * (0.5 + jitter));
}
