import { LARGEST_PAGE_SIZE } from '#contract/values/paging.ts';
import { send } from '#web/lib/send.ts';
import type { CaseMaterial } from '../paper.ts';
import { fromCollected, fromWrong, type ShownQuestion } from './shown-question.ts';
import { askedFilter, type WrongFilter } from './wrong-filter.ts';

/** Questions that a print or an export has at most: more is nothing that anybody reads. */
export const MOST_READ = 1000;

/** All questions that a filter shows, up to `MOST_READ`, with the case material they belong to. */
export async function readAll(
  packId: number,
  filter: WrongFilter,
  now: number,
): Promise<{ questions: ShownQuestion[]; cases: CaseMaterial[]; total: number }> {
  const questions: ShownQuestion[] = [];
  const cases = new Map<number, CaseMaterial>();
  let total = 0;
  for (let pageNum = 1; questions.length < MOST_READ; pageNum += 1) {
    const page = await readPage(packId, filter, now, pageNum);
    questions.push(...page.questions);
    for (const material of page.cases) cases.set(material.id, material);
    total = page.total;
    if (page.questions.length === 0 || questions.length >= total) break;
  }
  return { questions: questions.slice(0, MOST_READ), cases: [...cases.values()], total };
}

async function readPage(packId: number, filter: WrongFilter, now: number, pageNum: number) {
  const pageSize = LARGEST_PAGE_SIZE;
  if (filter.tab === 'collected') {
    const { chapterId, questionTypesId } = filter;
    const asked = { packId, chapterId, questionTypesId, pageNum, pageSize };
    const { list, cases, total } = await send('GET /app/exam/collection', asked);
    return { questions: list.map(fromCollected), cases, total };
  }
  const asked = { ...askedFilter(packId, filter, now), order: filter.order, pageNum, pageSize };
  const { list, cases, total } = await send('GET /api/exam/error', asked);
  return { questions: list.map(fromWrong), cases, total };
}
