import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { deleteBookingsOf, readBookingsOf } from './store.ts';

/** Of a person: the live lessons that they have booked. */
export function livePart({ query }: Db): PersonPart {
  return {
    name: '直播预约',
    rows: (userId) => inSteps((step) => readBookingsOf(query, userId, step)),
    forget: deleteBookingsOf,
  };
}
