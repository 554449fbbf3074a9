import { FileRefused } from '#content/sheet/sheet.ts';
import { addOnlyCourse, readCourseSlugs } from '#server/course/chapter-sync-store.ts';
import { findPackId, lockPack, readPackSlugs, syncPack } from '#server/course/pack-store.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** Where a file of questions shall go, as the operator names it. */
export interface NamedTarget {
  /** Slug of the pack that gets the questions. */
  pack: string;
  /** Slug of the course in it; may be left out when the pack has only one. */
  course?: string | undefined;
  /** Name under which the pack is made when there is none of that slug; left out: a missing pack is refused. */
  packName?: string | undefined;
}

/** The pack and course that get the questions. */
export interface Target {
  packId: number;
  courseId: number;
}

/**
 * Finds the pack and course; null: the pack does not exist and shall be made.
 * @throws FileRefused with a Chinese sentence when there is no such pack or course
 */
export async function findTarget(query: Query, { pack, course, packName }: NamedTarget): Promise<Target | null> {
  const packId = await findPackId(query, pack);
  if (packId === null) {
    if (!/^[a-z0-9-]{1,64}$/.test(pack))
      throw new FileRefused(`课程包名“${pack}”只能用小写字母、数字和连字符，最多 64 个`);
    if (packName) return null;
    const slugs = await readPackSlugs(query);
    const list = slugs.length > 0 ? `现有：${slugs.join('、')}` : '现在还没有任何课程包';
    throw new FileRefused(`没有课程包“${pack}”（${list}）。要新建它，请加上 --name 名称`);
  }
  const courses = await readCourseSlugs(query, packId);
  const [only] = courses;
  const found = course === undefined && courses.length === 1 ? only : courses.find(({ slug }) => slug === course);
  if (found) return { packId, courseId: found.id };
  const list = courses.map(({ slug }) => slug).join('、') || '没有课程';
  throw new FileRefused(
    course === undefined
      ? `课程包“${pack}”有几门课程（${list}），请用 --course 指明一门`
      : `课程包“${pack}”里没有课程“${course}”（现有：${list}）`,
  );
}

/**
 * Finds the pack and course inside the transaction and locks the pack, or makes them: a pack of its own begins closed to
 * enrolment.
 * @throws FileRefused as `findTarget` does
 */
export async function openTarget(trx: Trx, target: NamedTarget, now: number): Promise<Target> {
  const found = await findTarget(trx, target);
  if (found) {
    await lockPack(trx, found.packId);
    return found;
  }
  const name = target.packName ?? target.pack;
  const { id: packId } = await syncPack(
    trx,
    {
      slug: target.pack,
      name,
      summary: '',
      description: '',
      examDate: null,
      enrol: 'closed',
      unlock: 'free',
      scoreState: 0,
      category: null,
      sale: { price: null, originalPrice: null, seats: null, saleFrom: null, saleUntil: null },
    },
    now,
  );
  return { packId, courseId: await addOnlyCourse(trx, packId, target.course ?? target.pack, name) };
}
