/** Milliseconds without a word after which a process no longer holds its job. It says something every `HEARTBEAT_EVERY`. */
export const LEASE = 30_000;
export const HEARTBEAT_EVERY = 5000;

const FIRST_WAIT = 10_000;
/** The longest that any job waits for its time (milliseconds). */
export const LONGEST_WAIT = 60 * 60_000;

/** How long a job that went wrong waits before it is begun again (milliseconds): four times as long after each attempt. */
export function waitAfter(attempts: number): number {
  return Math.min(FIRST_WAIT * 4 ** Math.max(attempts - 1, 0), LONGEST_WAIT);
}

/** What becomes of a job that went wrong: it is begun again at some time, or has failed for good. */
export function afterFailure(
  { attempts, most }: { attempts: number; most: number },
  now: number,
): { again: true; at: number } | { again: false } {
  return attempts < most ? { again: true, at: now + waitAfter(attempts) } : { again: false };
}

/** For so long a job waits for what lies outside of it, as a store of files that is away (milliseconds). */
const WAITS_FOR = 3 * 24 * 60 * 60_000;
const LONGEST_LOOK = 15 * 60_000;

/**
 * When a job is begun again that met something outside of it, which is no attempt: after as long as it has waited already, within bounds. An outage of
 * a night needs nobody in the morning.
 * @param since when it first met it
 * @returns null: it has waited for days, and such an attempt counts like any other
 */
export function againAfterOutage(since: number, now: number): number | null {
  const waited = now - since;
  if (waited > WAITS_FOR) return null;
  return now + Math.min(Math.max(waited, FIRST_WAIT), LONGEST_LOOK);
}

/**
 * Whether a process that last said something at this time has lost its job. A time that lies ahead is of before the clock was set back: who
 * lives says another one soon, so what counts is for how long it has stood.
 * @param looks how often that same time was found before, at looks that are `HEARTBEAT_EVERY` apart
 */
export function isAbandoned(heartbeatAt: number | null, now: number, looks: number): boolean {
  if (heartbeatAt === null || now - heartbeatAt > LEASE) return true;
  return heartbeatAt > now && looks * HEARTBEAT_EVERY > LEASE;
}
