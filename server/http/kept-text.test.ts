import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipOf, KeptText } from './kept-text.ts';

describe('gzip of parts', () => {
  it('reads as the parts behind each other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'binary' }))), async (parts) => {
        const made = parts.map(([kept, text]) => (kept ? new KeptText(text) : Buffer.from(text)));
        const whole = Buffer.concat(parts.map(([, text]) => Buffer.from(text)));
        expect(gunzipSync(await gzipOf(made)).equals(whole)).toBe(true);
      }),
    );
  });

  it('takes bytes longer than a block, and the same kept text at several places', async () => {
    const long = randomBytes(200_000);
    const kept = new KeptText('砺学'.repeat(50_000));
    const packed = await gzipOf([kept, long, kept]);
    expect(gunzipSync(packed).equals(Buffer.concat([kept.bytes, long, kept.bytes]))).toBe(true);
    expect(packed.length).toBeLessThan(long.length + 2000);
  });
});
