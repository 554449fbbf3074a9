import { recall, remember } from '#web/lib/remember.ts';
import { type Data, send } from '#web/lib/send.ts';

export type Agreement = Data<'GET /app/user/agreement'>;
export type AskedDocument = Agreement['list'][number];

/** What this browser's people last agreed to: who comes again by code is not asked each time. The server knows better. */
const KEY = 'lixue.agreed';
const editionOf = (documents: readonly AskedDocument[]) => documents.map(({ hash }) => hash.slice(0, 16)).join(' ');

/** The documents that everybody agrees to, of those in force. */
export const askedOf = (agreement: Agreement | undefined): readonly AskedDocument[] =>
  (agreement?.list ?? []).filter(({ asked }) => asked === 1);

/** Whether somebody agreed to exactly these in this browser. */
export const agreedHere = (documents: readonly AskedDocument[]): boolean => recall(KEY) === editionOf(documents);

/** Agrees to these texts, and to no later ones. */
export async function agreeTo(documents: readonly AskedDocument[], minor: boolean): Promise<void> {
  for (const { id, hash } of documents)
    await send('POST /app/user/agreement_agree', { resourceId: id, hash, ...(minor ? { minor: 1 } : {}) });
  remember(KEY, editionOf(documents));
}
