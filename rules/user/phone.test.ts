import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Operator, operatorOf } from './operator.ts';
import { maskPhone, readPhone } from './phone.ts';

describe('readPhone', () => {
  it.each([
    ['13800000001', '13800000001'],
    [' 138 0000 0001 ', '13800000001'],
    ['138-0000-0001', '13800000001'],
    ['138–0000—0001', '13800000001'],
    ['+8613800000001', '13800000001'],
    ['+86 138 0000 0001', '13800000001'],
    ['008613800000001', '13800000001'],
    ['8613800000001', '13800000001'],
    ['(+86)13800000001', '13800000001'],
    ['１３８００００００００１', null],
    ['１３８００００００１１', '13800000011'],
    ['＋８６１３８００００００１１', '13800000011'],
    ['1380000000', null],
    ['138000000011', null],
    ['23800000001', null],
    ['86138000000', null],
    ['+85213800000001', null],
    ['138+8600000001', null],
    ['1380000000a', null],
    ['138****0001', null],
    ['', null],
    ['١٣٨٠٠٠٠٠٠٠١', null],
  ])('%j → %j', (typed, phone) => {
    expect(readPhone(typed)).toEqual(phone === null ? { ok: false, why: 'phoneWrong' } : { ok: true, phone });
  });

  it('reads every number however it is spaced and prefixed', () => {
    const number = fc.integer({ min: 10_000_000_000, max: 19_999_999_999 }).map(String);
    fc.assert(
      fc.property(
        number,
        fc.constantFrom('', '+86', '0086', '+86 '),
        fc.integer({ min: 0, max: 11 }),
        (phone, prefix, at) => {
          const typed = `${prefix}${phone.slice(0, at)}-${phone.slice(at)} `;
          expect(readPhone(typed)).toEqual({ ok: true, phone });
        },
      ),
    );
  });

  it('never throws, and only ever gives 11 digits that start with 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (typed) => {
        const read = readPhone(typed);
        if (read.ok) expect(read.phone).toMatch(/^1\d{10}$/);
      }),
    );
  });
});

describe('maskPhone', () => {
  it('shows 138****1234', () => expect(maskPhone('13800001234')).toBe('138****1234'));
  it.each(['1380000123', '138000012345', '+8613800001234'])('shows nothing of %s, which is no phone', (text) => {
    expect(maskPhone(text)).toBe('****');
  });
});

describe('operatorOf', () => {
  // The first digits and ten letters for the digit behind them: 移 联 电 广, a dot for nobody. Nines follow, so that of the
  // segments that are shared 1349, 1709 and 1749 stand in the first rows; the rows of four digits have all of them.
  it.each([
    ['13', '联联联电电移移移移移'],
    ['134', '移移移移移移移移移电'],
    ['14', '·····联联移移电'],
    ['15', '移移移电·联联移移移'],
    ['16', '··电··移联联··'],
    ['17', '联联移电·联联电移·'],
    ['170', '电电电移联移移联联联'],
    ['174', '电·········'],
    ['18', '电电移移移联联移移电'],
    ['19', '电电广电·移联移移电'],
  ])('segments %s0 to %s9', (segment, letters) => {
    const found = Array.from({ length: 10 }, (_, digit) => operatorOf(`${segment}${digit}`.padEnd(11, '9')));
    expect(found.map((operator) => operator?.charAt(0) ?? '·').join('')).toBe(letters);
  });

  it.each<[string, Operator | null]>([
    ['13800000001', '移动'],
    ['+86 138 0000 0001', '移动'],
    ['13480000000', '移动'],
    ['13490000000', '电信'],
    ['17030000000', '移动'],
    ['17010000000', '电信'],
    ['17090000000', '联通'],
    ['17130000000', '联通'],
    ['18612345678', '联通'],
    ['16700000000', '联通'],
    ['16500000000', '移动'],
    ['16200000000', '电信'],
    ['18912345678', '电信'],
    ['17400000000', '电信'],
    ['19012345678', '电信'],
    ['19212345678', '广电'],
    ['19512345678', '移动'],
    ['19612345678', '联通'],
    ['19412345678', null],
    ['15412345678', null],
    ['16190000000', null],
    ['17490000000', null],
    ['1381234567', null],
    ['no number', null],
  ])('%s → %s', (typed, operator) => expect(operatorOf(typed)).toBe(operator));
});
