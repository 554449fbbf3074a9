/** Too many are waiting already. */
export class TooBusy extends Error {}

/**
 * Lets costly work run a few at a time, in the order of arrival.
 * @param atOnce how many run at the same time
 * @param waiting how many may wait behind them; one more is refused at once with `TooBusy`
 */
export function turnstile(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new TooBusy('too many are waiting');
      await new Promise<void>((go) => queue.push(go));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed over, so that nobody slips in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
