import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListUniversities } from '#contract/university.ts';
import { filterList, pageOf } from '#rules/university/search.ts';
import type { AllUniversities } from './all-universities.ts';

/** One page of the universities that fit every filter. */
export function listUniversities(
  all: AllUniversities,
  asked: InputOf<typeof ListUniversities>,
): DataOf<typeof ListUniversities> {
  const fitting = filterList(all.list, asked);
  const { list, hasMore } = pageOf(fitting, asked.pageNum, asked.pageSize);
  return { list: list.map((university) => university.brief), total: fitting.length, hasMore, pageNum: asked.pageNum };
}
