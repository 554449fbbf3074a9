import type { PackPrice, PackSort } from '#contract/values/course.ts';
import { type Candidate, foldTyped, type Hit, hitIn } from '#rules/search/match.ts';

/** A pack as lists are made of it. */
export interface ShelvedPack {
  packId: number;
  /** Where the school put it. */
  position: number;
  /** In fen; null: it costs nothing. */
  price: number | null;
  /** When it came; 0: before that was noted. */
  listedAt: number;
  /** Its category, and the big one above it where there is one. */
  categoryIds: readonly number[];
}

/** What a list of packs is narrowed to; what is left out narrows nothing. */
interface MarketFilter {
  categoryId?: number | undefined;
  price?: PackPrice | undefined;
}

/** Whether a pack fits every filter that can be told from it alone. */
export function fits(pack: ShelvedPack, { categoryId, price }: MarketFilter): boolean {
  return (
    (categoryId === undefined || pack.categoryIds.includes(categoryId)) &&
    (price === undefined || (pack.price === null) === (price === 'free'))
  );
}

/** The place of a pack in an order: compared number by number; no two packs have the same. */
type Place = readonly number[];

/** A found pack: how well it fits what was typed. */
export interface Fit {
  hit: Hit;
  /** Of its name, in characters that count. */
  length: number;
}

/**
 * Where a pack stands in an order. A place says nothing of the other packs, so a list that is read on from one neither
 * repeats nor misses any, whatever came or went meanwhile.
 */
export function placeOf(sort: PackSort, pack: ShelvedPack, fit: Fit | null): Place {
  const school = [pack.position, pack.packId];
  switch (sort) {
    case 'newest':
      return [-pack.listedAt, -pack.packId];
    case 'cheap':
      return [pack.price ?? 0, ...school];
    case 'dear':
      return [-(pack.price ?? 0), ...school];
    case 'school':
      return fit === null ? school : [fit.hit.rank, fit.length, ...school];
  }
}

function compare(a: Place, b: Place): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const less = (a[at] ?? 0) - (b[at] ?? 0);
    if (less !== 0) return less;
  }
  return 0;
}

/** A page of packs in an order. `after`: the place of the last one on the page before, as text. */
export function pageOfPacks<P>(
  placed: readonly { pack: P; place: Place }[],
  { pageNum, pageSize, after }: { pageNum: number; pageSize: number; after?: string | undefined },
): { list: P[]; after: string | null } {
  const ordered = placed.toSorted((a, b) => compare(a.place, b.place));
  const last = after?.split('_').map(Number);
  const ahead = last ? ordered.filter(({ place }) => compare(place, last) > 0) : ordered;
  const from = last ? 0 : (pageNum - 1) * pageSize;
  const page = ahead.slice(from, from + pageSize);
  return {
    list: page.map(({ pack }) => pack),
    after: from + pageSize < ahead.length ? (page.at(-1)?.place.join('_') ?? null) : null,
  };
}

/**
 * Packs for who studies one: those that share its little category first, then its big one, then all others, each group in the
 * school's order.
 * @param of the pack that is studied
 * @param had what is not recommended: packs that its student has joined, beside the pack itself
 */
export function recommendedPacks(
  packs: readonly ShelvedPack[],
  of: ShelvedPack,
  { had, most }: { had: ReadonlySet<number>; most: number },
): number[] {
  const [own = 0] = of.categoryIds;
  const kinship = ({ categoryIds }: ShelvedPack) =>
    categoryIds.includes(own) ? 0 : categoryIds.some((id) => id !== 0 && of.categoryIds.includes(id)) ? 1 : 2;
  return packs
    .filter(({ packId }) => packId !== of.packId && !had.has(packId))
    .toSorted((a, b) => compare([kinship(a), a.position, a.packId], [kinship(b), b.position, b.packId]))
    .slice(0, most)
    .map(({ packId }) => packId);
}

/** Packs that a text finds, by their ids; null: it looks for nothing (blanks). */
export function findPacks(all: ReadonlyMap<number, Candidate>, typed: string): ReadonlyMap<number, Fit> | null {
  const query = foldTyped(typed);
  if (query === null) return null;
  const found = new Map<number, Fit>();
  for (const [packId, candidate] of all) {
    const hit = hitIn(candidate, query);
    if (hit) found.set(packId, { hit, length: candidate.name.folded.length });
  }
  return found;
}

/** Where something that is promoted may lead to: a page of this site, or another site by https. */
export const isPromotedLink = (link: string): boolean =>
  /^\/(?![/\\])[^\s\\]*$/.test(link) || /^https:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/.test(link);

/** Whether something is shown at a moment: from its first until before its last millisecond. */
export const isShownAt = ({ from, until }: { from: number | null; until: number | null }, now: number): boolean =>
  (from === null || now >= from) && (until === null || now < until);
