import { type NavigateOptions, useSearchParams } from 'react-router';

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
