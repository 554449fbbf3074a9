/** Where on this many events a cost begins: `[from, bits]`, ascending. */
type Steps = readonly (readonly [from: number, bits: number])[];

/** What is known of a number, of an address and of the school's SMS when somebody asks for a challenge. */
export interface Pressure {
  /** Failed sign-ins at the number by strangers, and codes sent to it, within the hour. */
  number: number;
  /** Failed sign-ins from the address within the hour. */
  failures: number;
  /** Tickets earned from the address within the last minute. */
  tickets: number;
  /** Codes sent from the address within the hour, as a share of what is foreseen for one. */
  sent: number;
}

/** Nothing happened: what everybody pays, some milliseconds that nobody sees. */
export const EASIEST = 12;
/** About two million hashes: seconds in a browser. More would keep people out, and programs pay it all the same. */
export const HARDEST = 21;

/** A campus of thousands signs in from one address in the minutes before an exam: it stays below what takes a second. */
const steps = {
  number: [
    [4, 14],
    [8, 16],
    [15, 18],
    [30, 20],
    [60, HARDEST],
  ],
  failures: [
    [50, 14],
    [200, 16],
    [500, 18],
    [1000, 19],
    [3000, 20],
  ],
  tickets: [
    [60, 14],
    [200, 15],
    [600, 17],
    [2000, 19],
  ],
  sent: [
    [0.1, 14],
    [0.25, 16],
    [0.5, 18],
    [1, HARDEST],
  ],
} as const satisfies Record<keyof Pressure, Steps>;

/** How many leading zero bits the proof of work behind a slider needs: the most that any of its reasons asks for. */
export function workBits(pressure: Pressure): number {
  const asked = (Object.keys(steps) as (keyof Pressure)[]).map((reason) => bitsAt(steps[reason], pressure[reason]));
  return Math.max(EASIEST, ...asked);
}

function bitsAt(of: Steps, count: number): number {
  return of.reduce((bits, [from, asked]) => (count >= from ? asked : bits), 0);
}

/** What is hashed (SHA-256) in the search for a number: seed and number in one block, so that the costs are alike. */
export function workText(seed: string, number: number): string {
  return `${seed}:${number}`;
}

/** Whether a hash begins with so many zero bits. */
export function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  const whole = bits >> 3;
  for (let at = 0; at < whole; at += 1) if (hash[at] !== 0) return false;
  return (hash[whole] ?? 0) >> (8 - (bits & 7)) === 0;
}
