import type { StoredCategory } from './category-store.ts';

/** The names of a category from the big one down, by its id. */
export function categoryNames(categories: readonly StoredCategory[]): Map<number, string[]> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  return new Map(
    categories.map(({ id, parentId, name }) => {
      const big = byId.get(parentId);
      return [id, big ? [big.name, name] : [name]];
    }),
  );
}

/** A category with how many packs stand in it, and its little ones. */
interface CountedCategory {
  id: number;
  name: string;
  packCount: number;
  childes: { id: number; name: string; packCount: number }[];
}

/** The categories in which packs stand, the big ones in order. @param categoryIds the category of each pack */
export function countCategories(
  categories: readonly StoredCategory[],
  categoryIds: readonly (number | null)[],
): CountedCategory[] {
  const counts = new Map<number, number>();
  for (const id of categoryIds) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  const below = Map.groupBy(categories, ({ parentId }) => parentId);
  return (below.get(0) ?? []).flatMap(({ id, name }) => {
    const childes = (below.get(id) ?? []).flatMap((little) => {
      const packCount = counts.get(little.id) ?? 0;
      return packCount > 0 ? [{ id: little.id, name: little.name, packCount }] : [];
    });
    const packCount = (counts.get(id) ?? 0) + childes.reduce((sum, little) => sum + little.packCount, 0);
    return packCount > 0 ? [{ id, name, packCount, childes }] : [];
  });
}
