import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import type { PersonPart } from '#server/person-part.ts';
import type { HashIdNumber } from '#server/user/identity.ts';
import { serveClosing } from './closing.ts';
import { serveDevices } from './devices.ts';
import { serveExport } from './export.ts';
import { type MayTurnGrown, serveIdentity } from './identity.ts';

/** Binds the calls of contract/account.ts. */
export function accountRoutes(
  serve: Serve,
  parts: Parts,
  {
    hashId,
    mayTurnGrown,
    personParts,
  }: { hashId: HashIdNumber; mayTurnGrown: MayTurnGrown; personParts: readonly PersonPart[] },
): void {
  serveDevices(serve, parts);
  serveIdentity(serve, parts, { hashId, mayTurnGrown });
  serveExport(serve, parts);
  serveClosing(serve, parts, personParts);
}
