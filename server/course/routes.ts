import { CourseDetails, JoinCourse, ListCourses, MyCourses, SuggestCourses } from '#contract/course.ts';
import {
  AdTip,
  CategoryPacks,
  ListAds,
  ListBanners,
  ListBigCategories,
  ListCategories,
  ListExamDays,
  ListLittleCategories,
  ListNewest,
} from '#contract/course-market.ts';
import type { Why } from '#contract/envelope.ts';
import { RecommendCourses } from '#contract/play.ts';
import { saleState } from '#rules/order/sale.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { enrol } from './enrolment-store.ts';
import {
  categoryPacks,
  listCategories,
  listExamDays,
  listMarket,
  listNewest,
  listPromotions,
  type MarketParts,
  recommendPacks,
  suggestPacks,
} from './market.ts';
import { readCourses, readPacks } from './store.ts';
import { readTeachers } from './teacher-store.ts';

/** What orders know of packs; they are built on courses, so it is passed in by `app.ts`. */
interface PackSales {
  /** The school takes payments in some way. */
  payable(): boolean;
  /** Seats that paid and waiting orders take. */
  seatsTaken(packId: number): Promise<number>;
  /** What somebody has to do before they may join (decisions §7); null: nothing. */
  mayJoin(userId: number, now: number): Promise<Why | null>;
}

/** Binds the calls of contract/course.ts and contract/course-market.ts. */
export function courseRoutes(serve: Serve, { db }: Parts, market: MarketParts, sales: PackSales): void {
  const { counts } = market;
  const { query } = db;
  serve(ListCourses, ({ input, user }) => listMarket(market, user?.userId ?? null, input));
  serve(SuggestCourses, ({ input }) => suggestPacks(market.shelf, input.keyword));
  serve(ListCategories, async () => ({ list: await listCategories(query) }));
  serve(CategoryPacks, async ({ input, user }) => {
    return (await categoryPacks(market, user?.userId ?? null, input)) ?? refuse('notFound');
  });
  serve(ListBigCategories, async () => ({
    list: (await listCategories(query)).map(({ id, name, packCount }) => ({ id, name, packCount })),
  }));
  serve(ListLittleCategories, async ({ input: { categoryId } }) => {
    const big = (await listCategories(query)).find(({ id }) => id === categoryId);
    return big ? { list: big.childes } : refuse('notFound');
  });
  serve(ListExamDays, ({ arrivedAt }) => listExamDays(query, arrivedAt));
  serve(ListNewest, ({ user }) => listNewest(market, user?.userId ?? null));
  serve(
    RecommendCourses,
    async ({ input, user }) => (await recommendPacks(market, user?.userId ?? null, input.packId)) ?? refuse('notFound'),
  );
  serve(ListBanners, async ({ arrivedAt }) => ({ list: await listPromotions(query, 'banner', arrivedAt) }));
  serve(ListAds, async ({ arrivedAt }) => ({ list: await listPromotions(query, 'ad', arrivedAt) }));
  serve(AdTip, async ({ arrivedAt }) => ({ tip: (await listPromotions(query, 'tip', arrivedAt))[0] ?? null }));
  serve(CourseDetails, async ({ input: { packId }, user, arrivedAt }) => {
    const [pack] = await readPacks(db.query, counts, user?.userId ?? null, { packIds: [packId] });
    if (!pack) return refuse('notFound');
    const taken = pack.price === null ? 0 : await sales.seatsTaken(packId);
    const { price, seats, saleFrom: from, saleUntil: until } = pack;
    const sold = { archived: false, open: pack.enrol === 'open', price, seats, taken, from, until };
    return {
      ...pack,
      enrolOpen: sold.open ? 1 : 0,
      seatsLeft: seats === null ? null : Math.max(0, seats - taken),
      saleState: saleState(sold, arrivedAt, sales.payable()),
      courses: await readCourses(db.query, counts, packId),
      teachers: (await readTeachers(query, packId)).map(({ picture, ...words }) => ({ ...words, pictureUrl: picture })),
    };
  });
  serve(JoinCourse, async ({ input: { packId }, user, arrivedAt }) => {
    const [pack] = await readPacks(db.query, counts, user.userId, { packIds: [packId] });
    if (!pack) return refuse('notFound');
    if (pack.buyState === 1) return {};
    if (pack.enrol !== 'open') return refuse('enrolClosed');
    if (pack.price !== null) return refuse('mustBuy');
    const lacks = await sales.mayJoin(user.userId, arrivedAt);
    if (lacks !== null) return refuse(lacks);
    await enrol(db.query, user.userId, packId, arrivedAt);
    return {};
  });
  serve(MyCourses, async ({ user }) => {
    const packs = await readPacks(db.query, counts, user.userId, { enrolledOnly: true });
    const list = packs.map((pack) => ({ ...pack, joinedAt: pack.joinedAt ?? 0 }));
    const touched = (pack: (typeof list)[number]) => pack.lastStudiedAt ?? pack.joinedAt;
    return { list: list.sort((a, b) => touched(b) - touched(a)) };
  });
}
