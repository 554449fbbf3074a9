import type { DataOf } from '#contract/call.ts';
import type { MyExams } from '#contract/exam.ts';
import { readPackNames } from '#server/course/store.ts';
import type { ExamParts } from '../parts.ts';
import { recordState } from '../record/state.ts';
import type { RecordFilter, RecordView } from '../record/store.ts';

type Page = DataOf<typeof MyExams>;
/** A record in a list, with what it may show now. */
export type RecordLine = Page['list'][number];

/** A page of a student's records, newest first. */
export async function readUserExamList(
  exam: ExamParts,
  filter: RecordFilter,
  pageNum: number,
  pageSize: number,
): Promise<Page> {
  const total = await exam.records.count(filter);
  const records = await exam.records.list(filter, pageSize, (pageNum - 1) * pageSize);
  const list = await recordLines(exam, filter.userId, records);
  return { list, total, pages: Math.ceil(total / pageSize), pageNum };
}

/** Lines of a student's records with what each may show. */
export async function recordLines(
  { db, answers, gradesFor }: ExamParts,
  userId: number,
  records: readonly RecordView[],
): Promise<RecordLine[]> {
  const tallies = await gradesFor(db.query, userId).tallies(records);
  const answered = await answers.countAnswered(
    db.query,
    records.map((record) => record.id),
  );
  const packNames = await readPackNames(
    db.query,
    records.map((record) => record.packId),
  );
  return records.map((record) => {
    const tally = tallies.get(record.id);
    return {
      ...recordState(record),
      closed: record.closed,
      score: record.submittedAt === null ? null : (tally?.score ?? null),
      withheld: tally?.withheld ?? false,
      pendingCount: tally?.pendingCount ?? 0,
      doneCount: answered.get(record.id) ?? 0,
      packName: packNames.get(record.packId) ?? '',
    };
  });
}
