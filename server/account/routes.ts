import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import type { PersonPart } from '#server/person-part.ts';
import type { Signer } from '#server/user/device-code.ts';
import type { HashIdNumber } from '#server/user/identity.ts';
import { serveClosing } from './closing.ts';
import { serveDevices } from './devices.ts';
import { serveExport } from './export.ts';
import type { HiddenFrom } from './export-withheld.ts';
import { type MayTurnGrown, serveIdentity } from './identity.ts';

/** Binds the calls of contract/account.ts. */
export function accountRoutes(
  serve: Serve,
  parts: Parts,
  {
    key,
    hashId,
    mayTurnGrown,
    personParts,
    hiddenFrom,
  }: {
    key: Signer;
    hashId: HashIdNumber;
    mayTurnGrown: MayTurnGrown;
    personParts: readonly PersonPart[];
    hiddenFrom: HiddenFrom;
  },
): void {
  serveDevices(serve, parts, key);
  serveIdentity(serve, parts, { hashId, mayTurnGrown });
  serveExport(serve, parts, hiddenFrom);
  serveClosing(serve, parts, personParts);
}
