import { type AccommodationPercent, DAY_MINUTES } from '#contract/values/exam.ts';

/** What a school grants a student for papers with an end: so many percent of the usual time, or minutes on top of it. One of them. */
export interface Accommodation {
  percent: AccommodationPercent | null;
  minutes: number | null;
}

/**
 * Which accommodation counts in a pack: what was set for that pack, else what was set for all of them. The narrower goes first even
 * where it gives less, since a teacher who sets it says what holds there.
 * @param set those in force of one student; `packId` null: for every pack
 */
export function accommodationIn<A extends Accommodation & { packId: number | null }>(
  set: readonly A[],
  packId: number,
): A | null {
  return set.find((one) => one.packId === packId) ?? set.find((one) => one.packId === null) ?? null;
}

/**
 * Minutes that an accommodation adds to a paper that begins now, rounded up to whole ones. 0 without one, and where the paper has
 * no end. Together at most two days: no paper is longer than one.
 * @param examTime minutes of the paper; null: no limit
 */
export function minutesAdded(examTime: number | null, accommodation: Accommodation | null): number {
  if (examTime === null || accommodation === null) return 0;
  const { percent, minutes } = accommodation;
  const added = percent === null ? (minutes ?? 0) : Math.ceil((examTime * (percent - 100)) / 100);
  return Math.max(0, Math.min(added, 2 * DAY_MINUTES - examTime));
}
