import { ADULT_ENOUGH } from '#contract/values/agreement.ts';
import { chinaTime } from '#rules/clock/china-day.ts';

/**
 * The day on which somebody born on a day (both YYYY-MM-DD) turns 14, while it lies ahead in China: the birthday itself counts (Civil
 * Code, art. 1259). Null: they have; nothing has to be kept of the day then.
 */
export function fourteenOn(birth: string, now: number): string | null {
  const day = `${Number(birth.slice(0, 4)) + ADULT_ENOUGH}${birth.slice(4)}`;
  return chinaTime(now).slice(0, 10) < day ? day : null;
}

/**
 * Whether somebody is under 14. The identity number knows; where none was given, what they said themselves.
 * @param identity with the day of turning 14 (YYYY-MM-DD), null: they have; null: no number was given
 */
export function isMinor({
  identity,
  declared,
  now,
}: {
  identity: { fourteenOn: string | null } | null;
  declared: boolean;
  now: number;
}): boolean {
  if (identity === null) return declared;
  return identity.fourteenOn !== null && chinaTime(now).slice(0, 10) < identity.fourteenOn;
}

/**
 * Whether an identity number may be given that says its person is 14 or older: numbers are checked for their form alone, so that one made
 * up would free a child who said that they are none of a guardian's consent.
 */
export function mayTurnGrown({ minor, guardian }: { minor: boolean; guardian: boolean }): boolean {
  return !minor || guardian;
}

/** What somebody lacks before anything may be bought or joined (decisions §7). */
export function lacks({
  closing,
  outstanding,
  minor,
  guardian,
}: {
  /** The account is to be closed, as its person asked. */
  closing: boolean;
  /** Documents in force that they have not agreed to. */
  outstanding: number;
  minor: boolean;
  /** A guardian has consented to the texts in force. */
  guardian: boolean;
}): 'accountClosing' | 'agreementNeeded' | 'guardianNeeded' | null {
  if (closing) return 'accountClosing';
  if (outstanding > 0) return 'agreementNeeded';
  return minor && !guardian ? 'guardianNeeded' : null;
}
