import { chinaTime } from '#rules/clock/china-day.ts';
import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { deleteExpiredCaptchas } from './captcha-store.ts';
import { deleteExpiredDevices } from './device-store.ts';
import { forgetPassedBirthdays } from './identity-store.ts';
import { deleteEventsBefore } from './rate-limit-store.ts';
import { deleteExpiredSessions } from './session-store.ts';
import { deleteExpiredCodes } from './sms-code-store.ts';

/** The longest window of any limit: older events count nowhere. */
const COUNTED = 24 * 60 * 60 * 1000;

/** Sign-in's work by time: what has expired is deleted. Each statement is harmless to repeat in any number of processes. */
export function userChores({ db }: Parts): Chore[] {
  return [
    {
      name: 'forget expired sign-in data',
      every: 10 * 60 * 1000,
      run: async (now) => {
        await deleteExpiredCaptchas(db.query, now);
        await deleteExpiredCodes(db.query, now);
        await deleteExpiredDevices(db.query, now);
        await forgetPassedBirthdays(db.query, chinaTime(now).slice(0, 10));
        await db.changePeople((trx) => deleteExpiredSessions(trx, now));
        await deleteEventsBefore(db.query, now - COUNTED);
      },
    },
  ];
}
