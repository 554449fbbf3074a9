import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CouponTerms, discountOf } from './coupon.ts';

const terms: CouponTerms = {
  kind: 'amount',
  off: 5000,
  mostOff: null,
  threshold: 10_000,
  packIds: null,
  validFrom: 1000,
  validUntil: 2000,
};
const at = { price: 19_900, packId: 7, now: 1500 };

describe('a coupon', () => {
  it.each<[string, Partial<CouponTerms>, Partial<typeof at>, number | string]>([
    ['takes its amount off', {}, {}, 5000],
    ['never more than the price', { threshold: 0 }, { price: 3000 }, 3000],
    ['its part of the price, rounded down', { kind: 'percent', off: 15 }, { price: 10_001 }, 1500],
    ['at most its bound', { kind: 'percent', off: 50, mostOff: 800 }, {}, 800],
    ['the whole price', { kind: 'percent', off: 100 }, {}, 19_900],
    ['at its threshold', {}, { price: 10_000 }, 5000],
    ['not below it', {}, { price: 9999 }, 'couponBelow'],
    ['in its first moment', {}, { now: 1000 }, 5000],
    ['not before', {}, { now: 999 }, 'couponEarly'],
    ['in its last', {}, { now: 1999 }, 5000],
    ['not after', {}, { now: 2000 }, 'couponOver'],
    ['for its packs', { packIds: [6, 7] }, {}, 5000],
    ['and no other', { packIds: [6] }, {}, 'couponElsewhere'],
  ])('%s', (_, more, ask, wanted) => {
    const said = discountOf({ ...terms, ...more }, { ...at, ...ask });
    expect(said.ok ? said.off : said.why).toBe(wanted);
  });

  it('leaves a total between 0 and the price, in whole fen', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('amount' as const, 'percent' as const),
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.option(fc.integer({ min: 1, max: 10_000_000 })),
        (kind, off, price, mostOff) => {
          const fair = kind === 'percent' ? (off % 100) + 1 : off;
          const said = discountOf({ ...terms, kind, off: fair, mostOff, threshold: 0 }, { ...at, price });
          expect(said.ok && Number.isSafeInteger(said.off) && said.off >= 0 && said.off <= price).toBe(true);
        },
      ),
    );
  });
});
