/** An answer that was asked for in the head of the page, and when (`performance.now()`). */
export interface AskedAhead {
  status: number;
  text: string;
  sent: number;
  received: number;
}

declare global {
  /** Set in pages that ask ahead (web/exam/session/ask-ahead.ts, web/play/ask-ahead.ts). */
  var lixueAhead:
    | {
        /** The name that this window has in what was asked, taken once; null where none is in it. */
        windowId: string | null;
        /** By path with query, and for a POST its body behind a space. null: refused, or no answer. */
        answers: Record<string, Promise<AskedAhead | null>>;
      }
    | undefined;
}

/** Milliseconds after which an answer is no longer what the server would say. */
const OLD = 30_000;

/**
 * The answer to a request that was asked for ahead, for who asks first; null, at once or once it is known: it has to be sent. Nothing waits
 * that was not asked for: what a page sends while it goes has to leave at once.
 */
export function askedAhead(request: string, now = () => performance.now()): Promise<AskedAhead | null> | null {
  const answers = globalThis.lixueAhead?.answers;
  const asked = answers?.[request];
  if (answers === undefined || asked === undefined) return null;
  delete answers[request];
  return asked.then((answer) => (answer === null || now() - answer.received > OLD ? null : answer));
}

/** What was asked ahead by addresses that begin so is no longer what the server would say. */
export function forgetAhead(start: string): void {
  const answers = globalThis.lixueAhead?.answers ?? {};
  for (const request of Object.keys(answers)) if (request.startsWith(start)) delete answers[request];
}

/** The name that this window was given ahead, once; null: it has none yet. */
export function nameAhead(): string | null {
  const ahead = globalThis.lixueAhead;
  const name = ahead?.windowId ?? null;
  if (ahead !== undefined) ahead.windowId = null;
  return name;
}
