import type { Why } from '#contract/envelope.ts';
import { openLessons } from '#rules/play/directory.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import { slidesAddress } from '#server/file/course-file.ts';
import { type LessonParts, viewerOf } from './lesson.ts';
import { lessonsWithSlides, listLessons } from './lesson-store.ts';

/**
 * Whether a student may see slides, as the lessons say that have them: one of them that they may open is enough. What is locked
 * keeps its slides too.
 * @returns the name of the first such lesson
 */
export async function maySeeSlides(
  parts: LessonParts,
  userId: number,
  packId: number,
  fileId: number,
): Promise<{ ok: true; lessonName: string } | { ok: false; why: Why }> {
  const { query } = parts.db;
  const pack = await findStudiedPack(query, packId);
  if (!pack) return { ok: false, why: 'notFound' };
  const shown = await lessonsWithSlides(query, packId, slidesAddress(fileId));
  const viewer = await viewerOf(parts, { userId }, { packId, sequential: pack.sequential });
  const lessons = await listLessons(query, packId);
  const open = openLessons(lessons, viewer);
  const lesson = lessons.find(({ id }) => shown.has(id) && open.get(id));
  if (lesson) return { ok: true, lessonName: lesson.name };
  return { ok: false, why: shown.size === 0 ? 'notFound' : 'lessonLocked' };
}
