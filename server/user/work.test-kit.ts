import { hash } from 'node:crypto';
import { hasZeroBits, workText } from '#rules/user/work.ts';

/** The number that a challenge's work asks for (rules/user/work.ts). */
export function solve({ seed, bits }: { seed: string; bits: number }): number {
  const zeros = '0'.repeat(bits >> 2);
  for (let number = 0; ; number += 1) {
    // As text, which Node makes in a third of the time of a buffer: the most work is two million of them, and by chance several times that.
    const hashed = hash('sha256', workText(seed, number), 'hex');
    if (hashed.startsWith(zeros) && hasZeroBits(Buffer.from(hashed, 'hex'), bits)) return number;
  }
}
