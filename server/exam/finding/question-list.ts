import type { DataOf, InputOf } from '#contract/call.ts';
import type { ChapterQuestions } from '#contract/exam.ts';
import { chapterWithBelow } from '#server/course/chapter-store.ts';
import type { Query } from '#server/db/open.ts';
import { listQuestions } from './store.ts';

/** A page of the questions of a chapter and of everything below it, without keys; null when the pack has no such chapter. */
export async function readQuestionList(
  query: Query,
  { packId, chapterId, pageNum, pageSize, questionTypesId }: InputOf<typeof ChapterQuestions>,
): Promise<DataOf<typeof ChapterQuestions> | null> {
  const chapterIds = await chapterWithBelow(query, packId, chapterId);
  if (!chapterIds) return null;
  const bounds = { limit: pageSize, offset: (pageNum - 1) * pageSize };
  const found = await listQuestions(query, { packId, chapterIds, questionTypesId, ...bounds });
  return { ...found, pages: Math.ceil(found.total / pageSize), pageNum };
}
