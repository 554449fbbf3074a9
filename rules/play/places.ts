/** Where in a lesson's media something was played: [from, to), whole milliseconds. */
export type Place = readonly [from: number, to: number];

/** Places that are kept of one lesson at most: somebody who jumps about has some tens. */
const MOST = 200;

/**
 * Places as they are kept: in order, joined where they touch, inside the media, and bounded in number. What is too much
 * is given up from the shortest on, so that never more is said to be seen than was.
 * @param length of the media, milliseconds
 */
export function tidyPlaces(places: readonly Place[], length: number, most = MOST): Place[] {
  const inside = places
    .map(([from, to]): Place => [Math.max(0, Math.round(from)), Math.min(length, Math.round(to))])
    .filter(([from, to]) => from < to)
    .sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of inside) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  if (joined.length <= most) return joined;
  const longest = [...joined].sort((a, b) => b[1] - b[0] - (a[1] - a[0])).slice(0, most);
  return longest.sort((a, b) => a[0] - b[0]);
}

/** How much of the media tidy places cover, milliseconds. */
export function coverOf(places: readonly Place[]): number {
  return places.reduce((sum, [from, to]) => sum + (to - from), 0);
}

/** The last so many milliseconds of tidy places: what was played last is believed first. */
export function lastOf(places: readonly Place[], milliseconds: number): Place[] {
  const kept: Place[] = [];
  let left = Math.floor(milliseconds);
  for (const [from, to] of [...places].reverse()) {
    if (left <= 0) break;
    kept.unshift([Math.max(from, to - left), to]);
    left -= to - from;
  }
  return kept;
}
