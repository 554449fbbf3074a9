/** Tops of rows with these heights, and behind the last one the height of all. */
export function topsOf(heights: readonly number[]): number[] {
  const tops = [0];
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height);
  return tops;
}

/** The first row whose lower edge is below `y`, by halving. */
function rowAt(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle + 1] ?? 0) > y) high = middle;
    else low = middle + 1;
  }
  return Math.max(0, low);
}

/** The rows to draw when `view` pixels are seen from `scroll` on, with `more` pixels above and below: [first, behind the last]. */
export function rowsInView(tops: readonly number[], scroll: number, view: number, more: number): [number, number] {
  if (tops.length < 2) return [0, 0];
  return [rowAt(tops, Math.max(0, scroll - more)), rowAt(tops, scroll + view + more) + 1];
}

/** Where to scroll to, so that a row is seen whole; the same place when it is. */
export function scrollTo(tops: readonly number[], row: number, scroll: number, view: number): number {
  const top = tops[row] ?? 0;
  const end = tops[row + 1] ?? top;
  if (top < scroll) return top;
  return end > scroll + view ? end - view : scroll;
}
