import { CourseDetails, JoinCourse, ListCourses, MyCourses } from '#contract/course.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { enrol } from './enrolment-store.ts';
import type { PackCounts } from './exam-counts.ts';
import { readCourses, readPacks } from './store.ts';

/** Binds the calls of contract/course.ts. */
export function courseRoutes(serve: Serve, { db }: Parts, counts: PackCounts): void {
  serve(ListCourses, async ({ user }) => ({ list: await readPacks(db.query, counts, user?.userId ?? null) }));
  serve(CourseDetails, async ({ input: { packId }, user }) => {
    const [pack] = await readPacks(db.query, counts, user?.userId ?? null, { packId });
    if (!pack) return refuse('notFound');
    return { ...pack, enrolOpen: pack.enrol === 'open' ? 1 : 0, courses: await readCourses(db.query, counts, packId) };
  });
  serve(JoinCourse, async ({ input: { packId }, user, arrivedAt }) => {
    const [pack] = await readPacks(db.query, counts, user.userId, { packId });
    if (!pack) return refuse('notFound');
    if (pack.buyState === 1) return {};
    if (pack.enrol !== 'open') return refuse('enrolClosed');
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
