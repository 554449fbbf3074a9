import type { Query, Trx } from '#server/db/open.ts';

/** A category as it is stored; big ones have `parentId` 0. */
export interface StoredCategory {
  id: number;
  parentId: number;
  name: string;
}

/** Every category in order, whether packs stand in it or not. */
export async function readCategories(query: Query): Promise<StoredCategory[]> {
  return query
    .selectFrom('pack_categories')
    .select(['id', 'parent_id as parentId', 'name'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The category of these names, made at the end of its kind where there is none. @returns its id */
export async function ensureCategory(trx: Trx, names: { big: string; little: string }): Promise<number> {
  const big = await ensure(trx, 0, names.big);
  return names.little === '' ? big : ensure(trx, big, names.little);
}

async function ensure(trx: Trx, parentId: number, name: string): Promise<number> {
  const stored = await trx
    .selectFrom('pack_categories')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (stored) return stored.id;
  const last = await trx
    .selectFrom('pack_categories')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('parent_id', '=', parentId)
    .executeTakeFirst();
  // Another import may have made it since it was looked for: then that row is taken.
  const { id } = await trx
    .insertInto('pack_categories')
    .values({ parent_id: parentId, name, position: Number(last?.position ?? 0) + 1 })
    .onConflict((conflict) => conflict.columns(['parent_id', 'name']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Puts categories in the order of a list, those that it does not name behind them; missing ones are made. */
export async function orderCategories(
  trx: Trx,
  wanted: readonly { name: string; little: readonly string[] }[],
): Promise<void> {
  const order = async (parentId: number, ids: readonly number[]) => {
    const stored = await trx
      .selectFrom('pack_categories')
      .select(['id', 'position'])
      .where('parent_id', '=', parentId)
      .orderBy('position')
      .orderBy('id')
      .execute();
    const rest = stored.map(({ id }) => id).filter((id) => !ids.includes(id));
    const before = new Map(stored.map(({ id, position }) => [id, position]));
    for (const [at, id] of [...ids, ...rest].entries())
      if (before.get(id) !== at + 1)
        await trx
          .updateTable('pack_categories')
          .set({ position: at + 1 })
          .where('id', '=', id)
          .execute();
  };
  const bigIds: number[] = [];
  for (const { name, little } of wanted) {
    const big = await ensure(trx, 0, name);
    bigIds.push(big);
    const littleIds: number[] = [];
    for (const one of little) littleIds.push(await ensure(trx, big, one));
    await order(big, littleIds);
  }
  await order(0, bigIds);
}
