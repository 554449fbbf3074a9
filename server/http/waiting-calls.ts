import type { FastifyInstance, FastifyReply } from 'fastify';

/** How often calls are looked at, as a part of the time that they may take. */
const LOOKS = 10;

interface WaitingCall {
  /** Null once the call is answered: see `of`. */
  reply: FastifyReply | null;
  since: number;
  giveUp: (reply: FastifyReply) => void;
}

/**
 * Calls that have no answer yet. One that waits too long (a disk that hangs, say) is answered with a refusal: what it did
 * may still happen, as after any answer that got lost. One timer for all, so that a call costs none.
 */
export class WaitingCalls {
  readonly #waiting = new Set<WaitingCall>();

  /** @param within milliseconds in which every call is answered */
  constructor(app: FastifyInstance, within: number) {
    const looks = setInterval(() => {
      const tooLong = performance.now() - within;
      for (const call of this.#waiting) {
        // In the order of their arrival.
        if (call.since > tooLong) break;
        this.#waiting.delete(call);
        if (call.reply && !call.reply.sent) call.giveUp(call.reply);
      }
    }, within / LOOKS).unref();
    app.addHook('onClose', async () => clearInterval(looks));
  }

  /**
   * Waits for the answer of a call.
   * @param giveUp answers it, when it has waited too long
   * @returns undefined when it has been answered so
   */
  async of<T>(reply: FastifyReply, work: Promise<T>, giveUp: (reply: FastifyReply) => void): Promise<T | undefined> {
    const call: WaitingCall = { reply, since: performance.now(), giveUp };
    this.#waiting.add(call);
    try {
      const answer = await work;
      return reply.sent ? undefined : answer;
    } catch (error) {
      if (reply.sent) return undefined;
      throw error;
    } finally {
      this.#waiting.delete(call);
      // A set that grew or shrank leaves its former table behind, with what was deleted from it; in old memory such a table
      // kept whole requests alive until the next full collection (084).
      call.reply = null;
    }
  }
}
