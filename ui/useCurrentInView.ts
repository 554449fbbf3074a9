import { type RefObject, useEffect } from 'react';

/** On narrow screens brings the current entry (`aria-current`) of a bar that scrolls sideways into its middle, without moving the page. */
export function useCurrentInView(bar: RefObject<HTMLElement | null>, current: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `current` says that another entry is the current one
  useEffect(() => {
    const entry = bar.current?.querySelector('[aria-current]');
    if (!bar.current || !entry) return;
    const [outer, inner] = [bar.current.getBoundingClientRect(), entry.getBoundingClientRect()];
    bar.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [bar, current]);
}
