import type { DataOf } from '#contract/call.ts';
import type { ListExamYears } from '#contract/exam.ts';
import type { Query } from '#server/db/open.ts';
import { listYears } from './store.ts';

/** Years of the past papers of a pack. */
export async function readYearList(query: Query, packId: number): Promise<DataOf<typeof ListExamYears>> {
  return { list: await listYears(query, packId) };
}
