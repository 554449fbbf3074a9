import { type AgreementDocument, forEverybody, forGuardians } from '#contract/values/agreement.ts';
import { isMinor, lacks, mayTurnGrown } from '#rules/agreement/agreement.ts';
import type { Query } from '#server/db/open.ts';
import { findIdentity } from '#server/user/identity-store.ts';
import { findUser } from '#server/user/store.ts';
import { findDeclaration, readConsents, readGuardianConsents, readInForce, type VersionHead } from './store.ts';

/** How somebody stands to the texts in force. */
interface Standing {
  inForce: readonly VersionHead[];
  /** To which of them they agreed, and to which documents ever. */
  agreed: ReadonlySet<AgreementDocument>;
  agreedBefore: ReadonlySet<AgreementDocument>;
  minor: boolean;
  /** A guardian consented to the text that is in force for guardians. */
  guardian: boolean;
}

/** What a guardian consents to: the rules for children, or where the school has none, what everybody agrees to. */
export const textForGuardians = (inForce: readonly VersionHead[]): VersionHead | undefined =>
  inForce.find(({ document }) => document === forGuardians) ?? inForce.find(({ document }) => document === 1);

/** How somebody stands now. */
export async function standingOf(query: Query, userId: number, now: number): Promise<Standing> {
  const inForce = await readInForce(query);
  const consents = await readConsents(query, userId);
  const current = ({ document, version }: { document: AgreementDocument; version: number }) =>
    inForce.some((text) => text.document === document && text.version === version);
  const given = await findIdentity(query, userId);
  const identity = given ? { fourteenOn: given.fourteen_on } : null;
  const minor = isMinor({ identity, declared: (await findDeclaration(query, userId)) !== undefined, now });
  const asked = textForGuardians(inForce);
  const guardian =
    minor &&
    (asked === undefined ||
      (await readGuardianConsents(query, userId)).some(
        ({ document, version }) => document === asked.document && version === asked.version,
      ));
  return {
    inForce,
    agreed: new Set(consents.filter(current).map(({ document }) => document)),
    agreedBefore: new Set(consents.map(({ document }) => document)),
    minor,
    guardian,
  };
}

/** What somebody still has to do before anything may be bought or joined; null: nothing. Other features are given it by `app.ts`. */
type MayPay = (userId: number, now: number) => Promise<ReturnType<typeof lacks>>;

/** Makes it. A school that has published nothing asks for nothing. */
export function payGate(query: Query): MayPay {
  return async (userId, now) => {
    const { inForce, agreed, minor, guardian } = await standingOf(query, userId, now);
    const outstanding = inForce.filter(
      ({ document }) => forEverybody.includes(document) && !agreed.has(document),
    ).length;
    const closing = ((await findUser(query, userId))?.closes_at ?? null) !== null;
    return lacks({ closing, outstanding, minor, guardian });
  };
}

/** Whether somebody may give an identity number that says they are 14 or older (`mayTurnGrown`). */
export const grownGate =
  (query: Query) =>
  async (userId: number, now: number): Promise<boolean> =>
    mayTurnGrown(await standingOf(query, userId, now));
