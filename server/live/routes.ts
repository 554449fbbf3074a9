import {
  BookLive,
  CancelBooking,
  CancelLive,
  ListLives,
  ListSchoolLives,
  ListTaughtLives,
  LiveCalendar,
  LiveCatalog,
  LiveRoom,
  SaveLive,
} from '#contract/live.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import {
  book,
  cancelLive,
  findRoom,
  type LiveParts,
  listLiveCatalog,
  listLives,
  listSchoolLives,
  listTaughtLives,
  readCalendar,
  saveLive,
} from './live.ts';

/** Binds the calls of contract/live.ts. */
export function liveRoutes(serve: Serve, parts: LiveParts): void {
  serve(ListLives, async ({ input, user, arrivedAt }) => {
    return (await listLives(parts, user, { ...input, now: arrivedAt })) ?? refuse('notFound');
  });
  serve(LiveRoom, async ({ input: { liveId }, user, arrivedAt }) => {
    const found = await findRoom(parts, user, liveId, arrivedAt);
    return found.ok ? found.lesson : refuse(found.why);
  });
  serve(BookLive, async ({ input: { liveId }, user, arrivedAt }) => {
    const found = await book(parts, { visitor: user, liveId, booked: true, now: arrivedAt });
    return found.ok ? found.lesson : refuse(found.why);
  });
  serve(CancelBooking, async ({ input: { liveId }, user, arrivedAt }) => {
    const found = await book(parts, { visitor: user, liveId, booked: false, now: arrivedAt });
    return found.ok ? found.lesson : refuse(found.why);
  });
  serve(LiveCalendar, async ({ input, user, arrivedAt }) => {
    const made = await readCalendar(parts, { ...input, visitor: user, now: arrivedAt });
    return made.ok ? { fileName: made.fileName, text: made.text } : refuse(made.why);
  });
  serve(ListSchoolLives, async ({ arrivedAt }) => ({ list: await listSchoolLives(parts, arrivedAt) }));
  serve(LiveCatalog, async ({ input: { packId }, arrivedAt }) => {
    const list = await listLiveCatalog(parts, packId, arrivedAt);
    return list === null ? refuse('notFound') : { list };
  });
  serve(ListTaughtLives, ({ input, arrivedAt }) => listTaughtLives(parts, { ...input, now: arrivedAt }));
  serve(SaveLive, async ({ input, user, arrivedAt }) => {
    const saved = await saveLive(parts, input, { by: user.userId, now: arrivedAt });
    return saved.ok ? saved.lesson : refuse(saved.why, saved.field);
  });
  serve(CancelLive, async ({ input: { id }, arrivedAt }) => {
    const saved = await cancelLive(parts, { id, now: arrivedAt });
    return saved.ok ? saved.lesson : refuse(saved.why);
  });
}
