/** Counts the time in which it runs. */
interface Stopwatch {
  /** Whole seconds so far. */
  spent(): number;
  /** Lets it run, or stops it; it stands still at first. */
  run(on: boolean): void;
  /** So much was counted elsewhere: it goes on from there, where that is more. */
  atLeast(seconds: number): void;
}

/**
 * Makes the stopwatch of a record (docs/decisions/067-what-time-was-spent.md).
 * @param before seconds of earlier visits
 * @param now milliseconds of a clock that never goes back
 */
export function stopwatch(before: number, now: () => number): Stopwatch {
  let counted = before * 1000;
  let since: number | null = null;
  const sum = () => counted + (since === null ? 0 : now() - since);
  return {
    spent: () => Math.floor(sum() / 1000),
    run(on) {
      counted = sum();
      since = on ? now() : null;
    },
    atLeast(seconds) {
      if (seconds * 1000 <= sum()) return;
      counted = seconds * 1000;
      if (since !== null) since = now();
    },
  };
}
