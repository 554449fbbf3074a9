const DAY = 24 * 60 * 60 * 1000;
/** Carriers give a number to somebody else after some ninety days without a subscriber: before that it is the same person's. */
const UNUSED_FOR = 90 * DAY;

/**
 * Whether a code sent to a number is too little to sign in with, because the number may have changed hands meanwhile
 * (decisions §7): the account was used once, then not for 90 days, and the device is not one of its person's.
 * @param lastUsedAt epoch milliseconds; 0: nobody ever signed in, so nothing of anybody is there
 */
export function needsSecondFact({
  lastUsedAt,
  knownDevice,
  now,
}: {
  lastUsedAt: number;
  knownDevice: boolean;
  now: number;
}): boolean {
  return lastUsedAt > 0 && !knownDevice && now - lastUsedAt > UNUSED_FOR;
}
