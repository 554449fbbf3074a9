import type { Selectable } from 'kysely';
import { inLists } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Promotions } from '#server/db/schema.ts';

export type PromotionKind = Promotions['kind'];

/** Something that is promoted, as it shall be. Pictures are names of stored files; '' none. */
export interface WantedPromotion {
  kind: PromotionKind;
  slug: string;
  title: string;
  words: string;
  link: string;
  picture: string;
  phonePicture: string;
  alt: string;
  from: number | null;
  until: number | null;
}

/** Writes all that the school promotes, each kind in its order, and takes away the rest. @returns whether anything differed */
export async function syncPromotions(trx: Trx, wanted: readonly WantedPromotion[]): Promise<boolean> {
  const keyOf = ({ kind, slug }: { kind: string; slug: string }) => `${kind} ${slug}`;
  const stored = new Map((await trx.selectFrom('promotions').selectAll().execute()).map((row) => [keyOf(row), row]));
  let changed = false;
  for (const [at, one] of wanted.entries()) {
    const { kind, slug, title, words, link, picture, alt } = one;
    const row = {
      ...{ title, words, link, picture, phone_picture: one.phonePicture, alt },
      ...{ from_at: one.from, until_at: one.until, position: at },
    };
    const old = stored.get(keyOf(one));
    stored.delete(keyOf(one));
    if (old && !differs(row, old)) continue;
    changed = true;
    await trx
      .insertInto('promotions')
      .values({ kind, slug, ...row })
      .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet(row))
      .execute();
  }
  for (const { id } of stored.values()) {
    changed = true;
    await trx.deleteFrom('promotions').where('id', '=', id).execute();
  }
  return changed;
}

/** What is promoted of one kind, in order, whenever it is shown. */
export async function readPromotions(query: Query, kind: PromotionKind): Promise<Selectable<Promotions>[]> {
  return query.selectFrom('promotions').selectAll().where('kind', '=', kind).orderBy('position').execute();
}

/** Those of these stored files that something promoted shows, with what it is called. */
export async function readPromotedFiles(query: Query, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const some of inLists(names)) {
    const rows = await query
      .selectFrom('promotions')
      .select(['title', 'picture', 'phone_picture'])
      .where((is) => is.or([is('picture', 'in', some), is('phone_picture', 'in', some)]))
      .execute();
    for (const { title, picture, phone_picture } of rows)
      for (const name of [picture, phone_picture]) if (some.includes(name)) found.set(name, title);
  }
  return found;
}
