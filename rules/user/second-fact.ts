const DAY = 24 * 60 * 60 * 1000;
/** Carriers give a number to somebody else after some ninety days without a subscriber: before that it is the same person's. */
const UNPROVEN_FOR = 90 * DAY;

/**
 * Whether a code sent to a number is too little to sign in with, because the number may have changed hands meanwhile
 * (decisions §7, decision 048): the account was used once, the device is not one of its person's, and nobody has proven the number by a
 * code for 90 days. That the account is in use proves nothing of its number: its person may be signed in since long before.
 * @param lastUsedAt epoch milliseconds; 0: nobody ever signed in, so nothing of anybody is there
 * @param provenAt when a code to the number was last entered; null: never, so that the account's own age counts
 */
export function needsSecondFact({
  lastUsedAt,
  provenAt,
  createdAt,
  knownDevice,
  now,
}: {
  lastUsedAt: number;
  provenAt: number | null;
  createdAt: number;
  knownDevice: boolean;
  now: number;
}): boolean {
  if (lastUsedAt === 0 || knownDevice) return false;
  return now - (provenAt ?? createdAt) > UNPROVEN_FOR;
}
