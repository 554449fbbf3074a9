/** Pixels within which something counts as scrolled to its end. */
const END = 2;

/**
 * Says of elements that scroll sideways whether more lies to the right or left (`data-more="right"`, `left` or `both`), for
 * a cue of the style sheet: a phone shows no scrollbar before a finger moves.
 *
 * It looks when the browser has laid the box out, never before: to ask for a width makes it lay out at once, also what is far from the window.
 * @param box what the elements stand in, or the only one
 * @param find tells which they are, once `box` has been laid out and each time its size changes
 * @returns what ends it
 */
export function cueScroll(box: HTMLElement, find: () => readonly HTMLElement[]): () => void {
  let elements: readonly HTMLElement[] = [];
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
  const sizes = new ResizeObserver((changes) => {
    if (changes.some(({ target }) => target === box)) {
      const before = elements;
      elements = find();
      for (const element of elements) {
        if (before.includes(element)) continue;
        element.addEventListener('scroll', scrolled, { passive: true });
        if (element !== box) sizes.observe(element);
      }
    }
    for (const element of elements) look(element);
  });
  sizes.observe(box);
  return () => {
    sizes.disconnect();
    for (const element of elements) element.removeEventListener('scroll', scrolled);
  };
}
