import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListGivenTime, ListSitting } from '#contract/exam-invigilate.ts';
import { readPackNames } from '#server/course/store.ts';
import { readPeople } from '#server/user/store.ts';
import type { ExamParts } from '../parts.ts';
import { countGiven } from '../record/given-time-store.ts';
import { readGifts, readLastSaves, readSatPapers, readSitting } from './store.ts';

/** Papers that are named beside the list. */
const MOST_PAPERS = 200;

/** A page of who sits a paper with an end now. */
export async function listSitting(
  { db: { query }, answers }: ExamParts,
  { examId, pageNum, pageSize }: InputOf<typeof ListSitting>,
  now: number,
): Promise<DataOf<typeof ListSitting>> {
  const { list, total } = await readSitting(query, examId, { limit: pageSize, offset: (pageNum - 1) * pageSize });
  const ids = list.map(({ recordId }) => recordId);
  const people = await readPeople(
    query,
    list.map(({ userId }) => userId),
  );
  const answered = await answers.countAnswered(query, ids);
  const saves = await readLastSaves(query, ids);
  const papers = await readSatPapers(query, MOST_PAPERS);
  const packs = await readPackNames(
    query,
    papers.map(({ packId }) => packId),
  );
  return {
    list: list.map(({ userId, extraMinutes, ...line }) => ({
      ...line,
      nickname: people.get(userId)?.nickname ?? '',
      validPhoneExt: people.get(userId)?.validPhoneExt ?? '',
      extraTime: extraMinutes,
      savedAt: saves.get(line.recordId) ?? null,
      answeredCount: answered.get(line.recordId) ?? 0,
    })),
    total,
    pages: Math.ceil(total / pageSize),
    pageNum,
    now,
    papers: papers.map(({ packId, ...paper }) => ({ ...paper, packName: packs.get(packId) ?? '' })),
  };
}

/** A page of the time that was given back. */
export async function listGivenTime(
  { db: { query } }: ExamParts,
  { pageNum, pageSize }: InputOf<typeof ListGivenTime>,
): Promise<DataOf<typeof ListGivenTime>> {
  const { gifts, total } = await readGifts(query, { limit: pageSize, offset: (pageNum - 1) * pageSize });
  const counts = await countGiven(
    query,
    gifts.map(({ id }) => id),
  );
  const packs = await readPackNames(
    query,
    gifts.map(({ pack_id }) => pack_id),
  );
  return {
    list: gifts.map((gift) => ({
      id: gift.id,
      examName: gift.name,
      packName: packs.get(gift.pack_id) ?? '',
      minutes: gift.minutes,
      reason: gift.reason,
      doneBy: gift.done_by,
      givenAt: gift.given_at,
      count: counts.get(gift.id) ?? 0,
    })),
    total,
    pages: Math.ceil(total / pageSize),
    pageNum,
  };
}
