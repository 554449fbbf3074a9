import { REGION_LONGEST, UNIVERSITIES_PER_PAGE, UNIVERSITY_NAME_LONGEST } from '#contract/values/university.ts';
import { idFrom } from '#web/lib/paths.ts';
import type { Input } from '#web/lib/send.ts';
import { queryOf } from '#web/lib/send.ts';

/** Level filters in the order they stand (spec §9). */
export const LEVELS = ['all', '985', '211', 'dfc'] as const;
export type Level = (typeof LEVELS)[number];

/** What the universities page shows; all of it is in the address, so back, refresh and a shared link keep it. */
export interface View {
  /** The name filter, trimmed; '' for none. */
  name: string;
  prov: string;
  city: string;
  level: Level;
  /** How many pages of the list are shown. */
  page: number;
  /** The university whose details are open. */
  id: number | null;
  /** The comparison is open. */
  comparing: boolean;
}

/** A hand-made address must not ask for thousands of pages at once. */
const MOST_PAGES = 200;

const short = (text: string | null, longest: number) => (text ?? '').trim().slice(0, longest);

/** Reads the view out of an address; what is no sense in it counts as left out. */
export function viewOf(search: URLSearchParams): View {
  const page = idFrom(search.get('page')) ?? 1;
  return {
    name: short(search.get('name'), UNIVERSITY_NAME_LONGEST),
    prov: short(search.get('prov'), REGION_LONGEST),
    city: short(search.get('city'), REGION_LONGEST),
    level: LEVELS.find((level) => level === search.get('level')) ?? 'all',
    page: page <= MOST_PAGES ? page : 1,
    id: idFrom(search.get('id')),
    comparing: search.get('compare') === '1',
  };
}

/** The query of an address that shows this view, without what goes without saying; begins with ? unless empty. */
export function searchOf(view: View): string {
  return queryOf({
    name: view.name || undefined,
    prov: view.prov || undefined,
    city: view.city || undefined,
    level: view.level === 'all' ? undefined : view.level,
    page: view.page === 1 ? undefined : view.page,
    id: view.id,
    compare: view.comparing ? 1 : undefined,
  });
}

/**
 * A change of any filter begins at page 1 again, and so does an emptied name even where none was in force (spec §4);
 * another province forgets the city.
 */
export function narrowed(view: View, change: Partial<Pick<View, 'name' | 'prov' | 'city' | 'level'>>): View {
  const next = { ...view, ...change };
  const moved = change.prov !== undefined && change.prov !== view.prov && change.city === undefined;
  const same =
    next.name === view.name && next.prov === view.prov && next.city === view.city && next.level === view.level;
  if (same && (change.name !== '' || view.page === 1)) return view;
  return { ...next, city: moved ? '' : next.city, page: 1 };
}

/** Whether anything narrows the list. */
export const isNarrowed = (view: View) => view.name + view.prov + view.city !== '' || view.level !== 'all';

/** The list call for one page of a view. */
export function listInput(view: View, pageNum: number): Input<'GET /app/university/list'> {
  return {
    pageNum,
    pageSize: UNIVERSITIES_PER_PAGE,
    ...(view.name && { name: view.name }),
    ...(view.prov && { prov: view.prov }),
    ...(view.city && { city: view.city }),
    ...(view.level === '985' && { is985: 1 }),
    ...(view.level === '211' && { is211: 1 }),
    ...(view.level === 'dfc' && { isDfc: 1 }),
  };
}
