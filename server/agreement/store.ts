import type { Insertable, Selectable } from 'kysely';
import type { AgreementDocument } from '#contract/values/agreement.ts';
import type { PeopleTrx, Query, Trx } from '#server/db/open.ts';
import type { AgreementVersions, GuardianConsents } from '#server/db/schema.ts';

type StoredVersion = Selectable<AgreementVersions>;

/** A text of a document, without the text. */
export type VersionHead = Omit<StoredVersion, 'text' | 'html'>;

const head = ['document', 'version', 'hash', 'is_sample', 'published_at'] as const;

/** The text in force of each document that has one. */
export async function readInForce(query: Query): Promise<VersionHead[]> {
  const all = await query
    .selectFrom('agreement_versions')
    .select(head)
    .orderBy('document')
    .orderBy('version')
    .execute();
  return [...new Map(all.map((version) => [version.document, version])).values()];
}

/** Every text there ever was, in their order. */
export async function readVersions(query: Query): Promise<VersionHead[]> {
  return query.selectFrom('agreement_versions').select(head).orderBy('document').orderBy('version').execute();
}

/** The text in force of a document; undefined: it has none. */
export async function findInForce(query: Query, document: AgreementDocument): Promise<StoredVersion | undefined> {
  return query
    .selectFrom('agreement_versions')
    .selectAll()
    .where('document', '=', document)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Adds a text, which is in force from then on. @throws a duplicate (`isDuplicate`) when another was published at that moment */
export async function addVersion(query: Query, version: Insertable<AgreementVersions>): Promise<void> {
  await query.insertInto('agreement_versions').values(version).execute();
}

/** Which texts somebody has agreed to. */
export async function readConsents(
  query: Query,
  userId: number,
): Promise<{ document: AgreementDocument; version: number; hash: string; agreedAt: number }[]> {
  return query
    .selectFrom('agreement_consents')
    .select(['document', 'version', 'hash', 'agreed_at as agreedAt'])
    .where('user_id', '=', userId)
    .orderBy('agreed_at')
    .orderBy('document')
    .orderBy('version')
    .execute();
}

/** Writes that somebody agreed to a text; once said it stays as it was said. */
export async function addConsent(
  trx: Query,
  userId: number,
  { document, version, hash }: Pick<StoredVersion, 'document' | 'version' | 'hash'>,
  now: number,
): Promise<void> {
  await trx
    .insertInto('agreement_consents')
    .values({ user_id: userId, document, version, hash, agreed_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'document', 'version']).doNothing())
    .execute();
}

/** How many people agreed to each text. */
export async function countConsents(
  query: Query,
): Promise<{ document: AgreementDocument; version: number; people: number }[]> {
  const rows = await query
    .selectFrom('agreement_consents')
    .select(({ fn }) => ['document', 'version', fn.countAll<number>().as('people')])
    .groupBy(['document', 'version'])
    .execute();
  return rows.map(({ people, ...of }) => ({ ...of, people: Number(people) }));
}

/** Writes that somebody said they are under 14. */
export async function declareMinor(trx: Trx, userId: number, now: number): Promise<void> {
  await trx
    .insertInto('declared_minors')
    .values({ user_id: userId, declared_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** When somebody said that they are under 14; undefined: they did not. */
export async function findDeclaration(query: Query, userId: number): Promise<{ declaredAt: number } | undefined> {
  return query
    .selectFrom('declared_minors')
    .select('declared_at as declaredAt')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Writes that a guardian consented. */
export async function addGuardianConsent(trx: Trx, consent: Insertable<GuardianConsents>): Promise<void> {
  await trx.insertInto('guardian_consents').values(consent).execute();
}

/** What guardians consented to for somebody. */
export async function readGuardianConsents(
  query: Query,
  userId: number,
): Promise<Omit<Selectable<GuardianConsents>, 'user_id'>[]> {
  return query
    .selectFrom('guardian_consents')
    .select(['id', 'name', 'phone', 'document', 'version', 'hash', 'agreed_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Takes out who the guardians of somebody were; that one consented, and to what, stays. */
export async function emptyGuardians(trx: PeopleTrx, userId: number): Promise<void> {
  await trx.updateTable('guardian_consents').set({ name: '', phone: '' }).where('user_id', '=', userId).execute();
}
