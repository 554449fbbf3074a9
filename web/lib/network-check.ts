import { CallError, send } from './send.ts';

/** What one look at the way to the server found. */
export interface NetworkFindings {
  /** Answers of so many questions. */
  answered: number;
  asked: number;
  /** Milliseconds there and back, the middle of all; null: no answer came. */
  trip: number | null;
  /** Milliseconds by which the clock of this device is ahead; null: not known. */
  ahead: number | null;
  /** Bits a second at least; null: not measured. */
  speed: number | null;
}

const QUESTIONS = 5;
const PATIENCE = 5000;
/** Bytes that are fetched at most to measure the speed. */
const MOST_BYTES = 2_000_000;
/** Milliseconds that measuring the speed may take. */
const SPEED_PATIENCE = 15_000;

/** Looks at the way from this browser to the school's server, and at nothing else: no other host is asked. */
export async function checkNetwork(signal: AbortSignal): Promise<NetworkFindings> {
  const trips: { trip: number; ahead: number }[] = [];
  for (let at = 0; at < QUESTIONS; at += 1) {
    const sent = performance.now();
    try {
      const { now } = await send('GET /api/user/info', {}, { signal, timeout: PATIENCE, signInAgain: false });
      const trip = performance.now() - sent;
      trips.push({ trip, ahead: Date.now() - trip / 2 - now });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }
  // The quickest answer says most about the clock, the middle one about the network.
  const sorted = trips.toSorted((a, b) => a.trip - b.trip);
  return {
    answered: trips.length,
    asked: QUESTIONS,
    trip: sorted[Math.floor(sorted.length / 2)]?.trip ?? null,
    ahead: sorted[0]?.ahead ?? null,
    speed: sorted.length === 0 ? null : await measureSpeed(signal),
  };
}

/** Fetches the site's own scripts again, past the browser's memory, and counts the bytes of their way. */
async function measureSpeed(signal: AbortSignal): Promise<number | null> {
  const known = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const scripts = new Map(
    known
      .filter(({ name, encodedBodySize }) => name.startsWith(`${location.origin}/assets/`) && encodedBodySize > 0)
      .map(({ name, encodedBodySize }) => [name, encodedBodySize]),
  );
  const largest = [...scripts].sort((a, b) => b[1] - a[1]).slice(0, 4);
  const within = AbortSignal.any([signal, AbortSignal.timeout(SPEED_PATIENCE)]);
  let bytes = 0;
  const began = performance.now();
  try {
    for (const [url, size] of largest) {
      if (bytes + size > MOST_BYTES) continue;
      const reply = await fetch(url, { cache: 'no-store', signal: within });
      if (!reply.ok) return null;
      await reply.arrayBuffer();
      bytes += size;
    }
  } catch {
    signal.throwIfAborted();
    // What came until the patience ended is what there is to count.
  }
  const seconds = (performance.now() - began) / 1000;
  return bytes === 0 ? null : (bytes * 8) / seconds;
}
