import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

/** A record with an end that somebody sits now. */
interface Sitting {
  recordId: number;
  userId: number;
  examId: number;
  examName: string;
  startedAt: number;
  endsAt: number;
  extraMinutes: number;
  accommodation: number;
  totalQuestion: number;
}

/** Open records that end by themselves: the index of what is due has these alone. */
function sitting(query: Query, examId: number | undefined) {
  const rows = query
    .selectFrom('exam_records')
    .where('exam_records.submitted_at', 'is', null)
    .where('exam_records.ends_at', 'is not', null);
  return examId === undefined ? rows : rows.where('exam_records.exam_id', '=', examId);
}

/** A page of who sits a paper now, the soonest end first, and how many there are. */
export async function readSitting(
  query: Query,
  examId: number | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ list: Sitting[]; total: number }> {
  const { total } = await sitting(query, examId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await sitting(query, examId)
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select([
      'exam_records.id',
      'exam_records.user_id',
      'exam_records.exam_id',
      'exam_records.started_at',
      'exam_records.ends_at',
      'exam_records.extra_minutes',
      'exam_records.accommodation_minutes',
      'exams.name',
      'exams.total_question',
    ])
    .orderBy('exam_records.ends_at')
    .orderBy('exam_records.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return {
    total: Number(total),
    list: rows.map((row) => ({
      recordId: row.id,
      userId: row.user_id,
      examId: row.exam_id,
      examName: row.name,
      startedAt: row.started_at,
      endsAt: row.ends_at ?? 0,
      extraMinutes: row.extra_minutes,
      accommodation: row.accommodation_minutes,
      totalQuestion: row.total_question,
    })),
  };
}

/** Papers that somebody sits now, those with most first. */
export async function readSatPapers(
  query: Query,
  most: number,
): Promise<{ examId: number; examName: string; packId: number; count: number }[]> {
  const rows = await query
    .selectFrom(
      sitting(query, undefined)
        .select(({ fn }) => ['exam_id', fn.countAll<number>().as('count')])
        .groupBy('exam_id')
        .as('sat'),
    )
    .innerJoin('exams', 'exams.id', 'sat.exam_id')
    .select(['exams.id', 'exams.name', 'exams.pack_id', 'sat.count'])
    .orderBy('sat.count', 'desc')
    .orderBy('exams.id')
    .limit(most)
    .execute();
  return rows.map((row) => ({ examId: row.id, examName: row.name, packId: row.pack_id, count: Number(row.count) }));
}

/** The newest save of records, by record. */
export async function readLastSaves(query: Query, recordIds: readonly number[]): Promise<Map<number, number>> {
  if (recordIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('exam_answers')
    .select(({ fn }) => ['record_id', fn.max<number>('saved_at').as('saved_at')])
    .where('record_id', 'in', padded(recordIds))
    .groupBy('record_id')
    .execute();
  return new Map(rows.map((row) => [row.record_id, Number(row.saved_at)]));
}

/** The records of a paper that are open and end by themselves, in the order in which they are locked. */
export async function readOpenIds(query: Query, examId: number): Promise<number[]> {
  const rows = await sitting(query, examId).select('exam_records.id').orderBy('exam_records.id').execute();
  return rows.map((row) => row.id);
}

/** An exam by its id; undefined where there is none. */
export async function findExamName(query: Query, examId: number): Promise<string | undefined> {
  return (await query.selectFrom('exams').select('name').where('id', '=', examId).executeTakeFirst())?.name;
}

/** The exam of a record; undefined where there is none. */
export async function findExamOfRecord(query: Query, recordId: number): Promise<number | undefined> {
  return (await query.selectFrom('exam_records').select('exam_id').where('id', '=', recordId).executeTakeFirst())
    ?.exam_id;
}

/** The paper of a pack with this key; undefined where there is none. */
export async function findPaperId(query: Query, packId: number, paper: string): Promise<number | undefined> {
  const row = await query
    .selectFrom('exams')
    .select('id')
    .where('pack_id', '=', packId)
    .where('slug', '=', paper)
    .executeTakeFirst();
  return row?.id;
}

/** A page of the time that was given back, newest first. */
export async function readGifts(query: Query, { limit, offset }: { limit: number; offset: number }) {
  const { total } = await query
    .selectFrom('time_gifts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const gifts = await query
    .selectFrom('time_gifts')
    .innerJoin('exams', 'exams.id', 'time_gifts.exam_id')
    .select([
      'time_gifts.id',
      'time_gifts.minutes',
      'time_gifts.reason',
      'time_gifts.done_by',
      'time_gifts.given_at',
      'exams.name',
      'exams.pack_id',
    ])
    .orderBy('time_gifts.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { gifts, total: Number(total) };
}
