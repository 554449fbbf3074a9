interface Waiting<V> {
  resolve: (value: V | undefined) => void;
  reject: (error: unknown) => void;
}

/** Look-ups under way at once. More would only make them smaller. */
const AT_ONCE = 2;

/**
 * Look-ups of one moment as one question to the database: for what stands before every request, where each question costs
 * a round trip. A look-up sees what was committed before it was asked for.
 * @param load finds the values of these keys, each of which is there once
 */
export function lookedUpTogether<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let gathered = new Map<K, Waiting<V>[]>();
  let underWay = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || gathered.size === 0 || underWay === AT_ONCE) return;
    scheduled = true;
    // A turn of the event loop lets the requests that are already in the socket buffers come along.
    setImmediate(() => {
      scheduled = false;
      const asked = gathered;
      gathered = new Map();
      underWay += 1;
      load([...asked.keys()])
        .then(
          (found) => {
            for (const [key, waiting] of asked) for (const { resolve } of waiting) resolve(found.get(key));
          },
          (error: unknown) => {
            for (const waiting of asked.values()) for (const { reject } of waiting) reject(error);
          },
        )
        .finally(() => {
          underWay -= 1;
          schedule();
        });
    });
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const waiting = gathered.get(key);
      if (waiting) waiting.push({ resolve, reject });
      else gathered.set(key, [{ resolve, reject }]);
      schedule();
    });
}
