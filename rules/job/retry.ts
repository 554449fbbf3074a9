/** Milliseconds without a word after which a process no longer holds its job. It says something every `HEARTBEAT_EVERY`. */
export const LEASE = 30_000;
export const HEARTBEAT_EVERY = 5000;

const FIRST_WAIT = 10_000;
const LONGEST_WAIT = 60 * 60_000;

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

/** Whether a process that last said something at this time has lost its job. */
export function isAbandoned(heartbeatAt: number | null, now: number): boolean {
  return heartbeatAt === null || now - heartbeatAt > LEASE;
}
