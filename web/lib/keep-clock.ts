import { serverClock } from './clock.ts';
import { CallError, send } from './send.ts';

/** How often to look whether the machine slept or its clock was set, in milliseconds. */
const lookEvery = 500;
/** Milliseconds after a doubt in which a question that found no network is repeated at every look. */
const hurry = 10_000;
/** Least time between two questions after that, and after a refusal, in milliseconds. */
const askEvery = 2_000;
/** A question without an answer after this many milliseconds is given up: what was sent while the network came up may hang. */
const giveUp = 3_000;

/**
 * Keeps the server clock right while the page is visible: after a sleep of the machine the server is asked again, so a
 * countdown is right within a second of waking, or of the network being there (decisions §10). Returns a function that
 * stops it.
 */
export function keepClock(): () => void {
  let doubtSince: number | null = null;
  let asking: AbortController | null = null;
  // Both clocks: either may be the one that stood still or was set.
  let askedMono = Number.NEGATIVE_INFINITY;
  let askedWall = Number.NEGATIVE_INFINITY;
  let refused = false;

  const ask = () => {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    askedMono = performance.now();
    askedWall = Date.now();
    // The answer sets the clock by itself.
    void send('GET /api/user/info', {}, { signInAgain: false, signal: mine.signal, timeout: giveUp })
      .then(
        () => false,
        (error: unknown) => error instanceof CallError && error.code !== 0,
      )
      .then((no) => {
        if (asking !== mine) return;
        asking = null;
        refused = no;
      });
  };
  const look = () => {
    if (document.visibilityState !== 'visible' || !serverClock.known()) return;
    if (!serverClock.doubtful()) {
      doubtSince = null;
      refused = false;
      return;
    }
    const now = performance.now();
    doubtSince ??= now;
    const sinceAsked = Math.max(now - askedMono, Math.abs(Date.now() - askedWall));
    if (asking !== null && sinceAsked < giveUp) return;
    if ((refused || now - doubtSince > hurry) && sinceAsked < askEvery) return;
    ask();
  };
  /** What failed before says nothing about now. */
  const afresh = () => {
    asking?.abort();
    asking = null;
    doubtSince = null;
    refused = false;
    look();
  };
  const timer = setInterval(look, lookEvery);
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', afresh);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', afresh);
    asking?.abort();
    asking = null;
  };
}
