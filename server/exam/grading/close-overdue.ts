import { CLOSE_AFTER } from '#rules/exam/attempt.ts';
import type { Chore } from '#server/chores.ts';
import type { ExamParts } from '../parts.ts';
import { announceClosed } from '../sitting/watch.ts';
import { isOfAll, PassedOver } from './passed-over.ts';

/** Records graded in one transaction: more save commits, fewer let savers in between sooner. */
const AT_ONCE = 128;
/**
 * Closes records whose end has passed, with what was saved, even if no browser is open (decisions §3; incidents:
 * canvas-lms #910, Moodle MDL-43733). The records are claimed in the database, so any number of processes can sweep. What is
 * over is said by a sure time alone (`Chore.run`): never by a clock that was just moved, nor by one server's own.
 */
export function closeOverdueChore({ db, log, bus, records, closeRecords }: ExamParts): Chore {
  const broken = new PassedOver<number>((recordId, err) => log.error({ err, recordId }, 'record cannot be graded'));

  const overdueIds = (now: number) => records.overdueIds(now - CLOSE_AFTER, AT_ONCE + broken.size);

  async function closeSome(now: number): Promise<number> {
    const closed = await db.transaction(async (trx) => {
      const overdue = await records.lockOverdue(trx, now - CLOSE_AFTER, AT_ONCE, broken.keys());
      return closeRecords(
        trx,
        overdue.map((record) => ({ record, now })),
      );
    });
    await announceClosed(bus, closed);
    return closed.length;
  }

  async function closeOne(id: number, now: number): Promise<void> {
    const closed = await db.transaction(async (trx) => {
      const found = (await records.lock(trx, [id])).filter((record) => record.submittedAt === null);
      return closeRecords(
        trx,
        found.map((record) => ({ record, now })),
      );
    });
    await announceClosed(bus, closed);
  }

  async function closeOverdue(now: number): Promise<void> {
    broken.nextRun();
    // A look without a transaction first: most of the time nothing is due.
    if ((await overdueIds(now)).every((id) => broken.has(id))) return;
    try {
      while ((await closeSome(now)) > 0);
    } catch (error) {
      if (isOfAll(error)) throw error;
      log.error({ err: error }, 'closing overdue records together failed; trying one by one');
      for (const id of await overdueIds(now)) if (!broken.has(id)) await broken.work([id], () => closeOne(id, now));
    }
  }

  return { name: 'exam: close overdue records', every: 1000, run: closeOverdue };
}
