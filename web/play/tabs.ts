import { idFrom } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';

/** The tabs of the side panel by the numbers that the product spec gives them (§2). */
export const playTab = { chapters: 1, comments: 2, slides: 3, practice: 4, credits: 5, files: 6 } as const;
export type PlayTab = (typeof playTab)[keyof typeof playTab];

interface Facts {
  lesson: Pick<Data<'GET /app/course/lesson'>, 'pptUrl' | 'practiceArr' | 'courseFileCateArr'> | null;
  scoreState: number;
  /** The pack in which this one stands, as the address names it (spec §2); empty and 0: in none. */
  parentId: string | null;
}

/** Which tabs there are, in their order on the screen: 练一练, 资料 and 课件 where there is something in them, 我的学分 where a pack gives some. */
export function playTabs({ lesson, scoreState, parentId }: Facts): PlayTab[] {
  const { chapters, comments, practice, files, slides, credits } = playTab;
  return [
    chapters,
    comments,
    ...(lesson && lesson.practiceArr.length > 0 ? [practice] : []),
    ...(lesson && lesson.courseFileCateArr.length > 0 ? [files] : []),
    ...(lesson && lesson.pptUrl !== '' ? [slides] : []),
    ...(scoreState === 1 && idFrom(parentId) === null ? [credits] : []),
  ];
}
