import { lessonsIn, type PlayNode } from '#rules/play/directory.ts';
import { toast } from '#ui/toast.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { track } from './tracker.ts';

export const CHAPTERS = 'GET /app/course/chapters';
export type Chapters = Data<typeof CHAPTERS>;

/** The directory of a pack. The fourth level, which the contract has as a list of nothing, is always empty. */
export const treeOf = ({ list }: Chapters): readonly PlayNode[] => list as readonly unknown[] as readonly PlayNode[];

/** Its lessons in the order of the directory. */
export const lessonsOf = (pack: Chapters): readonly PlayNode[] => lessonsIn(treeOf(pack));

/** Says why a lesson does not open. */
export function tellLocked(pack: Chapters, lessonId: number): void {
  track('video locked', { packId: pack.packId, lessonId });
  if (pack.buyState === 0) {
    toast(t('请先报名该课程'));
    return;
  }
  toast(t('该视频未解锁，无法播放'), 'bad');
  toast(t('完成上一节后解锁'));
}
