import type { Query } from './open.ts';

/** An installation-wide value; null when it was never written. */
export async function readSetting(query: Query, key: string): Promise<string | null> {
  const row = await query.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** An installation-wide value that is settled once: what was there, else what `make` gives, for all processes alike. */
export async function settledSetting(query: Query, key: string, make: () => string): Promise<string> {
  const known = await readSetting(query, key);
  if (known !== null) return known;
  await query
    .insertInto('settings')
    .values({ key, value: make() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await readSetting(query, key)) ?? '';
}

/** Writes an installation-wide value over what was there. */
export async function writeSetting(query: Query, key: string, value: string): Promise<void> {
  await query
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
