interface Waiting<V> {
  resolve: (value: V | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Look-ups of one moment as one question to the database: for what stands before every request, where each question costs
 * a round trip. A look-up sees what was committed before it was asked for; a question that hangs holds up only its own.
 * @param load finds the values of these keys, each of which is there once
 */
export function lookedUpTogether<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let gathered: Map<K, Waiting<V>[]> | null = null;

  function ask(asked: ReadonlyMap<K, Waiting<V>[]>): void {
    load([...asked.keys()]).then(
      (found) => {
        for (const [key, waiting] of asked) for (const { resolve } of waiting) resolve(found.get(key));
      },
      (error: unknown) => {
        for (const waiting of asked.values()) for (const { reject } of waiting) reject(error);
      },
    );
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (gathered === null) {
        const asked = new Map<K, Waiting<V>[]>();
        gathered = asked;
        // A turn of the event loop lets the requests that are already in the socket buffers come along.
        setImmediate(() => {
          gathered = null;
          ask(asked);
        });
      }
      const waiting = gathered.get(key);
      if (waiting) waiting.push({ resolve, reject });
      else gathered.set(key, [{ resolve, reject }]);
    });
}
