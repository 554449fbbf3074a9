import type { Db } from '#server/db/open.ts';
import { allOf, type PersonPart } from '#server/person-part.ts';
import { emptyGuardians, findDeclaration, readConsents, readGuardianConsents } from './store.ts';

/** Of a person: what they, and their guardians, agreed to, and that they said they are under 14. That it was agreed to stays when the account is closed. */
export function agreementPart({ query }: Db): PersonPart {
  return {
    name: '同意过的协议',
    rows: (userId) =>
      allOf(async () => [
        ...[await findDeclaration(query, userId)]
          .flatMap((said) => said ?? [])
          .map((said) => ({ under14: true, ...said })),
        ...(await readConsents(query, userId)),
        ...(await readGuardianConsents(query, userId)).map(({ name, phone, document, version, hash, agreed_at }) => ({
          ...{ document, version, hash, agreedAt: agreed_at, guardian: name, guardianPhone: phone },
        })),
      ]),
    forget: emptyGuardians,
  };
}
