import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { readVotesOf } from './poll-store.ts';
import { deletePresencesOf, readPresencesOf } from './presence-store.ts';
import { deleteStandingOf, readSaidBy } from './talk-store.ts';

/**
 * Of a person: what they said and voted in the rooms of live lessons, which stays when the account is closed, as of 已注销用户; and when they
 * were there, which goes with it.
 */
export function talkPersonParts({ query }: Db): PersonPart[] {
  return [
    {
      name: '直播间发言',
      rows: (userId) => inSteps((step) => readSaidBy(query, userId, step)),
      forget: deleteStandingOf,
    },
    { name: '直播间投票', rows: (userId) => inSteps((step) => readVotesOf(query, userId, step)) },
    {
      name: '直播出勤',
      rows: (userId) => inSteps((step) => readPresencesOf(query, userId, step)),
      forget: deletePresencesOf,
    },
  ];
}
