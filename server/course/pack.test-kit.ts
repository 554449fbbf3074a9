import type { TestApp, TestUser } from '#server/test-kit.ts';
import { enrol as enrolStored } from './enrolment-store.ts';

/** A pack that a test made. */
export interface MadePack {
  packId: number;
  courseId: number;
  /** [level 1, its section (level 2), the section's point (level 3), a second level 1] */
  chapterIds: [number, number, number, number];
}

let made = 0;

/** A pack with one course and a chapter tree of three levels, and whoever is named enrolled. */
export async function makePack(
  { db, time }: Pick<TestApp, 'db' | 'time'>,
  options: { enrol?: 'open' | 'closed'; students?: readonly TestUser[] } = {},
): Promise<MadePack> {
  made += 1;
  const insert = db.query;
  const pack = await insert
    .insertInto('packs')
    .values({
      slug: `pack-${made}`,
      name: `课程包 ${made}`,
      summary: '摘要',
      description: '<p>说明</p>',
      exam_date: null,
      enrol: options.enrol ?? 'open',
      unlock: 'free',
      position: made,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const course = await insert
    .insertInto('courses')
    .values({ pack_id: pack.id, slug: 'course', name: '课程', position: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const chapter = async (slug: string, level: number, parent: number | null) =>
    (
      await insert
        .insertInto('chapters')
        .values({ pack_id: pack.id, course_id: course.id, parent_id: parent, slug, name: slug, level, position: level })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const first = await chapter('chapter-1', 1, null);
  const section = await chapter('section-1', 2, first);
  const point = await chapter('point-1', 3, section);
  const second = await chapter('chapter-2', 1, null);
  const packed = {
    packId: pack.id,
    courseId: course.id,
    chapterIds: [first, section, point, second],
  } satisfies MadePack;
  for (const student of options.students ?? []) await enrol({ db, time }, student, packed.packId);
  return packed;
}

/** Enrols a person in a pack. */
export async function enrol(
  { db, time }: Pick<TestApp, 'db' | 'time'>,
  { userId }: Pick<TestUser, 'userId'>,
  packId: number,
): Promise<void> {
  await enrolStored(db.query, userId, packId, time.now);
}
