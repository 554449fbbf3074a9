/** Packs on one page of the market, unless asked otherwise. */
export const PACKS_PER_PAGE = 24;
/** The longest text that packs are searched by. */
export const PACK_SEARCH_LONGEST = 60;
/** In which order packs stand: as the school has them (found ones by how well they fit), the newest first, by price. */
export const packSorts = ['school', 'newest', 'cheap', 'dear'] as const;
export type PackSort = (typeof packSorts)[number];
/** What packs cost: nothing, or something. */
export const packPrices = ['free', 'sale'] as const;
export type PackPrice = (typeof packPrices)[number];
/** Suggestions for what is typed, at most (spec §9). */
export const MOST_PACK_SUGGESTIONS = 8;
/** Packs that home calls new. */
export const NEWEST_PACKS = 8;
/** Packs that are recommended beside a lesson, at most. */
export const RECOMMENDED_PACKS = 4;
/** Exam days ahead that are told. */
export const MOST_EXAM_DAYS = 20;
