import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListCourses, SuggestCourses } from '#contract/course.ts';
import type { CategoryPacks, ListBanners, ListCategories, ListExamDays, ListNewest } from '#contract/course-market.ts';
import type { RecommendCourses } from '#contract/play.ts';
import {
  MOST_EXAM_DAYS,
  MOST_PACK_SUGGESTIONS,
  NEWEST_PACKS,
  PACKS_PER_PAGE,
  RECOMMENDED_PACKS,
} from '#contract/values/course.ts';
import { chinaTime } from '#rules/clock/china-day.ts';
import {
  type Fit,
  findPacks,
  fits,
  isShownAt,
  pageOfPacks,
  placeOf,
  recommendedPacks,
  type ShelvedPack,
} from '#rules/course/market.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import { matchOf } from '#rules/search/match.ts';
import type { Query } from '#server/db/open.ts';
import { categoryNames, countCategories } from './category.ts';
import { readCategories } from './category-store.ts';
import { readJoined } from './enrolment-store.ts';
import type { PackCounts } from './exam-counts.ts';
import { type PromotionKind, readPromotions } from './promotion-store.ts';
import type { SearchShelf } from './search-shelf.ts';
import { readExamDays, readShelf } from './shelf-store.ts';
import { readPacks } from './store.ts';

/** What the market is made of. */
export interface MarketParts {
  query: Query;
  counts: PackCounts;
  shelf: SearchShelf;
}

type Page = DataOf<typeof ListCourses>;

async function shelved(query: Query): Promise<ShelvedPack[]> {
  const parents = new Map((await readCategories(query)).map(({ id, parentId }) => [id, parentId]));
  const packs = await readShelf(query);
  return packs.map(({ categoryId, ...pack }) => ({
    ...pack,
    categoryIds: categoryId === null ? [] : [categoryId, parents.get(categoryId) ?? 0],
  }));
}

/** Packs by their ids, as one person sees them, in the order of the ids. */
async function shown({ query, counts }: MarketParts, userId: number | null, ids: readonly number[]) {
  const packs = new Map((await readPacks(query, counts, userId, { packIds: ids })).map((pack) => [pack.packId, pack]));
  return ids.flatMap((id) => packs.get(id) ?? []);
}

/** One page of the packs that fit every filter; found ones by how well they fit, where no other order is asked for. */
export async function listMarket(
  parts: MarketParts,
  userId: number | null,
  {
    keyword = '',
    hasLessons,
    hasExams,
    sort = 'school',
    pageNum = 1,
    pageSize = PACKS_PER_PAGE,
    afterPlace: after,
    ...filter
  }: InputOf<typeof ListCourses>,
): Promise<Page> {
  const found = keyword.trim() === '' ? null : findPacks(await parts.shelf(), keyword);
  let packs = (await shelved(parts.query)).filter((pack) => fits(pack, filter) && (found?.has(pack.packId) ?? true));
  const { counts } = parts;
  if (hasLessons === 1) packs = await withSome(packs, counts.lessonsByPack);
  if (hasExams === 1) packs = await withSome(packs, counts.papersByPack);
  const fitOf = (packId: number): Fit | null => found?.get(packId) ?? null;
  const page = pageOfPacks(
    packs.map((pack) => ({ pack: pack.packId, place: placeOf(sort, pack, fitOf(pack.packId)) })),
    { pageNum, pageSize, after },
  );
  return {
    list: await shown(parts, userId, page.list),
    afterPlace: page.after,
    total: packs.length,
    pages: Math.ceil(packs.length / pageSize),
    pageNum,
  };
}

async function withSome(
  packs: readonly ShelvedPack[],
  count: () => Promise<ReadonlyMap<number, number>>,
): Promise<ShelvedPack[]> {
  const counts = await count();
  return packs.filter(({ packId }) => (counts.get(packId) ?? 0) > 0);
}

/** Packs for what is typed, each with the reason. */
export async function suggestPacks(shelf: SearchShelf, typed: string): Promise<DataOf<typeof SuggestCourses>> {
  const all = await shelf();
  const found = [...(findPacks(all, typed) ?? [])].map(([packId, fit], at) => ({
    pack: { packId, hit: fit.hit },
    place: [fit.hit.rank, fit.length, at],
  }));
  const { list } = pageOfPacks(found, { pageNum: 1, pageSize: MOST_PACK_SUGGESTIONS });
  return {
    list: list.map(({ packId, hit }) => {
      const { by, text, from, to, reading } = matchOf(hit);
      return { id: packId, name: all.get(packId)?.name.text ?? '', match: { by, text, from, to, reading } };
    }),
  };
}

/** The categories that have packs. */
export async function listCategories(query: Query): Promise<DataOf<typeof ListCategories>['list']> {
  const packs = await readShelf(query);
  return countCategories(
    await readCategories(query),
    packs.map(({ categoryId }) => categoryId),
  );
}

/** One category with a page of its packs; null: there is none, or no pack in it. */
export async function categoryPacks(
  parts: MarketParts,
  userId: number | null,
  asked: InputOf<typeof CategoryPacks>,
): Promise<DataOf<typeof CategoryPacks> | null> {
  for (const big of await listCategories(parts.query)) {
    const little = big.childes.find(({ id }) => id === asked.categoryId);
    if (big.id !== asked.categoryId && !little) continue;
    return {
      ...(little ?? big),
      parentId: little ? big.id : null,
      childes: little ? [] : big.childes,
      packs: await listMarket(parts, userId, asked),
    };
  }
  return null;
}

/** The packs that came last. */
export async function listNewest(parts: MarketParts, userId: number | null): Promise<DataOf<typeof ListNewest>> {
  return { list: (await listMarket(parts, userId, { sort: 'newest', pageNum: 1, pageSize: NEWEST_PACKS })).list };
}

/** Packs for who studies one; null: there is no such pack on offer. */
export async function recommendPacks(
  parts: MarketParts,
  userId: number | null,
  packId: number,
): Promise<DataOf<typeof RecommendCourses> | null> {
  const packs = await shelved(parts.query);
  const of = packs.find((pack) => pack.packId === packId);
  if (of === undefined) return null;
  const joined = userId === null ? [] : await readJoined(parts.query, userId);
  const had = new Set(joined.map((pack) => pack.packId));
  return { list: await shown(parts, userId, recommendedPacks(packs, of, { had, most: RECOMMENDED_PACKS })) };
}

/** The real exams ahead that packs prepare for; that of today counts. */
export async function listExamDays(query: Query, now: number): Promise<DataOf<typeof ListExamDays>> {
  const names = categoryNames(await readCategories(query));
  const days = await readExamDays(query, chinaTime(now).slice(0, 10), MOST_EXAM_DAYS);
  return {
    list: days.map(({ categoryId, ...day }) => ({
      ...day,
      categoryName: (names.get(categoryId ?? 0) ?? []).join(' · '),
    })),
  };
}

/** What the school promotes of one kind at this moment, in its order. */
export async function listPromotions(
  query: Query,
  kind: PromotionKind,
  now: number,
): Promise<DataOf<typeof ListBanners>['list']> {
  const address = (name: string) => (name === '' ? '' : fileAddress(name));
  return (await readPromotions(query, kind))
    .filter(({ from_at, until_at }) => isShownAt({ from: from_at, until: until_at }, now))
    .map(({ id, title, words, link, picture, phone_picture, alt }) => ({
      ...{ id, title, words, link, alt },
      pictureUrl: address(picture),
      phonePictureUrl: address(phone_picture),
    }));
}
