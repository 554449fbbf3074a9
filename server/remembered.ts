/** How many answers are remembered at once. */
const MOST_KNOWN = 5000;

/** Remembers what was found out for a while (milliseconds), in memory alone. */
export function remembered<T>(life: number, clock: () => number) {
  const known = new Map<string, { value: Promise<T>; at: number }>();
  return (key: string, find: () => Promise<T>): Promise<T> => {
    const now = clock();
    const found = known.get(key);
    if (found && Math.abs(now - found.at) < life) return found.value;
    if (known.size >= MOST_KNOWN) known.clear();
    const value = find();
    known.set(key, { value, at: now });
    // What failed, or was refused, is found out anew by the next who asks.
    value.then(
      (found) => found || known.delete(key),
      () => known.delete(key),
    );
    return value;
  };
}
