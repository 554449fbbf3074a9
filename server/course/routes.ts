import { CourseDetails, JoinCourse, ListCourses, MyCourses } from '#contract/course.ts';
import type { Why } from '#contract/envelope.ts';
import { saleState } from '#rules/order/sale.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { enrol } from './enrolment-store.ts';
import type { PackCounts } from './exam-counts.ts';
import { readCourses, readPacks } from './store.ts';

/** What orders know of packs; they are built on courses, so it is passed in by `app.ts`. */
interface PackSales {
  /** The school takes payments in some way. */
  payable(): boolean;
  /** Seats that paid and waiting orders take. */
  seatsTaken(packId: number): Promise<number>;
  /** What somebody has to do before they may join (decisions §7); null: nothing. */
  mayJoin(userId: number, now: number): Promise<Why | null>;
}

/** Binds the calls of contract/course.ts. */
export function courseRoutes(serve: Serve, { db }: Parts, counts: PackCounts, sales: PackSales): void {
  serve(ListCourses, async ({ user }) => ({ list: await readPacks(db.query, counts, user?.userId ?? null) }));
  serve(CourseDetails, async ({ input: { packId }, user, arrivedAt }) => {
    const [pack] = await readPacks(db.query, counts, user?.userId ?? null, { packId });
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
    };
  });
  serve(JoinCourse, async ({ input: { packId }, user, arrivedAt }) => {
    const [pack] = await readPacks(db.query, counts, user.userId, { packId });
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
