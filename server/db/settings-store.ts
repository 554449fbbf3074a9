import type { Query } from './open.ts';

/** An installation-wide value; null when it was never written. */
export async function readSetting(query: Query, key: string): Promise<string | null> {
  const row = await query.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Writes an installation-wide value over what was there. */
export async function writeSetting(query: Query, key: string, value: string): Promise<void> {
  await query
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
