/** Up to which second it is loaded without a gap from a place on; the place itself where it is not. */
export function loadedFrom(element: HTMLMediaElement, position: number): number {
  const { buffered } = element;
  for (let at = 0; at < buffered.length; at++)
    if (buffered.start(at) <= position + 0.2 && buffered.end(at) > position) return buffered.end(at);
  return position;
}
