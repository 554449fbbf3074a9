import { batches } from '#server/db/batches.ts';
import type { Trx } from '#server/db/open.ts';
import type { Correction } from './correction-store.ts';

/** Case material as it shall be stored. */
interface WantedCase {
  key: string;
  title: string;
  text: string;
}

/**
 * Writes case material by its keys; what is changed is kept for the records that began with it.
 * @returns the ids by key, and the ids of those that read differently now
 */
export async function syncCases(
  trx: Trx,
  packId: number,
  cases: readonly WantedCase[],
  correction: Correction,
): Promise<{ ids: Map<string, number>; changedIds: number[] }> {
  const ids = new Map<string, number>();
  const changedIds: number[] = [];
  for (const batch of batches(cases)) {
    const keys = batch.map(({ key }) => key);
    const rows = await trx
      .selectFrom('cases')
      .selectAll()
      .where('pack_id', '=', packId)
      .where('slug', 'in', keys)
      .execute();
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    const replaced: typeof rows = [];
    const write = batch.filter(({ key, title, text }) => {
      const stored = bySlug.get(key);
      if (stored) ids.set(key, stored.id);
      const differs = !stored || stored.title !== title || stored.text !== text;
      if (stored && differs) {
        changedIds.push(stored.id);
        replaced.push(stored);
      }
      return differs;
    });
    if (write.length === 0) continue;
    await correction.keepCases(replaced);
    const written = await trx
      .insertInto('cases')
      .values(write.map(({ key, title, text }) => ({ pack_id: packId, slug: key, title, text })))
      .onConflict((conflict) =>
        conflict
          .columns(['pack_id', 'slug'])
          .doUpdateSet((set) => ({ title: set.ref('excluded.title'), text: set.ref('excluded.text') })),
      )
      .returning(['id', 'slug'])
      .execute();
    for (const row of written) ids.set(row.slug, row.id);
  }
  return { ids, changedIds };
}
