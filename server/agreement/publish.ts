import { hash } from 'node:crypto';
import { richFromMarkdown } from '#content/rich-text/rich-text.ts';
import type { AgreementDocument } from '#contract/values/agreement.ts';
import { type Db, isDuplicate } from '#server/db/open.ts';
import { addVersion, findInForce } from './store.ts';

/** Longest text, in code points: some forty pages. */
const LONGEST = 100_000;

type Published =
  | { ok: true; version: number /** The very text was in force already. */; same: boolean }
  | { ok: false; faults: readonly string[] };

/**
 * Brings a document into force. Texts are only ever added; the very text that is in force is not published again, so that nobody is
 * asked twice about the same.
 */
export async function publishAgreement(
  db: Db,
  { document, text, sample = false }: { document: AgreementDocument; text: string; sample?: boolean },
  now: number,
): Promise<Published> {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (plain.trim() === '') return { ok: false, faults: ['文件是空的'] };
  if ([...plain].length > LONGEST) return { ok: false, faults: [`超过 ${LONGEST} 字`] };
  // No pictures: what is agreed to has to be a text with a hash.
  const rich = richFromMarkdown(plain, () => null);
  const faults = [...rich.faults, ...rich.missing.map((src) => `协议里不能有图片：${src}`)];
  if (faults.length > 0) return { ok: false, faults };
  const of = hash('sha256', plain, 'hex');
  for (;;) {
    try {
      return await db.transaction(async (trx) => {
        const last = await findInForce(trx, document);
        if (last?.hash === of) return { ok: true, version: last.version, same: true };
        const version = (last?.version ?? 0) + 1;
        await addVersion(trx, {
          ...{
            document,
            version,
            text: plain,
            html: rich.html,
            hash: of,
            is_sample: sample ? 1 : 0,
            published_at: now,
          },
        });
        return { ok: true, version, same: false };
      });
    } catch (error) {
      // Another text was published in that moment: this one comes after it, unless it is the same.
      if (!isDuplicate(error)) throw error;
    }
  }
}
