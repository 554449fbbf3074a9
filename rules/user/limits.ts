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
 * Limits of sign-in (decisions §7). A whole campus shares one address: a full limit of an address asks for a ticket and
 * refuses nobody (`signInLane`); those by number hold strangers only, so that nobody is locked out by them.
 */
export const limits = {
  /** Codes sent to one number. */
  smsByPhone: [
    { within: MINUTE, most: 1 },
    { within: HOUR, most: 5 },
    { within: DAY, most: 10 },
  ],
  /** Of these, to devices that the number's person never signed in on: the rest is kept for the person. */
  smsByStrangers: [
    { within: HOUR, most: 4 },
    { within: DAY, most: 8 },
  ],
  /** Wrong passwords for one number from devices that its person never signed in on, each with a ticket past the third. */
  passwordByStrangers: [
    { within: HOUR, most: 30 },
    { within: DAY, most: 100 },
  ],
  /** Failed logins on a device that the person knows; past them it counts as any other. */
  loginByDevice: [{ within: HOUR, most: 10 }],
  /** Failures from one address, and logins that are being checked at this moment: past them each needs a ticket. */
  loginByAddress: [
    { within: MINUTE, most: 100 },
    { within: HOUR, most: 1000 },
  ],
  /** Wrong proofs when a signed-in person changes phone or password. */
  proofByUser: [{ within: HOUR, most: 10 }],
  /** Facts tried at an account whose number may have changed hands, by whoever has the number now. */
  secondFact: [
    { within: HOUR, most: 5 },
    { within: DAY, most: 10 },
  ],
  /** Identity numbers that one person tries to give as their own: each answer says whether it is known here. */
  identityByUser: [{ within: DAY, most: 3 }],
  /** Copies of one's data. */
  exportsByUser: [{ within: DAY, most: 3 }],
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

/** Tries at a code (decisions §7): of whoever asked for it, and of all others together. */
export const OWN_TRIES = 5;
export const OTHER_TRIES = 3;
/** The last tries at the own code need a ticket: more than three failed sign-ins do. */
const TICKETED_TRIES = OWN_TRIES - 3;

/** What is known of somebody who wants to sign in. */
export interface SignInAttempt {
  /** Tries left at the code that this very browser asked for; null: it asked for none, or signs in by password. */
  ownTries: number | null;
  /** The person signed in on this device before, and it has not failed too often within the hour. */
  knownDevice: boolean;
}

/**
 * By which budget a sign-in is counted, so that no stranger can use up a person's (decisions §7).
 * `code`: by the tries at the code that this browser asked for; neither number nor address matter, for the code was paid
 * for with a ticket · `device`: by the failures of this device · `stranger`: by those at the number and from the address.
 *
 * What a stranger can guess at most: at a code of 6 digits that somebody else asked for, 3 tries of all strangers
 * together; at one that they had sent themselves, 5. Strangers get at most 8 codes a day sent to a number, so 8 × (5 + 3) tries,
 * and 3 at each of the 2 codes kept for the person: 70 in a million, 0.007 % a day for one number, each code costing them
 * a ticket and an SMS that its owner sees. Of passwords 100 a day.
 */
export function signInLane({ ownTries, knownDevice }: SignInAttempt): {
  lane: 'code' | 'device' | 'stranger';
  /** A ticket is needed whatever was counted. */
  ticket: boolean;
} {
  if (ownTries !== null && ownTries > 0) return { lane: 'code', ticket: ownTries <= TICKETED_TRIES };
  return { lane: knownDevice ? 'device' : 'stranger', ticket: false };
}

/** Codes an hour that the operator foresees: of the whole school, and of one address before it has to prove more. */
export interface SmsBudget {
  perHour: number;
  perAddressHour: number;
}

/** Of the school's codes an hour, the share that devices which nobody signed in on before may use. */
const STRANGERS_SHARE = 0.8;
/** From this share of the school's codes on the operator is told. */
export const ALARM_SHARE = 0.5;

/** How many codes the whole school may have had within the hour for one more to be sent. */
export function smsBySchool({ perHour }: SmsBudget, knownDevice: boolean): Limit {
  return [{ within: HOUR, most: knownDevice ? perHour : Math.ceil(perHour * STRANGERS_SHARE) }];
}
