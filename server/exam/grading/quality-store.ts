import { type ExpressionBuilder, sql } from 'kysely';
import type { Choices } from '#rules/exam/quality.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { Tables } from '#server/db/schema.ts';
import type { ContentQuestion } from '../paper/content.ts';
import { contentQuestion, QUESTION_COLUMNS } from '../paper/content-store.ts';

/** A question as it stands now, with what is counted of it. */
export interface StandingQuality {
  question: ContentQuestion;
  packId: number;
  archived: boolean;
  choices: Choices;
  meaning: string;
  reports: number;
  attention: number;
}

type QualityRow = Parameters<typeof contentQuestion>[0] & {
  pack_id: number;
  score: number;
  archived: number;
  choices: string | null;
  meaning: string | null;
  reports: number | null;
  attention: number | null;
};

const COLUMNS = [
  'questions.id',
  'questions.pack_id',
  'questions.score',
  'questions.archived',
  'questions.difficulty',
  ...QUESTION_COLUMNS.map((name) => `questions.${name}` as const),
  'question_quality.choices',
  'question_quality.meaning',
  'question_quality.reports',
  'question_quality.attention',
] as const;

function toStanding(row: QualityRow): StandingQuality {
  return {
    question: contentQuestion(row, row.score),
    packId: row.pack_id,
    archived: row.archived === 1,
    choices: JSON.parse(row.choices ?? '{}') as Choices,
    meaning: row.meaning ?? '',
    reports: row.reports ?? 0,
    attention: row.attention ?? 0,
  };
}

/** Questions as they stand now with what is counted of them, by id. */
export async function readStandingQuality(
  query: Query,
  questionIds: readonly number[],
): Promise<Map<number, StandingQuality>> {
  const found = new Map<number, StandingQuality>();
  for (const ids of inLists([...new Set(questionIds)])) {
    const rows = await query
      .selectFrom('questions')
      .leftJoin('question_quality', 'question_quality.question_id', 'questions.id')
      .select(COLUMNS)
      .where('questions.id', 'in', ids)
      .execute();
    for (const row of rows) found.set(row.id, toStanding(row));
  }
  return found;
}

/** Which questions a teacher looks at. */
interface QualityFilter {
  packId: number;
  chapterIds?: readonly number[] | undefined;
  questionTypesId?: number | undefined;
  /** A part of the question's text as it is stored, in any case; its wildcards stand for themselves. */
  text?: string | undefined;
  /** Those that need a look alone, or those that a person has taken out. */
  only?: 'look' | 'retired' | undefined;
}

/** Where a page begins: behind this question. */
export interface QualityPlace {
  attention: number;
  questionId: number;
}

/**
 * A page of the questions on offer of a pack, or of its retired ones: those that need a look first, the most urgent ones before, then the newest. Read
 * from the indexes in this order, so that it costs what the page costs: first what has attention, then what has none.
 */
export async function readQualityPage(
  query: Query,
  filter: QualityFilter,
  after: QualityPlace | null,
  limit: number,
): Promise<StandingQuality[]> {
  const found: QualityRow[] = [];
  const archived = filter.only === 'retired' ? 1 : 0;
  if (after === null || after.attention > 0) {
    let looked = query
      .selectFrom('question_quality')
      .innerJoin('questions', 'questions.id', 'question_quality.question_id')
      .select(COLUMNS)
      .where('question_quality.pack_id', '=', filter.packId)
      .where('question_quality.attention', '>', 0)
      .where('questions.archived', '=', archived)
      .where((eb) => narrowed(eb, filter))
      .orderBy('question_quality.attention', 'desc')
      .orderBy('question_quality.question_id', 'desc')
      .limit(limit);
    if (after)
      looked = looked.where(
        sql<boolean>`(question_quality.attention, question_quality.question_id) < (${after.attention}, ${after.questionId})`,
      );
    found.push(...(await looked.execute()));
  }
  if (found.length < limit && filter.only !== 'look') {
    let others = query
      .selectFrom('questions')
      .leftJoin('question_quality', 'question_quality.question_id', 'questions.id')
      .select(COLUMNS)
      .where('questions.pack_id', '=', filter.packId)
      .where('questions.archived', '=', archived)
      .where(({ fn, val }) => fn.coalesce('question_quality.attention', val(0)), '=', 0)
      .where((eb) => narrowed(eb, filter))
      .orderBy('questions.id', 'desc')
      .limit(limit - found.length);
    if (after !== null && after.attention === 0) others = others.where('questions.id', '<', after.questionId);
    found.push(...(await others.execute()));
  }
  return found.map(toStanding);
}

function narrowed(
  eb: ExpressionBuilder<Tables, 'questions'>,
  { chapterIds, questionTypesId, text, only }: QualityFilter,
) {
  const all = [];
  if (only === 'retired') all.push(eb('questions.retired', '<>', ''));
  if (chapterIds !== undefined) all.push(eb('questions.chapter_id', 'in', chapterIds));
  if (questionTypesId !== undefined) all.push(eb('questions.question_types_id', '=', questionTypesId));
  if (text !== undefined)
    all.push(
      sql<boolean>`lower(questions.topic) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`,
    );
  return eb.and(all);
}

/** How many questions of a pack need a look, up to a hundred. */
export async function countLooks(query: Query, packId: number): Promise<number> {
  const { count } = await query
    .selectFrom(
      query
        .selectFrom('question_quality')
        .innerJoin('questions', 'questions.id', 'question_quality.question_id')
        .select('question_quality.question_id')
        .where('question_quality.pack_id', '=', packId)
        .where('question_quality.attention', '>', 0)
        .where('questions.archived', '=', 0)
        .limit(100)
        .as('looked'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many questions need a look, by pack; packs without any are left out. One look at an index with a line for each question. */
export async function countLooksByPack(query: Query): Promise<ReadonlyMap<number, number>> {
  const counted = await query
    .selectFrom('question_quality')
    .innerJoin('questions', 'questions.id', 'question_quality.question_id')
    .select(({ fn }) => ['question_quality.pack_id as packId', fn.countAll<number>().as('looks')])
    .where('question_quality.attention', '>', 0)
    .where('questions.archived', '=', 0)
    .groupBy('question_quality.pack_id')
    .execute();
  return new Map(counted.map(({ packId, looks }) => [packId, Number(looks)]));
}
