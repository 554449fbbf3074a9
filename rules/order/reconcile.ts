/** One payment or refund of a day, at a provider or here. Sums are fen. */
export interface DayLine {
  kind: 'payment' | 'refund';
  outTradeNo: string;
  /** Of a refund; '' of a payment. */
  outRefundNo: string;
  amount: number;
}

/** What does not agree: `theirs` the provider has it alone, `ours` we have it alone, `sum` the sums differ. */
export interface Difference {
  what: 'theirs' | 'ours' | 'sum';
  line: DayLine;
  /** Our sum where the sums differ. */
  ourAmount: number | null;
}

const keyOf = ({ kind, outTradeNo, outRefundNo }: DayLine) => `${kind} ${outTradeNo} ${outRefundNo}`;

/**
 * Compares a provider's bill with what stands here.
 * @param ours what stands here on that day
 * @param elsewhere what stands here of the bill's lines on any day: theirs of our yesterday's last second is no difference
 */
export function differences(
  bill: readonly DayLine[],
  ours: readonly DayLine[],
  elsewhere: readonly DayLine[],
): Difference[] {
  const theirs = new Set(bill.map(keyOf));
  const known = new Map([...ours, ...elsewhere].map((line) => [keyOf(line), line.amount]));
  const found: Difference[] = bill.flatMap((line): Difference[] => {
    const ourAmount = known.get(keyOf(line)) ?? null;
    if (ourAmount === null) return [{ what: 'theirs', line, ourAmount }];
    return ourAmount === line.amount ? [] : [{ what: 'sum', line, ourAmount }];
  });
  const alone = ours.filter((line) => !theirs.has(keyOf(line)));
  return [...found, ...alone.map((line): Difference => ({ what: 'ours', line, ourAmount: line.amount }))];
}
