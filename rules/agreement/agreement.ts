import { ADULT_ENOUGH } from '#contract/values/agreement.ts';

/** China keeps one time, eight hours ahead of UTC. */
const CHINA = 8 * 60 * 60 * 1000;

/** The age on this day in China of somebody born on a day (YYYY-MM-DD): the birthday itself counts (Civil Code, art. 1259). */
export function ageOn(birth: string, now: number): number {
  const today = new Date(now + CHINA).toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

/**
 * Whether somebody is under 14. The identity number knows; where none was given, what they said themselves.
 * @param birth YYYY-MM-DD; null: no number was given
 */
export function isMinor({ birth, declared, now }: { birth: string | null; declared: boolean; now: number }): boolean {
  return birth === null ? declared : ageOn(birth, now) < ADULT_ENOUGH;
}

/** What somebody lacks before anything may be bought or joined (decisions §7). */
export function lacks({
  outstanding,
  minor,
  guardian,
}: {
  /** Documents in force that they have not agreed to. */
  outstanding: number;
  minor: boolean;
  /** A guardian has consented to the texts in force. */
  guardian: boolean;
}): 'agreementNeeded' | 'guardianNeeded' | null {
  if (outstanding > 0) return 'agreementNeeded';
  return minor && !guardian ? 'guardianNeeded' : null;
}
