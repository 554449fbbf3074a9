/** The largest sum that is read: ten million yuan, in fen. */
const MOST = 1_000_000_000;

/**
 * Yuan as a text (`199`, `199.9`, `199.00`), exactly, as an integer number of fen; null when it is none. Nothing is ever
 * multiplied: 19.9 × 100 is 1989.9999999999998 (decisions §2 "Money").
 */
export function fenFrom(text: string): number | null {
  const found = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text);
  if (!found) return null;
  const fen = Number(`${found[1]}${(found[2] ?? '').padEnd(2, '0')}`);
  return fen <= MOST ? fen : null;
}

/** Fen as yuan with two digits behind the point, as providers write sums: 19990 is `199.90`. */
export function yuanOf(fen: number): string {
  const digits = String(fen).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** So many hundredths of a sum of fen, rounded down to a whole fen. */
export function hundredthsOf(fen: number, hundredths: number): number {
  const product = fen * hundredths;
  return (product - (product % 100)) / 100;
}
