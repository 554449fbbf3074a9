/** Pixels within which something counts as scrolled to its end. */
const END = 2;

/**
 * Says of elements that scroll sideways whether more lies to the right or left (`data-more="right"`, `left` or `both`), for
 * a cue of the style sheet: a phone shows no scrollbar before a finger moves. @returns what ends it
 */
export function cueScroll(elements: readonly HTMLElement[]): () => void {
  const look = (element: HTMLElement) => {
    const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
    const left = element.scrollLeft > END;
    const more = rest > END ? (left ? 'both' : 'right') : left ? 'left' : undefined;
    if (element.dataset.more === more) return;
    if (more === undefined) delete element.dataset.more;
    else element.dataset.more = more;
  };
  const scrolled = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLElement) look(currentTarget);
  };
  // Its width, and that of what is in it: a picture, a font, the window.
  const sizes = new ResizeObserver(() => {
    for (const element of elements) look(element);
  });
  for (const element of elements) {
    element.addEventListener('scroll', scrolled, { passive: true });
    sizes.observe(element);
  }
  return () => {
    sizes.disconnect();
    for (const element of elements) element.removeEventListener('scroll', scrolled);
  };
}
