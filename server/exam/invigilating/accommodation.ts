import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ListAccommodations, SetAccommodation } from '#contract/exam-invigilate.ts';
import type { AccommodationPercent } from '#contract/values/exam.ts';
import { readPhone } from '#rules/user/phone.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { readShelf } from '#server/course/shelf-store.ts';
import { readPackNames } from '#server/course/store.ts';
import { findUserByPhone, readPeople } from '#server/user/store.ts';
import type { ExamParts } from '../parts.ts';
import { keepGrant, readGrants } from '../record/accommodation-store.ts';

type SetResult = { ok: true; id: number; nickname: string } | { ok: false; why: Why; field?: string };

/**
 * Grants a student more time, by their whole phone number: teachers see no other list of students. In one pack only to who is in it.
 * What is open goes on with the end that it has.
 */
export async function setAccommodation(
  { db, enrolments }: Pick<ExamParts, 'db' | 'enrolments'>,
  { phone, packId, percent, minutes, reason: typed }: InputOf<typeof SetAccommodation>,
  setBy: number,
  now: number,
): Promise<SetResult> {
  if ((percent === undefined) === (minutes === undefined)) return { ok: false, why: 'badInput', field: 'minutes' };
  const reason = tidyText(typed);
  if (reason === '') return { ok: false, why: 'badInput', field: 'reason' };
  const read = readPhone(phone);
  if (!read.ok) return { ok: false, why: read.why, field: 'phone' };
  return db.transaction(async (trx): Promise<SetResult> => {
    const student = await findUserByPhone(trx, read.phone);
    if (student?.role !== 'student') return { ok: false, why: 'noSuchStudent', field: 'phone' };
    if (packId !== undefined) {
      const [facts = null] = await enrolments.readFacts(trx, [{ userId: student.id, packId }]);
      if (facts === null) return { ok: false, why: 'notFound' };
      if (!facts.enrolled) return { ok: false, why: 'studentNotEnrolled', field: 'packId' };
    }
    const grant = { userId: student.id, packId: packId ?? null, percent: percent ?? null, minutes: minutes ?? null };
    const id = await keepGrant(trx, { ...grant, reason, setBy, now });
    return id === null ? { ok: false, why: 'busy' } : { ok: true, id, nickname: student.nickname };
  });
}

/** A page of what students were granted, with the packs that a teacher may choose. */
export async function listAccommodations(
  { db: { query } }: Pick<ExamParts, 'db'>,
  { pageNum, pageSize }: InputOf<typeof ListAccommodations>,
): Promise<DataOf<typeof ListAccommodations>> {
  const { grants, total } = await readGrants(query, { limit: pageSize, offset: (pageNum - 1) * pageSize });
  const people = await readPeople(
    query,
    grants.flatMap(({ user_id, set_by, ended_by }) => [user_id, set_by, ...(ended_by === null ? [] : [ended_by])]),
  );
  const packs = await readPackNames(
    query,
    grants.flatMap(({ pack_id }) => (pack_id === null ? [] : [pack_id])),
  );
  const nameOf = (id: number) => people.get(id)?.nickname ?? '';
  return {
    list: grants.map((grant) => ({
      id: grant.id,
      nickname: nameOf(grant.user_id),
      validPhoneExt: people.get(grant.user_id)?.validPhoneExt ?? '',
      packName: grant.pack_id === null ? null : (packs.get(grant.pack_id) ?? ''),
      percent: grant.percent as AccommodationPercent | null,
      minutes: grant.minutes,
      reason: grant.reason,
      setBy: nameOf(grant.set_by),
      setAt: grant.set_at,
      endedBy: grant.ended_by === null ? null : nameOf(grant.ended_by),
      endedAt: grant.ended_at,
    })),
    total,
    pages: Math.ceil(total / pageSize),
    pageNum,
    packs: (await readShelf(query))
      .sort((a, b) => a.position - b.position || a.packId - b.packId)
      .map(({ packId, name }) => ({ packId, packName: name })),
  };
}
