import type { Why } from '#contract/envelope.ts';
import { mayGiveTime } from '#rules/exam/extra-time.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { inLists } from '#server/db/batches.ts';
import type { Trx } from '#server/db/open.ts';
import { saveNotices } from '#server/notice/store.ts';
import type { ExamParts } from '../parts.ts';
import {
  countGiven,
  extendRecords,
  forgetGift,
  type GivenRecord,
  keepGift,
  type TimeGift,
} from '../record/given-time-store.ts';
import type { ExamRecord } from '../record/store.ts';
import { findExamName, readOpenIds } from './store.ts';

type Given =
  | { ok: true; count: number; closed: number; tooMuch: number; recordIds: number[] }
  | { ok: false; why: Why; field?: string };

/**
 * Gives time back to records of one exam. In one transaction the records are held against hand-in, closing and saves, each is
 * decided (`mayGiveTime`), and what is given is kept with its reason and told to the students: of a hand-in or a closing at the
 * same moment one comes first. The same key gives once, however often and at how many servers it is sent.
 * Whoever calls it announces it to the windows after the commit (`recordIds`).
 */
export async function giveTime(
  { db, records, random }: Pick<ExamParts, 'db' | 'records' | 'random'>,
  give: TimeGift,
): Promise<Given> {
  return db.transaction(async (trx) => {
    const examName = await findExamName(trx, give.examId);
    if (examName === undefined) return { ok: false, why: 'notFound' };
    const gift = { ...give, reason: tidyText(give.reason) };
    if (gift.reason === '') return { ok: false, why: 'badInput', field: 'reason' };
    const { id, before } = await keepGift(trx, gift);
    if (before) {
      if (!before.same) return { ok: false, why: 'givenOtherwise' };
      const count = (await countGiven(trx, [before.id])).get(before.id) ?? 0;
      return { ok: true, count, closed: 0, tooMuch: 0, recordIds: [] };
    }
    const decided = await decide({ records }, trx, gift);
    if (!decided.ok) {
      await forgetGift(trx, id);
      return decided;
    }
    const { given, ...counts } = decided;
    await extendRecords(trx, id, gift.minutes, given);
    await saveNotices(
      trx,
      random,
      gift.now,
      given.map(({ recordId, userId }) => ({
        userId,
        event: `timeGiven:${id}:${recordId}`,
        kind: 'timeGiven',
        words: { examName, minutes: gift.minutes, reason: gift.reason },
        recordId,
      })),
    );
    return { ...counts, count: given.length, recordIds: given.map(({ recordId }) => recordId) };
  });
}

type Decided = { ok: true; given: GivenRecord[]; closed: number; tooMuch: number } | { ok: false; why: Why };

/** Holds the records and decides about each; refused where none gets anything. */
async function decide({ records }: Pick<ExamParts, 'records'>, trx: Trx, give: TimeGift): Promise<Decided> {
  const { examId, minutes, now } = give;
  const ids = give.recordIds ? [...new Set(give.recordIds)].sort((a, b) => a - b) : await readOpenIds(trx, examId);
  if (ids.length === 0) return { ok: false, why: 'nobodySits' };
  const locked: ExamRecord[] = [];
  for (const some of inLists(ids)) locked.push(...(await records.lock(trx, some)));
  // A record of another exam is no choice that a page could have made.
  if (give.recordIds && (locked.length < ids.length || locked.some((record) => record.examId !== examId)))
    return { ok: false, why: 'notFound' };
  const given: GivenRecord[] = [];
  const not = { closed: 0, noEnd: 0, tooMuch: 0 };
  for (const record of locked) {
    const may = mayGiveTime(record, minutes, now);
    if (may.ok) given.push({ recordId: record.id, userId: record.userId, endedAt: may.endedAt, endsAt: may.endsAt });
    else not[may.why] += 1;
  }
  if (given.length > 0) return { ok: true, given, closed: not.closed, tooMuch: not.tooMuch };
  return { ok: false, why: not.noEnd > 0 ? 'noTimeLimit' : not.tooMuch > 0 ? 'tooMuchTime' : 'allHandedIn' };
}
