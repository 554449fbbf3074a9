import type { Selectable } from 'kysely';
import type { Trx } from '#server/db/open.ts';
import type { Exams, PaperRevisions, RescoreTasks } from '#server/db/schema.ts';
import { findKept, type PaperVersion, setVersion } from './teacher-correction-store.ts';

/** A version of a paper whose records a correction leads to another one. */
export type Led = Pick<RescoreTasks, 'exam_id' | 'from_version' | 'to_version'>;

/**
 * Leads the records of a paper's versions to corrected ones, after what is on offer was replaced (`Correction.replacePaper`): from what was on
 * offer to what is now, from older versions to one beside each.
 * @param exam as it stood before
 * @param beside writes a version anew, corrected, under another number
 * @param leaves whether what is on offer shows the correction no more, so that its records go beside, too
 */
export async function leadRecords<Version extends Pick<PaperVersion, 'kept' | 'version'>>(
  trx: Trx,
  exam: Selectable<Exams>,
  versions: readonly Version[],
  beside: (kept: Selectable<PaperRevisions>, version: Version, number: number) => Promise<void>,
  leaves = false,
): Promise<Led[]> {
  const led: Led[] = [];
  let next = exam.version;
  const goBeside = async (kept: Selectable<PaperRevisions>, one: Version) => {
    next += 1;
    await beside(kept, one, next);
    led.push({ exam_id: exam.id, from_version: one.version, to_version: next });
  };
  for (const one of versions) if (one.kept !== null) await goBeside(one.kept, one);
  const onOffer = versions.find(({ kept }) => kept === null);
  const replaced = onOffer ? await findKept(trx, exam.id, onOffer.version) : null;
  if (onOffer && replaced && leaves) await goBeside(replaced, onOffer);
  await setVersion(trx, exam.id, next + 1);
  if (onOffer && replaced && !leaves)
    led.push({ exam_id: exam.id, from_version: onOffer.version, to_version: next + 1 });
  return led;
}
