import { MOST_SUGGESTIONS } from '#contract/values/university.ts';
import {
  type Candidate,
  foldTyped,
  type Hit,
  hitIn,
  type Match,
  matchOf,
  type TypedText,
} from '#rules/search/match.ts';

/** A university as lists and filters need it. */
export interface Listed extends Candidate {
  id: number;
  prov: string;
  city: string;
  is985: number;
  is211: number;
  isDfc: number;
}

/** What a list is narrowed to; an absent field or a flag that is not 1 narrows nothing. */
interface Filter {
  name?: string | undefined;
  prov?: string | undefined;
  city?: string | undefined;
  is985?: number | undefined;
  is211?: number | undefined;
  isDfc?: number | undefined;
}

interface Found<L> {
  item: L;
  hit: Hit;
  /** Its position in the list. */
  at: number;
}

const level = ({ is985, is211, isDfc }: Listed) => is985 * 4 + is211 * 2 + isDfc;

/** Best match first; among equals the higher level, then the shorter name, then the order of the list. */
function byMatch<L extends Listed>(a: Found<L>, b: Found<L>): number {
  return (
    a.hit.rank - b.hit.rank ||
    level(b.item) - level(a.item) ||
    a.item.name.folded.length - b.item.name.folded.length ||
    a.at - b.at
  );
}

function findAll<L extends Listed>(all: readonly L[], query: TypedText): Found<L>[] {
  const found: Found<L>[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const item = all[at];
    const hit = item ? hitIn(item, query) : null;
    if (item && hit) found.push({ item, hit, at });
  }
  return found;
}

/** The best `most` in order, without sorting the rest. */
function firstOf<L extends Listed>(found: readonly Found<L>[], most: number): Found<L>[] {
  const best: Found<L>[] = [];
  for (const next of found) {
    const last = best.at(-1);
    if (best.length === most && last && byMatch(next, last) >= 0) continue;
    const before = best.findIndex((placed) => byMatch(next, placed) < 0);
    best.splice(before === -1 ? best.length : before, 0, next);
    if (best.length > most) best.pop();
  }
  return best;
}

/** At most eight universities for what is typed, each with the reason; nothing for an empty or blank text. */
export function suggest<L extends Listed>(all: readonly L[], typed: string): { item: L; match: Match }[] {
  const query = foldTyped(typed);
  if (query === null) return [];
  return firstOf(findAll(all, query), MOST_SUGGESTIONS).map(({ item, hit }) => ({ item, match: matchOf(hit) }));
}

/**
 * The universities that fit every filter, in the order of `all`, or best match first when a name is given: whatever is
 * suggested for a text is also in the list for it. A name of blanks only narrows nothing.
 */
export function filterList<L extends Listed>(all: readonly L[], filter: Filter): L[] {
  const fitting = all.filter(
    (university) =>
      (!filter.prov || university.prov === filter.prov) &&
      (!filter.city || university.city === filter.city) &&
      (filter.is985 !== 1 || university.is985 === 1) &&
      (filter.is211 !== 1 || university.is211 === 1) &&
      (filter.isDfc !== 1 || university.isDfc === 1),
  );
  const query = foldTyped(filter.name ?? '');
  if (query === null) return fitting;
  return findAll(fitting, query)
    .sort(byMatch)
    .map(({ item }) => item);
}

/** One page of a list, counted from 1; a page past the end is empty. */
export function pageOf<T>(all: readonly T[], pageNum: number, pageSize: number): { list: T[]; hasMore: boolean } {
  const from = (pageNum - 1) * pageSize;
  return { list: all.slice(from, from + pageSize), hasMore: from + pageSize < all.length };
}
