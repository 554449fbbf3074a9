import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { ContentQuestion } from './content.ts';
import { contentQuestion, QUESTION_COLUMNS } from './content-store.ts';

/** A question as it stands now, outside of any paper: its points are its own. */
interface StandingQuestion extends ContentQuestion {
  packId: number;
  /** The school has taken it out. */
  archived: boolean;
}

/** Whether a question can stand in something new: the school has not taken it out, and it is not void. */
export const isOffered = ({ archived, gradeMode }: StandingQuestion) => !archived && gradeMode !== 'void';

/** Questions as they stand now, by id; with their keys. Those that the school has taken out are read too. */
export async function readQuestions(
  query: Query,
  questionIds: readonly number[],
): Promise<Map<number, StandingQuestion>> {
  const found = new Map<number, StandingQuestion>();
  for (const ids of inLists([...new Set(questionIds)])) {
    const rows = await query
      .selectFrom('questions')
      .select(['id', 'pack_id', 'score', 'archived', 'difficulty', ...QUESTION_COLUMNS])
      .where('id', 'in', ids)
      .execute();
    for (const row of rows)
      found.set(row.id, { ...contentQuestion(row, row.score), packId: row.pack_id, archived: row.archived === 1 });
  }
  return found;
}

/** Case material as it stands now, by id. */
export async function readCaseMaterial(
  query: Query,
  caseIds: readonly number[],
): Promise<{ id: number; title: string; text: string }[]> {
  const found: { id: number; title: string; text: string }[] = [];
  for (const ids of inLists([...new Set(caseIds)])) {
    found.push(...(await query.selectFrom('cases').select(['id', 'title', 'text']).where('id', 'in', ids).execute()));
  }
  return found;
}

/** The names of exams, by id. */
export async function readExamNames(query: Query, examIds: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const ids of inLists([...new Set(examIds)])) {
    const rows = await query.selectFrom('exams').select(['id', 'name']).where('id', 'in', ids).execute();
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}
