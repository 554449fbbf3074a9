import {
  PACK_SEARCH_LONGEST,
  PACKS_PER_PAGE,
  type PackPrice,
  type PackSort,
  packPrices,
  packSorts,
} from '#contract/values/course.ts';
import { idFrom } from '#web/lib/paths.ts';
import { type Input, queryOf } from '#web/lib/send.ts';

/** What the market shows; all of it is in the address, so back, refresh and a shared link keep it. */
export interface MarketView {
  /** What is searched for, trimmed; '' for nothing. */
  keyword: string;
  /** A big category or a little one. */
  category: number | null;
  price: PackPrice | null;
  lessons: boolean;
  exams: boolean;
  sort: PackSort;
}

/** Reads the view out of an address; what is no sense in it counts as left out. */
export function marketViewOf(search: URLSearchParams): MarketView {
  return {
    keyword: (search.get('keyword') ?? '').trim().slice(0, PACK_SEARCH_LONGEST),
    category: idFrom(search.get('category')),
    price: packPrices.find((price) => price === search.get('price')) ?? null,
    lessons: search.get('lessons') === '1',
    exams: search.get('exams') === '1',
    sort: packSorts.find((sort) => sort === search.get('sort')) ?? 'school',
  };
}

/** The query of an address that shows this view, without what goes without saying; begins with ? unless empty. */
export function marketSearchOf(view: MarketView): string {
  return queryOf({
    keyword: view.keyword || undefined,
    category: view.category ?? undefined,
    price: view.price ?? undefined,
    lessons: view.lessons ? 1 : undefined,
    exams: view.exams ? 1 : undefined,
    sort: view.sort === 'school' ? undefined : view.sort,
  });
}

/** The list call for a view, without its page. */
export function marketInput(view: MarketView): Input<'GET /api/common/course_list'> {
  return {
    pageSize: PACKS_PER_PAGE,
    ...(view.keyword && { keyword: view.keyword }),
    ...(view.category !== null && { categoryId: view.category }),
    ...(view.price !== null && { price: view.price }),
    ...(view.lessons && { hasLessons: 1 }),
    ...(view.exams && { hasExams: 1 }),
    ...(view.sort !== 'school' && { sort: view.sort }),
  };
}

/** Whether anything narrows the list. */
export const isMarketNarrowed = ({ keyword, category, price, lessons, exams }: MarketView) =>
  keyword !== '' || category !== null || price !== null || lessons || exams;
