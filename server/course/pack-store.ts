import type { Insertable } from 'kysely';
import { inLists } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { Packs } from '#server/db/schema.ts';
import { ensureCategory } from './category-store.ts';

/** A pack's own row as it shall be, without its content. */
interface WantedPack {
  /** Its stable key in the installation. */
  slug: string;
  name: string;
  summary: string;
  /** Sanitized HTML. */
  description: string;
  /** `2026-12-19`; null: none is set. */
  examDate: string | null;
  enrol: 'open' | 'closed';
  unlock: 'free' | 'sequential';
  scoreState: 0 | 1;
  /** null: none. */
  category: { big: string; little: string } | null;
  /** Sums in fen, times in epoch milliseconds; orders that are there already keep what they were made with. */
  sale: Pick<SoldPack, 'price' | 'originalPrice' | 'seats'> & { saleFrom: number | null; saleUntil: number | null };
}

/**
 * Writes a pack's own row by its slug. It is written even when nothing changed: that locks the row, so two imports into
 * one pack follow each other.
 */
export async function syncPack(
  trx: Trx,
  pack: WantedPack,
  now: number,
): Promise<{ id: number; added: boolean; changed: boolean }> {
  const stored = await trx.selectFrom('packs').selectAll().where('slug', '=', pack.slug).executeTakeFirst();
  const last = await trx
    .selectFrom('packs')
    .select(({ fn }) => fn.max('position').as('position'))
    .executeTakeFirst();
  const row = {
    slug: pack.slug,
    name: pack.name,
    summary: pack.summary,
    description: pack.description,
    exam_date: pack.examDate,
    enrol: pack.enrol,
    unlock: pack.unlock,
    score_state: pack.scoreState,
    category_id: pack.category === null ? null : await ensureCategory(trx, pack.category),
    price: pack.sale.price,
    original_price: pack.sale.originalPrice,
    seats: pack.sale.seats,
    sale_from: pack.sale.saleFrom,
    sale_until: pack.sale.saleUntil,
    position: stored?.position ?? Number(last?.position ?? 0) + 1,
    archived: 0,
  };
  if (!stored) return { id: await addPack(trx, { ...row, listed_at: now }), added: true, changed: false };
  await trx.updateTable('packs').set(row).where('id', '=', stored.id).execute();
  return { id: stored.id, added: false, changed: differs(row, stored) };
}

/** Another process may have made the pack since it was looked for: then that row is taken. */
async function addPack(trx: Trx, row: Insertable<Packs>): Promise<number> {
  const { id } = await trx
    .insertInto('packs')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks the row of a pack until the transaction ends, so that two imports into one pack follow each other. */
export async function lockPack(trx: Trx, packId: number): Promise<void> {
  await trx
    .updateTable('packs')
    .set(({ ref }) => ({ slug: ref('slug') }))
    .where('id', '=', packId)
    .execute();
}

/** The id of a pack, archived or not; null: there is none of that slug. */
export async function findPackId(query: Query, slug: string): Promise<number | null> {
  const pack = await query.selectFrom('packs').select('id').where('slug', '=', slug).executeTakeFirst();
  return pack?.id ?? null;
}

/** The slugs of the packs that students see, in their order. */
export async function readPackSlugs(query: Query): Promise<string[]> {
  const packs = await query.selectFrom('packs').select('slug').where('archived', '=', 0).orderBy('position').execute();
  return packs.map(({ slug }) => slug);
}

/** Whether this installation holds any pack, archived ones included. */
export async function hasPacks(query: Query): Promise<boolean> {
  return (await query.selectFrom('packs').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The packs that students see, in their order. */
export async function listPacks(query: Query): Promise<{ packId: number; packName: string }[]> {
  return query
    .selectFrom('packs')
    .select(['id as packId', 'name as packName'])
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** How a pack on offer is studied; undefined: there is none. */
export async function findStudiedPack(
  query: Query,
  packId: number,
): Promise<{ name: string; sequential: boolean; scoreState: 0 | 1 } | undefined> {
  const pack = await query
    .selectFrom('packs')
    .select(['name', 'unlock', 'score_state'])
    .where('id', '=', packId)
    .where('archived', '=', 0)
    .executeTakeFirst();
  return (
    pack && { name: pack.name, sequential: pack.unlock === 'sequential', scoreState: pack.score_state === 1 ? 1 : 0 }
  );
}

/** A pack as it is sold now. Sums are fen; `price` null: it costs nothing. */
interface SoldPack {
  id: number;
  name: string;
  archived: boolean;
  /** Students may enrol by themselves. */
  open: boolean;
  price: number | null;
  originalPrice: number | null;
  seats: number | null;
  from: number | null;
  until: number | null;
}

/** How a pack is sold, archived ones too; null: there is no such pack. */
export async function findSoldPack(query: Query, packId: number): Promise<SoldPack | null> {
  const row = await query.selectFrom('packs').selectAll().where('id', '=', packId).executeTakeFirst();
  if (!row) return null;
  const { id, name, archived, enrol, price, original_price, seats, sale_from, sale_until } = row;
  return {
    id,
    name,
    archived: archived === 1,
    open: enrol === 'open',
    price,
    originalPrice: original_price,
    seats,
    from: sale_from,
    until: sale_until,
  };
}

/** Those of these packs whose lessons open one after the other. */
export async function readSequentialPacks(query: Query, packIds: readonly number[]): Promise<Set<number>> {
  const ids = padded([...new Set(packIds)]);
  if (ids.length === 0) return new Set();
  const rows = await query
    .selectFrom('packs')
    .select('id')
    .where('id', 'in', ids)
    .where('unlock', '=', 'sequential')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Those of these packs that cost nothing. */
export async function readFreePacks(query: Query, packIds: readonly number[]): Promise<Set<number>> {
  const free = new Set<number>();
  for (const some of inLists([...new Set(packIds)]))
    for (const { id } of await query
      .selectFrom('packs')
      .select('id')
      .where('id', 'in', some)
      .where('price', 'is', null)
      .execute())
      free.add(id);
  return free;
}
