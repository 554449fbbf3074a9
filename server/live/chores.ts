import type { Chore } from '#server/chores.ts';
import { type LiveParts, tellOfBegun } from './live.ts';

/** How soon who booked a lesson hears that it begins. */
const SOON = 3000;

/** Tells of live lessons that begin. Harmless in any number of processes. */
export function liveChores(parts: LiveParts): Chore[] {
  return [{ name: 'tell of live lessons', every: SOON, run: (now) => tellOfBegun(parts, now) }];
}
