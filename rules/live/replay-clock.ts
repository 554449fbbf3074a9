/** A part of a replay: when it began (epoch milliseconds) and how long it is (milliseconds). */
export interface ReplayPart {
  from: number;
  length: number;
}

/** Which moment of a lesson a second of its replay shows, and the other way round. */
export interface ReplayClock {
  secondOf(at: number): number;
  momentOf(second: number): number;
}

/**
 * The clock of a replay that was joined from parts: what happened while no stream came stands at the place where one part ends and the
 * next begins, what happened before the first at the beginning, after the last at the end.
 * @param parts one at least, in their order
 */
export function replayClock(parts: readonly ReplayPart[]): ReplayClock {
  const places = parts.map((part, at) => ({
    ...part,
    start: parts.slice(0, at).reduce((sum, { length }) => sum + length, 0),
  }));
  return {
    secondOf: (at) => {
      const part = places.findLast(({ from }) => from <= at);
      return part ? (part.start + Math.min(at - part.from, part.length)) / 1000 : 0;
    },
    momentOf: (second) => {
      const place = Math.max(0, second * 1000);
      const part = places.findLast(({ start }) => start <= place) ?? places[0];
      return part ? part.from + Math.min(place - part.start, part.length) : 0;
    },
  };
}
