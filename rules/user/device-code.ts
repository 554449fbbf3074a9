/** Milliseconds for which a code is the newest of its account; it is taken as long again, so that it can be typed. */
const TURN = 10 * 60_000;
const DIGITS = 8;

/** The turns whose codes are taken now, the newest first. */
export function deviceCodeTurns(now: number): { newest: number; taken: readonly number[]; until: number } {
  const newest = Math.floor(now / TURN);
  return { newest, taken: [newest, newest - 1], until: (newest + 2) * TURN };
}

/** Digits out of a signature. @param signed the first bytes of it as a number */
export function digitsOf(signed: bigint): string {
  return String(signed % 10n ** BigInt(DIGITS)).padStart(DIGITS, '0');
}

/** A code as it was typed: its digits, however they were set apart. */
export function readDeviceCode(typed: string): string {
  return typed.normalize('NFKC').replaceAll(/[\s-]/g, '');
}
