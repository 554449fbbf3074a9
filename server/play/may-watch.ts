import type { Why } from '#contract/envelope.ts';
import { openLessons } from '#rules/play/directory.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import { type LessonParts, viewerOf } from './lesson.ts';
import { listLessons, packsOfMedia } from './lesson-store.ts';

/**
 * Whether somebody may watch a video, as the lessons say that show it: one of them that they may open is enough. Asked for each
 * grant and key of playing, so that an enrolment that ended ends it too. Who may open none is told of the packs that they have joined first: that a
 * lesson is locked, or that the pack is gone; to join is said to who has joined none of them.
 * @param userId null: a visitor
 */
export async function mayWatch(
  parts: LessonParts,
  userId: number | null,
  mediaId: number,
): Promise<{ ok: true } | { ok: false; why: Why }> {
  let why: Why = 'notFound';
  const gone: number[] = [];
  for (const packId of await packsOfMedia(parts.db.query, mediaId)) {
    const pack = await findStudiedPack(parts.db.query, packId);
    if (!pack) {
      gone.push(packId);
      continue;
    }
    const viewer = await viewerOf(parts, userId === null ? null : { userId }, { packId, sequential: pack.sequential });
    const lessons = await listLessons(parts.db.query, packId);
    const open = openLessons(lessons, viewer);
    if (lessons.some((lesson) => lesson.mediaId === mediaId && open.get(lesson.id))) return { ok: true };
    why = viewer.enrolled ? 'lessonLocked' : why === 'lessonLocked' ? why : 'notEnrolled';
  }
  if (why !== 'notEnrolled' || userId === null) return { ok: false, why };
  const left = await parts.access.askAll(
    parts.db.query,
    gone.map((packId) => ({ userId, packId, archived: false })),
  );
  return { ok: false, why: left.some(({ goOn }) => goOn.ok) ? 'notFound' : why };
}
