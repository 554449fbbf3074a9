const DAY = 24 * 60 * 60 * 1000;
/** Carriers give a number to somebody else after some ninety days without a subscriber: before that it is the same person's. */
const UNUSED_FOR = 90 * DAY;

/**
 * Whether a code sent to a number is too little to sign in with, because the number may have changed hands meanwhile
 * (decisions §7, decision 048): the account was used once, and the device is not one of its person's. Who has a fact (a password, an
 * identity) is asked for it 90 days after the number was last proven by a code: signing in by password proves nothing of the number. Who
 * has none could not answer, and is taken for the number's holder while the account is in use.
 * @param lastUsedAt epoch milliseconds; 0: nobody ever signed in, so nothing of anybody is there
 * @param provenAt when a code to the number was last entered; null: never, so that the account's own age counts
 */
export function needsSecondFact({
  lastUsedAt,
  provenAt,
  createdAt,
  hasFact,
  knownDevice,
  now,
}: {
  lastUsedAt: number;
  provenAt: number | null;
  createdAt: number;
  hasFact: boolean;
  knownDevice: boolean;
  now: number;
}): boolean {
  if (lastUsedAt === 0 || knownDevice) return false;
  return now - (hasFact ? (provenAt ?? createdAt) : lastUsedAt) > UNUSED_FOR;
}
