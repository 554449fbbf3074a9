import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { CheckedPack, PackChapter, PackCourse } from '#content/pack.ts';
import type { Trx } from '#server/db/open.ts';
import type { Packs } from '#server/db/schema.ts';
import { batches, SHEET } from './import-questions-store.ts';

/** The pack's own row, without its content. */
type PackHead = Pick<CheckedPack, 'slug' | 'name' | 'summary' | 'description' | 'examDate' | 'enrol' | 'unlock'>;

/**
 * Writes a pack's own row. It is written even when nothing changed: that locks the row, so two imports into one pack
 * follow each other.
 */
export async function syncPack(trx: Trx, pack: PackHead): Promise<{ id: number; added: boolean; changed: boolean }> {
  const there = await trx.selectFrom('packs').selectAll().where('slug', '=', pack.slug).executeTakeFirst();
  const last = await trx
    .selectFrom('packs')
    .select((one) => one.fn.max('position').as('position'))
    .executeTakeFirst();
  const row = {
    slug: pack.slug,
    name: pack.name,
    summary: pack.summary,
    description: pack.description,
    exam_date: pack.examDate,
    enrol: pack.enrol,
    unlock: pack.unlock,
    position: there?.position ?? Number(last?.position ?? 0) + 1,
    archived: 0,
  };
  if (there) await trx.updateTable('packs').set(row).where('id', '=', there.id).execute();
  const id = there?.id ?? (await addPack(trx, row));
  const changed =
    there !== undefined && (Object.keys(row) as (keyof typeof row)[]).some((key) => row[key] !== there[key]);
  return { id, added: !there, changed };
}

/** Another process may have made the pack since it was looked for: then that row is the one. */
async function addPack(trx: Trx, row: Insertable<Packs>): Promise<number> {
  const written = await trx
    .insertInto('packs')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow();
  return written.id;
}

/** The ids behind the slugs of a pack's courses and chapters. */
export interface TreeIds {
  courses: Map<string, number>;
  chapters: Map<string, number>;
  /** Whether any row was written. */
  changed: boolean;
}

/** Writes courses and chapters by their slugs; what the pack no longer has is archived. */
export async function syncTree(trx: Trx, packId: number, courses: readonly PackCourse[]): Promise<TreeIds> {
  const ids: TreeIds = { courses: new Map(), chapters: new Map(), changed: false };
  const knownCourses = new Map(
    (await trx.selectFrom('courses').selectAll().where('pack_id', '=', packId).execute()).map((row) => [row.slug, row]),
  );
  const knownChapters = new Map(
    (await trx.selectFrom('chapters').selectAll().where('pack_id', '=', packId).execute()).map((row) => [
      row.slug,
      row,
    ]),
  );

  async function writeCourse({ slug, name }: PackCourse, position: number): Promise<number> {
    const there = knownCourses.get(slug);
    if (there && there.name === name && there.position === position && there.archived === 0) return there.id;
    ids.changed = true;
    if (there) {
      await trx.updateTable('courses').set({ name, position, archived: 0 }).where('id', '=', there.id).execute();
      return there.id;
    }
    const row = { pack_id: packId, slug, name, position };
    return (await trx.insertInto('courses').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }

  async function writeChapters(
    courseId: number,
    parentId: number | null,
    level: number,
    chapters: readonly PackChapter[],
  ) {
    for (const [position, { slug, name, chapters: below }] of chapters.entries()) {
      const row = { course_id: courseId, parent_id: parentId, name, level, position: position + 1, archived: 0 };
      const there = knownChapters.get(slug);
      let id = there?.id;
      if (id === undefined) {
        const values = { ...row, pack_id: packId, slug };
        id = (await trx.insertInto('chapters').values(values).returning('id').executeTakeFirstOrThrow()).id;
        ids.changed = true;
      } else if (there && (Object.keys(row) as (keyof typeof row)[]).some((key) => row[key] !== there[key])) {
        await trx.updateTable('chapters').set(row).where('id', '=', id).execute();
        ids.changed = true;
      }
      ids.chapters.set(slug, id);
      await writeChapters(courseId, id, level + 1, below);
    }
  }

  for (const [position, course] of courses.entries()) {
    const id = await writeCourse(course, position + 1);
    ids.courses.set(course.slug, id);
    await writeChapters(id, null, 1, course.chapters);
  }
  return ids;
}

/**
 * Archives chapters and courses that the pack no longer has, unless questions still stand in them or below: those came
 * from spreadsheets and stay reachable. Called after the questions are written. @returns whether anything was archived
 */
export async function archiveTree(trx: Trx, packId: number, keep: TreeIds): Promise<boolean> {
  const chapters = await trx
    .selectFrom('chapters')
    .select(['id', 'slug', 'parent_id', 'course_id', 'archived'])
    .where('pack_id', '=', packId)
    .execute();
  const full = await trx
    .selectFrom('questions')
    .select('chapter_id')
    .distinct()
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  const parents = new Map(chapters.map(({ id, parent_id }) => [id, parent_id]));
  const needed = new Set<number>();
  const need = (from: number | null | undefined) => {
    for (let id = from; typeof id === 'number' && !needed.has(id); id = parents.get(id)) needed.add(id);
  };
  for (const { chapter_id } of full) need(chapter_id);
  for (const id of keep.chapters.values()) need(id);
  const gone = chapters.filter(({ id, archived }) => archived === 0 && !needed.has(id)).map(({ id }) => id);
  for (const some of batches(gone))
    await trx.updateTable('chapters').set({ archived: 1 }).where('id', 'in', some).execute();

  const usedCourses = new Set(chapters.filter(({ id }) => needed.has(id)).map(({ course_id }) => course_id));
  const courses = await trx
    .selectFrom('courses')
    .select(['id', 'slug', 'archived'])
    .where('pack_id', '=', packId)
    .execute();
  const goneCourses = courses
    .filter(({ id, slug, archived }) => archived === 0 && !keep.courses.has(slug) && !usedCourses.has(id))
    .map(({ id }) => id);
  for (const some of batches(goneCourses)) {
    await trx.updateTable('courses').set({ archived: 1 }).where('id', 'in', some).execute();
  }
  return gone.length + goneCourses.length > 0;
}

/** Where questions go whose row names no chapter. */
const NO_CHAPTER = '未分章节';

/**
 * Finds the chapters of a course by their names, level by level, and makes those that are missing.
 * @returns from a path of names to the chapter's id
 */
export async function chapterFinder(
  trx: Trx,
  packId: number,
  courseId: number,
): Promise<(path: readonly string[]) => Promise<number>> {
  const there = await trx
    .selectFrom('chapters')
    .select(['id', 'parent_id', 'name', 'position'])
    .where('course_id', '=', courseId)
    .where('archived', '=', 0)
    .orderBy('position', 'desc')
    .execute();
  const place = (parent: number | null, name: string) => `${parent ?? ''}/${name}`;
  // In descending order, so that of two chapters of one name the first one stands.
  const ids = new Map(there.map((row) => [place(row.parent_id, row.name), row.id]));
  const last = new Map<number | null, number>();
  for (const { parent_id, position } of there) last.set(parent_id, Math.max(last.get(parent_id) ?? 0, position));

  async function make(parentId: number | null, path: readonly string[]): Promise<number> {
    const position = (last.get(parentId) ?? 0) + 1;
    last.set(parentId, position);
    const digest = createHash('sha256')
      .update(JSON.stringify([courseId, path]))
      .digest('hex')
      .slice(0, 32);
    const row = {
      course_id: courseId,
      parent_id: parentId,
      name: path.at(-1) ?? '',
      level: path.length,
      position,
      archived: 0,
    };
    return (
      await trx
        .insertInto('chapters')
        .values({ ...row, pack_id: packId, slug: SHEET + digest })
        .onConflict((conflict) => conflict.columns(['pack_id', 'slug']).doUpdateSet(row))
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  }

  return async (path) => {
    const names = path.length > 0 ? path : [NO_CHAPTER];
    let id: number | null = null;
    for (const [at, name] of names.entries()) {
      const key = place(id, name);
      const known: number = ids.get(key) ?? (await make(id, names.slice(0, at + 1)));
      ids.set(key, known);
      id = known;
    }
    return id ?? 0;
  };
}
