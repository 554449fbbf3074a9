import { describe, expect, it } from 'vitest';
import { faultsOfInvoice, isEmail, isTaxNo, mayAskInvoice, needsReversal, tidyTaxNo } from './invoice.ts';

describe('a tax number', () => {
  it.each(['91350100M000100Y43', '91110000802100433B', '91440300708461136T'])('%s is one', (text) => {
    expect(isTaxNo(text)).toBe(true);
  });

  it.each([
    '91350100M000100Y44', // check sign
    '91350100M000100Y4', // too short
    '91350100M000100Y433',
    '9135010OM000100Y43', // O
    'IIIIIIIIIIIIIIIIII',
    '',
    '91350100m000100y43', // not tidied
  ])('%s is none', (text) => expect(isTaxNo(text)).toBe(false));

  it('no single wrong sign, and no two swapped ones, pass', () => {
    const right = '91350100M000100Y43';
    for (let at = 0; at < 18; at += 1)
      for (const sign of '0123456789ABCDEFGHJKLMNPQRTUWXY') {
        if (sign === right[at]) continue;
        expect(isTaxNo(right.slice(0, at) + sign + right.slice(at + 1))).toBe(false);
      }
    for (let at = 0; at < 16; at += 1) {
      const [one, other] = [right[at] ?? '', right[at + 1] ?? ''];
      if (one === other) continue;
      expect(isTaxNo(right.slice(0, at) + other + one + right.slice(at + 2)), `${at}`).toBe(false);
    }
  });

  it('is tidied first', () => expect(isTaxNo(tidyTaxNo(' 9135 0100-m000100y43'))).toBe(true));
});

it.each([
  ['a@b.cn', true],
  ['li.si+x@mail.example.com', true],
  ['学员@例子.中国', true],
  ['a@b', false],
  ['a b@c.cn', false],
  ['a@b@c.cn', false],
  ['a@.cn', false],
  ['a@b..cn', false],
  ['<a@b.cn>', false],
  ['', false],
  [`${'a'.repeat(65)}@b.cn`, false],
])('%s as an e-mail: %s', (text, is) => expect(isEmail(text)).toBe(is));

it('names each field that is wrong, in the order of the form', () => {
  const right = { kind: 'company' as const, title: '某某公司', taxNo: '91350100M000100Y43', email: 'a@b.cn' };
  expect(faultsOfInvoice(right)).toEqual([]);
  expect(faultsOfInvoice({ ...right, title: '  ' })).toEqual(['title']);
  expect(faultsOfInvoice({ ...right, title: '长'.repeat(101) })).toEqual(['title']);
  expect(faultsOfInvoice({ ...right, title: '', taxNo: '', email: '' })).toEqual(['title', 'taxNo', 'email']);
  expect(faultsOfInvoice({ ...right, kind: 'personal', taxNo: '' })).toEqual([]);
  expect(faultsOfInvoice({ ...right, email: 'a' })).toEqual(['email']);
});

it.each([
  [{ paid: true, kept: 100, states: [] }, true],
  [{ paid: true, kept: 100, states: ['declined', 'withdrawn', 'reversed'] }, true],
  [{ paid: true, kept: 100, states: ['waiting'] }, false],
  [{ paid: true, kept: 100, states: ['issued'] }, false],
  [{ paid: true, kept: 0, states: [] }, false],
  [{ paid: false, kept: 100, states: [] }, false],
] as const)('%j may ask for one: %s', (facts, may) => expect(mayAskInvoice(facts)).toBe(may));

it('a red one is needed once less is kept than it says', () => {
  expect(needsReversal({ state: 'issued', amount: 100 }, 100)).toBe(false);
  expect(needsReversal({ state: 'issued', amount: 100 }, 99)).toBe(true);
  expect(needsReversal({ state: 'reversed', amount: 100 }, 0)).toBe(false);
});
