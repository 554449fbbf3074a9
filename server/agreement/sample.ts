import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agreementDocuments } from '#contract/values/agreement.ts';
import type { Db } from '#server/db/open.ts';
import { publishAgreement } from './publish.ts';
import { addConsent, findInForce } from './store.ts';

const folder = join(import.meta.dirname, '../../content/agreement');

/**
 * Brings the samples into force where the school has nothing yet, for the demo only: a school publishes its own. The demo's people,
 * who are nobody, have agreed to them.
 */
export async function loadSampleAgreements(db: Db, demoPeople: readonly number[], now: number): Promise<void> {
  for (const document of agreementDocuments) {
    if (await findInForce(db.query, document)) continue;
    const text = await readFile(join(folder, `${document}.md`), 'utf8');
    const published = await publishAgreement(db, { document, text, sample: true }, now);
    if (!published.ok)
      throw new Error(`the sample agreement ${document} cannot be shown: ${published.faults.join('; ')}`);
  }
  for (const document of agreementDocuments) {
    const text = await findInForce(db.query, document);
    if (text?.is_sample === 1) for (const userId of demoPeople) await addConsent(db.query, userId, text, now);
  }
}
