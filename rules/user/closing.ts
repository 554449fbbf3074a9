import { COOLING_OFF_DAYS } from '#contract/values/account.ts';

const DAY = 24 * 60 * 60 * 1000;

/** When an account is closed whose person asks for it now (decisions §7, issue: 15 days to think it over). */
export const closesAt = (now: number): number => now + COOLING_OFF_DAYS * DAY;

/** Whether a teacher may ask: a school without any could not be looked after from its pages. */
export function mayClose({ role, otherTeachers }: { role: 'student' | 'teacher'; otherTeachers: number }): boolean {
  return role !== 'teacher' || otherTeachers > 0;
}
