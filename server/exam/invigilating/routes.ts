import {
  EndAccommodation,
  GiveTime,
  ListAccommodations,
  ListGivenTime,
  ListSitting,
  SetAccommodation,
} from '#contract/exam-invigilate.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { readPeople } from '#server/user/store.ts';
import type { ExamParts } from '../parts.ts';
import { endGrant } from '../record/accommodation-store.ts';
import { announceTimeGiven } from '../sitting/watch.ts';
import { listAccommodations, setAccommodation } from './accommodation.ts';
import { giveTime } from './give-time.ts';
import { listGivenTime, listSitting } from './sitting.ts';

/** Binds the calls of teachers while others sit an exam: contract/exam-invigilate.ts. */
export function invigilatingRoutes(serve: Serve, exam: ExamParts): void {
  serve(ListSitting, ({ input, arrivedAt }) => listSitting(exam, input, arrivedAt));
  serve(ListGivenTime, ({ input }) => listGivenTime(exam, input));
  serve(GiveTime, async ({ input, user: { userId }, arrivedAt }) => {
    const doneBy = (await readPeople(exam.db.query, [userId])).get(userId)?.nickname ?? '';
    const given = await giveTime(exam, { ...input, givenBy: userId, doneBy, now: arrivedAt });
    if (!given.ok) return refuse(given.why, given.field);
    await announceTimeGiven(exam.bus, given.recordIds);
    return { count: given.count, closed: given.closed, tooMuch: given.tooMuch };
  });
  serve(ListAccommodations, ({ input }) => listAccommodations(exam, input));
  serve(SetAccommodation, async ({ input, user: { userId }, arrivedAt }) => {
    const set = await setAccommodation(exam, input, userId, arrivedAt);
    return set.ok ? { id: set.id, nickname: set.nickname } : refuse(set.why, set.field);
  });
  serve(EndAccommodation, async ({ input: { id }, user: { userId }, arrivedAt }) =>
    (await endGrant(exam.db.query, { id, endedBy: userId, now: arrivedAt })) ? {} : refuse('notFound'),
  );
}
