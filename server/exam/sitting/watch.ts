import { WatchRecord } from '#contract/exam.ts';
import type { MessageOf } from '#contract/socket.ts';
import type { Bus } from '#server/bus.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import type { ClosedRecord } from '../grading/close-records.ts';
import type { ExamParts } from '../parts.ts';
import { lastReason } from '../record/given-time-store.ts';

/** What windows that watch a record hear: another window took over (which one), or the record was closed. */
type RecordEvent = MessageOf<typeof WatchRecord>;

const topicOf = (recordId: number) => `exam:${recordId}`;

/** Tells that a window took a record over. Those who watch it look up who holds it now (`serveWatch`). */
export async function announceTakeOver(bus: Bus, recordId: number, windowId: string | null): Promise<void> {
  await bus.publish(topicOf(recordId), { event: 'takenOver', windowId } satisfies RecordEvent);
}

/** Tells the windows of records that time was given to them. Those who watch look up how much (`serveWatch`). */
export async function announceTimeGiven(bus: Bus, recordIds: readonly number[]): Promise<void> {
  await Promise.all(recordIds.map((id) => bus.publish(topicOf(id), { event: 'timeGiven' })));
}

/** Tells the windows of records that these are closed. */
export async function announceClosed(bus: Bus, closed: readonly ClosedRecord[]): Promise<void> {
  await Promise.all(
    closed.map(({ record }) => bus.publish(topicOf(record.id), { event: 'submitted' } satisfies RecordEvent)),
  );
}

/**
 * `/app/exam/watch?recordId=&windowId=`: a window hears within moments that another took over or that the record was
 * closed (decisions §3). Only the owner of the record may watch it. What happened before the socket opened is told first.
 *
 * Messages of two take-overs in one moment may come in any order, from any process. So a message is only the reason to
 * look: what is told is what the database says after it, one look at a time, so that the last word is the last commit's.
 */
export function serveWatch(serveSocket: ServeSocket, { db, bus, log, records }: ExamParts): void {
  serveSocket(WatchRecord, async (socket, { input: { recordId, windowId }, user }) => {
    const find = () => records.find(user.userId, recordId);
    if (!(await find())) return socket.close();
    let told = windowId ?? null;
    let toldTime = 0;
    const tell = async () => {
      const record = await find();
      if (record?.submittedAt != null) socket.send({ event: 'submitted' });
      if (!record || record.submittedAt !== null) return;
      if (record.extraMinutes !== toldTime && record.endsAt !== null) {
        toldTime = record.extraMinutes;
        const reason = await lastReason(db.query, record);
        socket.send({ event: 'timeGiven', endsAt: record.endsAt, extraTime: toldTime, reason });
      }
      if (record.windowId === told) return;
      told = record.windowId;
      socket.send({ event: 'takenOver', windowId: told });
    };
    let looking = Promise.resolve();
    const look = () => {
      looking = looking.then(tell).catch((error) => log.error({ err: error, recordId }, 'watching a record'));
      return looking;
    };
    const leave = await bus.subscribe(topicOf(recordId), (message) => {
      // Closed is closed, whatever came before it.
      if ((message as { event?: unknown }).event === 'submitted') socket.send({ event: 'submitted' });
      else void look();
    });
    socket.onClose(() => void leave());
    await look();
  });
}
