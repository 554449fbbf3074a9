import { basename } from 'node:path';
import { readForeignStorefront } from '#content/apart/foreign.ts';
import type { Mistake } from '#content/pack/mistake.ts';
import type { CheckedPromotion, readStorefront } from '#content/storefront/storefront.ts';
import { orderCategories } from '#server/course/category-store.ts';
import { type PromotionKind, syncPromotions, type WantedPromotion } from '#server/course/promotion-store.ts';
import type { Db } from '#server/db/open.ts';
import type { Files } from '#server/files.ts';

/** What is shown of a school's front after it was loaded. */
interface StorefrontReport {
  banners: number;
  ads: number;
  tips: number;
  categories: number;
  /** Whether anything that is promoted reads differently now. */
  different: boolean;
}

/**
 * Checks the folder of a school's front and loads it in one transaction (docs/guide/storefront.md). With any mistake nothing is
 * stored and all mistakes are given. What the folder no longer has is no longer promoted.
 * @param read how the folder is read; left out: as a foreign one, apart and with bounds
 */
export async function importStorefront(
  db: Db,
  files: Files,
  folder: string,
  read: typeof readStorefront = readForeignStorefront,
): Promise<{ ok: true; report: StorefrontReport } | { ok: false; mistakes: Mistake[] }> {
  const checked = await read(folder);
  if (!checked.ok) return checked;
  const { categories, banners, ads, tips, media } = checked.front;
  // Named by its content: one that was stored before a transaction that fails is harmless and found again later.
  const names = new Map<string, string>();
  for (const { name, bytes, extension } of media)
    names.set(`media/${basename(name)}`, await files.put(bytes, extension));
  const wanted = (kind: PromotionKind, list: readonly CheckedPromotion[]): WantedPromotion[] =>
    list.map((one) => ({
      ...one,
      kind,
      picture: names.get(one.picture) ?? '',
      phonePicture: names.get(one.phonePicture) ?? '',
    }));
  const different = await db.transaction(async (trx) => {
    await orderCategories(trx, categories);
    return syncPromotions(trx, [...wanted('banner', banners), ...wanted('ad', ads), ...wanted('tip', tips)]);
  });
  return {
    ok: true,
    report: {
      ...{ banners: banners.length, ads: ads.length, tips: tips.length, categories: categories.length },
      different,
    },
  };
}
