import { AnswerPromise } from '#contract/qa-promise.ts';
import { promiseTexts } from '#contract/values/answer-promise.ts';
import { promiseAt, yearUnknownWithin } from '#rules/qa/promise.ts';
import { fill } from '#rules/wording/fill.ts';
import type { Chore } from '#server/chores.ts';
import type { Query } from '#server/db/open.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { readWorkingDays } from './working-days.ts';

/** Says by when a question is answered (decisions §6). */
export function servePromise(serve: Serve, { db }: Pick<Parts, 'db'>): void {
  serve(AnswerPromise, async ({ arrivedAt }) => {
    const promised = promiseAt(arrivedAt, await readWorkingDays(db.query));
    const { kind, date, holiday } = promised;
    return { ...promised, text: fill(promiseTexts[kind], { date, holiday }) };
  });
}

/** Until when an answer to what comes now is promised, in epoch milliseconds; null: nothing can be promised. */
export async function promisedAtOf(query: Query, now: number): Promise<number | null> {
  return promiseAt(now, await readWorkingDays(query)).promisedAt;
}

/** How long before a year is needed its days should be here (days): they are announced in November. */
export const KNOWN_AHEAD = 21;

/** Tells the operator once a day while days are needed soon that nobody knows: no answer is promised then. */
export function promiseChores({ db, log }: Pick<Parts, 'db' | 'log'>): Chore[] {
  return [
    {
      name: 'qa: look whether working days are known',
      every: 24 * 60 * 60_000,
      run: async (now) => {
        const year = yearUnknownWithin(now, KNOWN_AHEAD, await readWorkingDays(db.query));
        if (year !== null)
          log.error({ year }, 'the working days of this year are not known: no answer time is promised');
      },
    },
  ];
}
