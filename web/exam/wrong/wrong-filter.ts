import { type WrongState, wrongStates } from '#contract/values/exam.ts';
import { idFrom } from '#web/lib/paths.ts';
import type { QueryChange } from '#web/lib/query.ts';
import type { Input } from '#web/lib/send.ts';

/** What the page shows: the list, what left it, what was removed, or the collection. */
export type WrongTab = WrongState | 'collected';
const wrongTabs = [...wrongStates, 'collected'] as const;

/** Questions on a page. */
export const WRONG_PAGE = 10;

/** What the address of the page narrows the list by. */
export interface WrongFilter {
  tab: WrongTab;
  chapterId?: number | undefined;
  questionTypesId?: number | undefined;
  examId?: number | undefined;
  timesWrong?: number | undefined;
  /** Only what was got wrong within so many days. */
  days?: number | undefined;
  guessed?: 1 | undefined;
  order?: 'timesWrong' | undefined;
}

const names = {
  chapterId: 'chapter',
  questionTypesId: 'type',
  examId: 'exam',
  timesWrong: 'times',
  days: 'days',
} as const;

/** The most that the call takes, or that means anything: an address may say what it likes. */
const most: { readonly [F in keyof typeof names]?: number } = { questionTypesId: 8, timesWrong: 1000, days: 3650 };

/** The filter of an address; what is none narrows nothing. */
export function filterFrom(search: URLSearchParams): WrongFilter {
  const filter: WrongFilter = { tab: wrongTabs.find((tab) => tab === search.get('tab')) ?? 'in' };
  for (const [field, name] of Object.entries(names)) {
    const id = idFrom(search.get(name));
    const known = field as keyof typeof names;
    if (id !== null && id <= (most[known] ?? id)) filter[known] = id;
  }
  if (search.get('guessed') === '1') filter.guessed = 1;
  if (search.get('order') === 'timesWrong') filter.order = 'timesWrong';
  return filter;
}

/** What a change of the filter changes in the query of its address. Leads to the first page. */
export function filterChange(change: { readonly [F in keyof WrongFilter]?: WrongFilter[F] | null }): QueryChange {
  const query: Record<string, string | number | null> = { page: null };
  for (const [field, value] of Object.entries(change)) {
    const name = names[field as keyof typeof names] ?? field;
    query[name] = value === undefined || (field === 'tab' && value === 'in') ? null : value;
  }
  return query;
}

/** Whether anything but tab and order is chosen. */
export function isNarrowed({ tab: _, order: __, ...narrowing }: WrongFilter): boolean {
  return Object.values(narrowing).some((value) => value !== undefined);
}

const DAY = 86_400_000;

/** The filter as the list and the practice made from it are asked for. `now`: epoch milliseconds. */
export function askedFilter(packId: number, filter: WrongFilter, now: number) {
  const { tab, days, order: _, ...rest } = filter;
  return {
    ...rest,
    packId,
    state: tab === 'collected' ? undefined : tab,
    // To the day, so that the same question is asked again from the cache.
    since: days === undefined ? undefined : Math.floor((now - days * DAY) / DAY) * DAY,
  } satisfies Partial<Input<'GET /api/exam/error'>>;
}
