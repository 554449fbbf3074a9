import { recall } from './remember.ts';

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
        /** What the browser remembered then, by name: whatever makes the answers old when it changes. */
        noted?: Readonly<Record<string, string | null>>;
      }
    | undefined;
}

/** Milliseconds after which an answer is no longer what the server would say. */
const OLD = 30_000;
/** Milliseconds that one waits for an answer that was asked for ahead: one that hangs must not take all of the time that asking anew has. */
const PATIENCE = 10_000;

/** Whether somebody else signed in since, or another window said what the answers do not know. */
const isNews = () => Object.entries(globalThis.lixueAhead?.noted ?? {}).some(([name, value]) => recall(name) !== value);

/**
 * The answer to a request that was asked for ahead, for who asks first; null, at once or once it is known: it has to be sent. Nothing waits
 * that was not asked for: what a page sends while it goes has to leave at once.
 */
export function askedAhead(request: string, now = () => performance.now()): Promise<AskedAhead | null> | null {
  const answers = globalThis.lixueAhead?.answers;
  const asked = answers?.[request];
  if (answers === undefined || asked === undefined) return null;
  delete answers[request];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE);
  });
  return Promise.race([asked, late]).then((answer) => {
    clearTimeout(timer);
    return answer === null || now() - answer.received > OLD || isNews() ? null : answer;
  });
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
