import { type NavigateOptions, useSearchParams } from 'react-router';
import { PLACE_PATTERN } from '#contract/values/paging.ts';

/** What becomes of parts of an address's query; null and '' take a part out. */
export type QueryChange = Readonly<Record<string, string | number | null>>;

/** A query with some of its parts changed; the others stay. */
export function withQuery(search: URLSearchParams, change: QueryChange): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  return query;
}

/** A page's address with some of its query changed. */
export function addressWith(path: string, search: URLSearchParams, change: QueryChange): string {
  const text = withQuery(search, change).toString();
  return path + (text === '' ? '' : `?${text}`);
}

/** The query of a list's address on another page of it; the first page is the one without a number. */
export const onPage = (pageNum: number): QueryChange => ({ page: pageNum === 1 ? null : pageNum });

/** Pages that one has read on the way to this one, at most: older places are looked for by their number. */
const MOST_PLACES = 30;
const placesOf = (search: URLSearchParams) => (search.get('after') ?? '').split('.').filter((place) => place !== '');

/** Behind which entry the page of the address begins, of a list that shrinks while one works on it; undefined: it is found by its number. */
export function placeIn(search: URLSearchParams): string | undefined {
  const place = placesOf(search).at(-1);
  return search.has('page') && place !== undefined && new RegExp(PLACE_PATTERN).test(place) ? place : undefined;
}

/**
 * The query of such a list's address on another page. It keeps the places of the pages that were read, so that what leaves the list meanwhile moves nothing, over a
 * reload and beside an entry that is open. A page further on than the next has no place: what lies between was not read.
 * @param read the page that is on the screen, and the place behind which the next one begins; while another page is on its way, it is that of the address no more
 */
export function onPlace(
  search: URLSearchParams,
  to: number,
  read: { pageNum: number; next?: string | null } | null,
): QueryChange {
  const [asked, places] = [Number(search.get('page') ?? 1), placesOf(search)];
  const next = read?.pageNum === asked ? (read.next ?? null) : null;
  if (to > asked + 1 || (to > asked && next === null)) return { ...onPage(to), after: null };
  const back = Math.max(0, asked - to);
  const on = [...places.slice(0, Math.max(0, places.length - back)), ...(to > asked && next !== null ? [next] : [])];
  return { ...onPage(to), after: to === 1 ? null : on.slice(-MOST_PLACES).join('.') };
}

/**
 * The page's query, and how to change parts of it. A change begins with what the address says at that moment: the router's own copy is
 * one change behind where two follow at once, and the first would be lost.
 */
export function useQuery() {
  const [search, setSearch] = useSearchParams();
  const change = (parts: QueryChange, options?: NavigateOptions) =>
    setSearch(withQuery(new URLSearchParams(window.location.search), parts), options);
  return [search, change] as const;
}
