import { SrsCallback } from '#contract/live-srs.ts';
import { readSrsEvent } from '#rules/live/srs.ts';
import type { ServeCallback } from '#server/http/callback.ts';
import type { Srs } from './srs.ts';

/** SRS lets somebody in after status 200 with code 0, and after nothing else. */
const answer = (status: number, code: number) =>
  ({ status, type: 'application/json', body: JSON.stringify({ code }) }) as const;

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Binds what SRS asks and tells (contract/live-srs.ts). */
export function srsRoutes(serveCallback: ServeCallback, srs: Srs): void {
  serveCallback(SrsCallback, async ({ body, query }) => {
    if (!srs.knows(query.get('secret'))) return answer(401, 401);
    const event = readSrsEvent(parsed(body));
    if (!event) return answer(400, 400);
    return (await srs.hear(event)) ? answer(200, 0) : answer(403, 403);
  });
}
