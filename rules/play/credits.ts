/** Something in a pack that carries credits. */
interface CreditItem {
  credits: number;
  earned: boolean;
}

/** Whether a practice is done: each of its questions was answered. Which were right makes no difference. */
export function isPracticeDone({ total, done }: { total: number; done: number }): boolean {
  return total > 0 && done >= total;
}

/** Credits of a pack (decisions §4): what is earned, all there is, and what is still open. */
export function sumCredits(items: readonly CreditItem[]): { earned: number; total: number; open: number } {
  // Credits come in halves: their sum is exact.
  const sum = (some: readonly CreditItem[]) => some.reduce((all, { credits }) => all + credits, 0);
  const earned = sum(items.filter((item) => item.earned));
  const total = sum(items);
  return { earned, total, open: total - earned };
}
