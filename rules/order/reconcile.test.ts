import { expect, it } from 'vitest';
import { type DayLine, differences } from './reconcile.ts';

const paid = (outTradeNo: string, amount = 100): DayLine => ({ kind: 'payment', outTradeNo, outRefundNo: '', amount });
const back = (outRefundNo: string, amount = 50): DayLine => ({ kind: 'refund', outTradeNo: 'a', outRefundNo, amount });

it.each<[string, DayLine[], DayLine[], DayLine[], string[]]>([
  ['nothing', [], [], [], []],
  ['the same', [paid('a'), back('r')], [back('r'), paid('a')], [], []],
  ['paid there alone', [paid('a'), paid('b')], [paid('a')], [], ['theirs b']],
  ['paid here alone', [paid('a')], [paid('a'), paid('b')], [], ['ours b']],
  ['another sum', [paid('a', 99)], [paid('a')], [], ['sum a']],
  ['another sum of a refund', [back('r', 49)], [back('r')], [], ['sum r']],
  ['a refund there alone', [back('r')], [], [], ['theirs r']],
  ['ours of another day', [paid('a')], [], [paid('a')], []],
  ['ours of another day with another sum', [paid('a', 99)], [], [paid('a')], ['sum a']],
])('finds %s', (_, bill, ours, elsewhere, wanted) => {
  const said = differences(bill, ours, elsewhere);
  expect(said.map(({ what, line }) => `${what} ${line.outRefundNo || line.outTradeNo}`)).toEqual(wanted);
});
