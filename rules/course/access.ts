import type { Role } from '#contract/values/user.ts';

/** How a student stands to a pack. */
export interface PackFacts {
  /** The pack, or the thing in it that is asked for, was taken out of the school's offer. */
  archived: boolean;
  enrolled: boolean;
}

/** What is asked about a stored file. */
interface FileFacts {
  /** null: a visitor. */
  role: Role | null;
  /** The packs that show the file, or once did. `open`: in its description, which visitors read. */
  packs: readonly { open: boolean; archived: boolean; enrolled: boolean }[];
  /** The student has sat an exam of one of these packs. */
  hasRecord: boolean;
}

export type Access = { ok: true } | { ok: false; why: 'notFound' | 'notEnrolled' };

const YES: Access = { ok: true };
const NOT_FOUND: Access = { ok: false, why: 'notFound' };
const NOT_ENROLLED: Access = { ok: false, why: 'notEnrolled' };

/**
 * Whether a student may open a pack: find its exams, begin one, report what is wrong in it (spec §7 "notEnrolled").
 * What was taken out of the offer is as if it were not there, to the enrolled too.
 * @param pack null: there is none
 */
export function mayOpen(pack: PackFacts | null): Access {
  if (!pack || pack.archived) return NOT_FOUND;
  return pack.enrolled ? YES : NOT_ENROLLED;
}

/** Whether a student may go on with what they have in progress in a pack: that outlives the offer, not the enrolment. */
export function mayGoOn(pack: PackFacts | null): Access {
  return pack?.enrolled ? YES : mayOpen(pack);
}

/**
 * Who may see a stored file, as far as the one who asks is concerned: everybody, where the description of a pack on offer
 * shows it (visitors read that); else this person or nobody. Teachers see the files of every pack, students those of packs
 * they are enrolled in, on offer or not, or have a record of (records stay readable after an enrolment has ended). A file
 * of no pack is nobody's (decisions §6 "Files and uploads").
 */
export function whoSeesFile({ role, packs, hasRecord }: FileFacts): 'everybody' | 'thisPerson' | 'nobody' {
  if (packs.some(({ open, archived }) => open && !archived)) return 'everybody';
  if (role === null || packs.length === 0) return 'nobody';
  return role === 'teacher' || hasRecord || packs.some(({ enrolled }) => enrolled) ? 'thisPerson' : 'nobody';
}
