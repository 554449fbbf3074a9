import { useLayoutEffect } from 'react';

/** What a style sheet may ask the root of the page for: what stands at its foot, which the keyboard's place and the page's end keep clear of. */
type RootMark = 'courseAct' | 'questionList' | 'schoolTip';

/**
 * Says on the root of the page that something is there, as long as it is (`:root[data-course-act]`). A rule that asks the root itself (`:root:has(…)`) has the
 * browser walk through the whole page with each part that comes into it (decision 080).
 * @param on false: it is not, though the component is
 */
export function useRootMark(mark: RootMark, on = true): void {
  useLayoutEffect(() => {
    if (!on) return;
    const { dataset } = document.documentElement;
    dataset[mark] = '';
    return () => {
      delete dataset[mark];
    };
  }, [mark, on]);
}
