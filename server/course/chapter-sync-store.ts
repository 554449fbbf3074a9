import { chapterKey } from '#content/question/content-key.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** A course as it shall be, with its chapters. */
export interface WantedCourse {
  /** Its stable key in the pack. */
  slug: string;
  name: string;
  chapters: readonly WantedChapter[];
}

/** A chapter as it shall be, with what is below it: three levels at most. */
interface WantedChapter {
  /** Its stable key in the pack. */
  slug: string;
  name: string;
  chapters: readonly WantedChapter[];
}

/** The ids behind the slugs of a pack's courses and chapters. */
export interface TreeIds {
  courses: Map<string, number>;
  chapters: Map<string, number>;
  /** Whether any row was written. */
  changed: boolean;
}

/** Writes courses and chapters by their slugs; what the pack no longer has stays until `archiveTree`. */
export async function syncTree(trx: Trx, packId: number, courses: readonly WantedCourse[]): Promise<TreeIds> {
  const ids: TreeIds = { courses: new Map(), chapters: new Map(), changed: false };
  const storedCourses = new Map(
    (await trx.selectFrom('courses').selectAll().where('pack_id', '=', packId).execute()).map((row) => [row.slug, row]),
  );
  const storedChapters = new Map(
    (await trx.selectFrom('chapters').selectAll().where('pack_id', '=', packId).execute()).map((row) => [
      row.slug,
      row,
    ]),
  );

  async function writeCourse({ slug, name }: WantedCourse, position: number): Promise<number> {
    const row = { name, position, archived: 0 };
    const stored = storedCourses.get(slug);
    if (stored && !differs(row, stored)) return stored.id;
    ids.changed = true;
    if (stored) {
      await trx.updateTable('courses').set(row).where('id', '=', stored.id).execute();
      return stored.id;
    }
    const { id } = await trx
      .insertInto('courses')
      .values({ pack_id: packId, slug, name, position })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async function writeChapters(
    courseId: number,
    parentId: number | null,
    level: number,
    chapters: readonly WantedChapter[],
  ): Promise<void> {
    for (const [at, { slug, name, chapters: below }] of chapters.entries()) {
      const row = { course_id: courseId, parent_id: parentId, name, level, position: at + 1, archived: 0 };
      const stored = storedChapters.get(slug);
      let id = stored?.id;
      if (id === undefined) {
        const values = { ...row, pack_id: packId, slug };
        id = (await trx.insertInto('chapters').values(values).returning('id').executeTakeFirstOrThrow()).id;
        ids.changed = true;
      } else if (stored && differs(row, stored)) {
        await trx.updateTable('chapters').set(row).where('id', '=', id).execute();
        ids.changed = true;
      }
      ids.chapters.set(slug, id);
      await writeChapters(courseId, id, level + 1, below);
    }
  }

  for (const [at, course] of courses.entries()) {
    const id = await writeCourse(course, at + 1);
    ids.courses.set(course.slug, id);
    await writeChapters(id, null, 1, course.chapters);
  }
  return ids;
}

/**
 * Archives chapters and courses that the pack no longer has, unless questions still stand in them or below: those came
 * from spreadsheets and stay reachable. Called after the questions are written.
 * @param filledChapterIds the chapters in which questions stand (the exam feature knows them)
 * @returns whether anything was archived
 */
export async function archiveTree(
  trx: Trx,
  packId: number,
  keep: TreeIds,
  filledChapterIds: readonly number[],
): Promise<boolean> {
  const chapters = await trx
    .selectFrom('chapters')
    .select(['id', 'slug', 'parent_id', 'course_id', 'archived'])
    .where('pack_id', '=', packId)
    .execute();
  const parents = new Map(chapters.map(({ id, parent_id }) => [id, parent_id]));
  const needed = new Set<number>();
  for (const from of [...filledChapterIds, ...keep.chapters.values()]) {
    for (let id: number | null | undefined = from; typeof id === 'number' && !needed.has(id); id = parents.get(id))
      needed.add(id);
  }
  const goneChapters = chapters.filter(({ id, archived }) => archived === 0 && !needed.has(id)).map(({ id }) => id);
  for (const ids of batches(goneChapters))
    await trx.updateTable('chapters').set({ archived: 1 }).where('id', 'in', ids).execute();

  const usedCourses = new Set(chapters.filter(({ id }) => needed.has(id)).map(({ course_id }) => course_id));
  const courses = await trx
    .selectFrom('courses')
    .select(['id', 'slug', 'archived'])
    .where('pack_id', '=', packId)
    .execute();
  const goneCourses = courses
    .filter(({ id, slug, archived }) => archived === 0 && !keep.courses.has(slug) && !usedCourses.has(id))
    .map(({ id }) => id);
  for (const ids of batches(goneCourses))
    await trx.updateTable('courses').set({ archived: 1 }).where('id', 'in', ids).execute();
  return goneChapters.length + goneCourses.length > 0;
}

/** The courses of a pack in their order, without archived ones. */
export async function readCourseSlugs(query: Query, packId: number): Promise<{ id: number; slug: string }[]> {
  return query
    .selectFrom('courses')
    .select(['id', 'slug'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .execute();
}

/**
 * Adds the only course of a new pack. Another import may have made it since it was looked for: then that row is taken.
 * @returns its id
 */
export async function addOnlyCourse(trx: Trx, packId: number, slug: string, name: string): Promise<number> {
  const { id } = await trx
    .insertInto('courses')
    .values({ pack_id: packId, slug, name, position: 1 })
    .onConflict((conflict) => conflict.columns(['pack_id', 'slug']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Where questions go whose row names no chapter. */
const NO_CHAPTER = '未分章节';

/**
 * Finds the chapters of a course by their names, level by level, and makes those that are missing.
 * @returns from a path of names (from the course down; [] for none) to the chapter's id
 */
export async function chapterFinder(
  trx: Trx,
  packId: number,
  courseId: number,
): Promise<(path: readonly string[]) => Promise<number>> {
  const stored = await trx
    .selectFrom('chapters')
    .select(['id', 'parent_id', 'name', 'position'])
    .where('course_id', '=', courseId)
    .where('archived', '=', 0)
    .orderBy('position', 'desc')
    .execute();
  /** By parent (null: the top of the course), then by name. */
  const ids = new Map<number | null, Map<string, number>>();
  const below = (parentId: number | null): Map<string, number> => {
    const known = ids.get(parentId) ?? new Map<string, number>();
    ids.set(parentId, known);
    return known;
  };
  const lastPosition = new Map<number | null, number>();
  // In descending order, so that of two chapters of the same name the first stays.
  for (const { id, parent_id, name, position } of stored) {
    below(parent_id).set(name, id);
    lastPosition.set(parent_id, Math.max(lastPosition.get(parent_id) ?? 0, position));
  }

  async function make(parentId: number | null, path: readonly string[]): Promise<number> {
    const position = (lastPosition.get(parentId) ?? 0) + 1;
    lastPosition.set(parentId, position);
    const row = {
      course_id: courseId,
      parent_id: parentId,
      name: path.at(-1) ?? '',
      level: path.length,
      position,
      archived: 0,
    };
    const { id } = await trx
      .insertInto('chapters')
      .values({ ...row, pack_id: packId, slug: chapterKey(courseId, path) })
      .onConflict((conflict) => conflict.columns(['pack_id', 'slug']).doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  return async (path) => {
    const names = path.length > 0 ? path : [NO_CHAPTER];
    let parentId: number | null = null;
    for (const [at, name] of names.entries()) {
      const siblings: Map<string, number> = below(parentId);
      const id: number = siblings.get(name) ?? (await make(parentId, names.slice(0, at + 1)));
      siblings.set(name, id);
      parentId = id;
    }
    return parentId ?? 0;
  };
}
