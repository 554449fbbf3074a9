import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigitOf, checkIdCard, type IdCardFault, maskIdCard } from './id-card.ts';

const NOW = Date.UTC(2026, 10, 20, 10);

/** A number with the right check digit. */
const whole = (first17: string) => first17 + checkDigitOf(first17);

const digit = fc.integer({ min: 0, max: 9 });
const rightNumber = fc
  .record({
    region: fc.constantFrom('110101', '310115', '440305', '650102', '810000', '830000'),
    birth: fc.date({ min: new Date('1900-01-01'), max: new Date('2026-11-20'), noInvalidDate: true }),
    order: fc.integer({ min: 0, max: 999 }),
  })
  .map(({ region, birth, order }) =>
    whole(region + birth.toISOString().slice(0, 10).replaceAll('-', '') + String(order).padStart(3, '0')),
  );

describe('checkIdCard', () => {
  it('takes the example of GB 11643-1999', () => {
    expect(checkIdCard('11010519491231002X', NOW)).toEqual({
      ok: true,
      number: '11010519491231002X',
      birth: '1949-12-31',
      sex: 'female',
    });
    expect(checkIdCard('440524188001010014', NOW)).toEqual({ ok: false, why: 'birth' }); // the standard's second: born 1880
  });

  it.each<[string, string]>([
    ['a small x', '11010519491231002x'],
    ['spaces', ' 110105 19491231 002X '],
    ['full-width characters', '１１０１０５１９４９１２３１００２Ｘ'],
  ])('tolerates %s', (_what, typed) => {
    expect(checkIdCard(typed, NOW)).toMatchObject({ ok: true, number: '11010519491231002X' });
  });

  it.each<[string, IdCardFault]>([
    ['', 'required'],
    ['   ', 'required'],
    ['11010519491231002', 'length'],
    ['1101051949123100200', 'length'],
    ['110105491231002', 'length'],
    ['1101051949123100Z2', 'digits'],
    ['X10105194912310020', 'digits'],
    ['1101051949123100XX', 'digits'],
    [whole('00010519491231002'), 'region'],
    [whole('16010519491231002'), 'region'],
    [whole('99010519491231002'), 'region'],
    [whole('11010519491331002'), 'birth'],
    [whole('11010519490031002'), 'birth'],
    [whole('11010519490200002'), 'birth'],
    [whole('11010519490229002'), 'birth'],
    [whole('11010519000229002'), 'birth'],
    [whole('11010518991231002'), 'birth'],
    [whole('11010520261121002'), 'birth'],
    ['110105194912310021', 'checksum'],
    ['11010519491231012X', 'checksum'],
  ])('%j fails as %s', (typed, why) => expect(checkIdCard(typed, NOW)).toEqual({ ok: false, why }));

  it('takes a leap day, and today by the time of China', () => {
    expect(checkIdCard(whole('11010520000229001'), NOW)).toMatchObject({ ok: true, sex: 'male' });
    expect(checkIdCard(whole('11010519960229002'), NOW)).toMatchObject({ ok: true, sex: 'female' });
    expect(checkIdCard(whole('11010520261121001'), Date.UTC(2026, 10, 20, 16)).ok).toBe(true);
    expect(checkIdCard(whole('11010520261121001'), Date.UTC(2026, 10, 20, 16) - 1)).toEqual({
      ok: false,
      why: 'birth',
    });
  });

  it('finds every single wrong digit and every swap of neighbours', () => {
    fc.assert(
      fc.property(rightNumber, fc.integer({ min: 0, max: 16 }), digit, (number, at, other) => {
        expect(checkIdCard(number, NOW).ok).toBe(true);
        const wrong = number.slice(0, at) + other + number.slice(at + 1);
        if (wrong !== number) expect(checkIdCard(wrong, NOW).ok).toBe(false);
        const swapped = number.slice(0, at) + (number[at + 1] ?? '') + (number[at] ?? '') + number.slice(at + 2);
        if (swapped !== number) expect(checkIdCard(swapped, NOW).ok).toBe(false);
      }),
    );
  });

  it('never throws, whatever is typed', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (typed) => void checkIdCard(typed, NOW)));
  });
});

describe('maskIdCard', () => {
  it('hides birthday and order', () => expect(maskIdCard('11010519491231002X')).toBe('110*************2X'));
  it('a number that ends in a digit too', () => expect(maskIdCard('440524199001010013')).toBe('440*************13'));
  it.each(['1101051949', '011010519491231002X', '11010519491231002XX', '11010519491231002A'])(
    'shows nothing of %s, which is no number',
    (text) => expect(maskIdCard(text)).toBe('****'),
  );
});
