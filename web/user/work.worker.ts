import { sha256 } from '@noble/hashes/sha2.js';
import { hasZeroBits, workText } from '#rules/user/work.ts';

/** Beside the page, so that it stays quick while the work takes its seconds: a library, since http has no SubtleCrypto. */
addEventListener('message', ({ data }: MessageEvent<{ seed: string; bits: number }>) => {
  const encoder = new TextEncoder();
  for (let number = 0; ; number += 1) {
    if (hasZeroBits(sha256(encoder.encode(workText(data.seed, number))), data.bits)) return postMessage(number);
  }
});
