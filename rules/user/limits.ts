/** At most `most` events in any `within` milliseconds. */
interface Bound {
  readonly within: number;
  readonly most: number;
}
/** A limit allows what all of its bounds allow. */
export type Limit = readonly Bound[];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Limits of sign-in (decisions §7). A whole campus shares one address, and all of it may sign in in the minute before an
 * exam, so those by address only stop floods.
 */
export const limits = {
  /** Codes sent to one number. */
  smsByPhone: [
    { within: MINUTE, most: 1 },
    { within: HOUR, most: 5 },
    { within: DAY, most: 10 },
  ],
  smsByAddress: [
    { within: MINUTE, most: 600 },
    { within: HOUR, most: 5000 },
  ],
  /** Failed logins for one number, by password and by code counted apart: a stranger's guesses leave the code open. */
  loginByPhone: [{ within: HOUR, most: 10 }],
  codeLoginByPhone: [{ within: HOUR, most: 30 }],
  /** Failures, and logins that are being checked at this moment. */
  loginByAddress: [
    { within: MINUTE, most: 1000 },
    { within: HOUR, most: 5000 },
  ],
  /** Wrong proofs when a signed-in person changes phone or password. */
  proofByUser: [{ within: HOUR, most: 10 }],
  challengeByAddress: [
    { within: MINUTE, most: 3000 },
    { within: HOUR, most: 30_000 },
  ],
} as const satisfies Record<string, Limit>;

/** Past this many failed logins for one number within the hour, the next needs a slider ticket. */
export const FREE_FAILURES: Limit = [{ within: HOUR, most: 3 }];

/** Seconds until another code may be asked for, after one was sent. */
export const RESEND_AFTER = limits.smsByPhone[0].within / SECOND;

export type LimitCheck = { ok: true } | { ok: false; why: 'tooMany'; retryAfter: number };

/**
 * Whether one more event is within a limit that slides with time.
 * @param nthNewest for each bound the time of its `most`-th newest event so far, null if there are fewer
 * @returns `retryAfter`: milliseconds until the event would be allowed
 */
export function allowsOneMore(limit: Limit, nthNewest: readonly (number | null)[], now: number): LimitCheck {
  let retryAfter = 0;
  limit.forEach(({ within }, at) => {
    const time = nthNewest[at] ?? null;
    // An event exactly `within` ago no longer counts.
    if (time !== null && time > now - within) retryAfter = Math.max(retryAfter, time + within - now);
  });
  return retryAfter > 0 ? { ok: false, why: 'tooMany', retryAfter } : { ok: true };
}

/**
 * Whom a limit by address counts: an IPv4 address as it is (also when written as IPv6), an IPv6 address by its first
 * 64 bits, since one line gets at least that many.
 */
export function addressKey(ip: string): string {
  const plain = (ip.split('%')[0] ?? '').toLowerCase();
  const four = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (four) return four;
  const [head = '', tail = ''] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const missing = plain.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0;
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
