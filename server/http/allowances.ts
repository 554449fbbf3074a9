import type { CallLimits } from '#contract/call.ts';
import { type Allowance, stillUsed, takeMore, type Used } from '#rules/user/allowance.ts';

const MINUTE = 60_000;

/** What one person has used of one call. */
interface Use {
  inFlight: number;
  calls: Used | undefined;
  bytes: Used | undefined;
}

/** A call that was let in; `leave` is called once, when it is answered. `retryAfter`: seconds. */
export type Entry = { ok: true; leave(): void } | { ok: false; retryAfter: number };

/**
 * What people (or, of callbacks, machines) have used of the limits of one call (contract `CallLimits`) at this server. In memory alone, so that a save
 * pays a look into a map for it; several servers each allow as much. What must hold over all of them is counted in the database.
 */
export class Allowances<Who extends number | string = number> {
  readonly #limits: CallLimits;
  readonly #calls: Allowance;
  readonly #bytes: Allowance;
  readonly #byPerson = new Map<Who, Use>();

  constructor(limits: CallLimits) {
    this.#limits = limits;
    this.#calls = { most: limits.perMinute, within: MINUTE };
    this.#bytes = { most: limits.bytesPerMinute, within: MINUTE };
  }

  /** Lets a person's call in with so many bytes, or not. @param who the id of a person, or the address of a machine @param now monotonic milliseconds */
  enter(who: Who, bytes: number, now: number): Entry {
    let use = this.#byPerson.get(who);
    if (!use) {
      use = { inFlight: 0, calls: undefined, bytes: undefined };
      this.#byPerson.set(who, use);
    }
    if (use.inFlight >= this.#limits.inFlight) return { ok: false, retryAfter: 1 };
    const calls = takeMore(this.#calls, use.calls, 1, now);
    if (!calls.ok) return { ok: false, retryAfter: Math.ceil(calls.retryAfter / 1000) };
    const sent = bytes === 0 ? null : takeMore(this.#bytes, use.bytes, bytes, now);
    if (sent && !sent.ok) return { ok: false, retryAfter: Math.ceil(sent.retryAfter / 1000) };
    use.calls = calls.used;
    if (sent) use.bytes = sent.used;
    use.inFlight += 1;
    const entered = use;
    return {
      ok: true,
      leave: () => {
        entered.inFlight -= 1;
      },
    };
  }

  /** Forgets people who have used nothing for a while. */
  forget(now: number): void {
    for (const [userId, { inFlight, calls, bytes }] of this.#byPerson) {
      const used = stillUsed(this.#calls, calls, now) + stillUsed(this.#bytes, bytes, now);
      if (inFlight === 0 && used === 0) this.#byPerson.delete(userId);
    }
  }
}
