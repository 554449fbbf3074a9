import type { Job } from '#server/jobs.ts';
import type { Parts } from '#server/parts.ts';

/** The longest window of any limit: older events count nowhere. */
const COUNTED = 24 * 60 * 60 * 1000;

/** Sign-in's work by time: what has expired is deleted. Each statement is harmless to repeat in any number of processes. */
export function userJobs({ db, clock }: Parts): Job[] {
  return [
    {
      name: 'forget expired sign-in data',
      every: 10 * 60 * 1000,
      run: async () => {
        const now = clock();
        await db.query.deleteFrom('captcha_challenges').where('expires_at', '<=', now).execute();
        await db.query.deleteFrom('captcha_tickets').where('expires_at', '<=', now).execute();
        await db.query.deleteFrom('sms_codes').where('expires_at', '<=', now).execute();
        await db.query.deleteFrom('sessions').where('expires_at', '<=', now).execute();
        await db.query
          .deleteFrom('rate_events')
          .where('at', '<', now - COUNTED)
          .execute();
      },
    },
  ];
}
