import { CONTENT_KEY, questionKey } from '#content/question/content-key.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import type { ToldBy } from '#rules/exam/same-question.ts';
import { batches } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';

/** A question that came from a spreadsheet, with all that tells it from others. */
export interface SheetQuestion extends ToldBy {
  id: number;
  /** Under which it is stored. */
  key: string;
  /** What its key would be by what it asks now. */
  asks: string;
  /** 编号; null: it has none. */
  schoolKey: string | null;
  chapterId: number;
  archived: boolean;
}

/** Questions read at once. */
const AT_ONCE = 500;

const sheetQuestions = (query: Query, packId: number) =>
  query
    .selectFrom('questions')
    .leftJoin('cases', 'cases.id', 'questions.case_id')
    .select([
      'questions.id',
      'questions.slug',
      'questions.school_key',
      'questions.chapter_id',
      'questions.archived',
      'questions.question_types_id',
      'questions.topic',
      'questions.options',
      'cases.text as material',
    ])
    .where('questions.pack_id', '=', packId)
    .where('questions.slug', 'like', `${CONTENT_KEY}%`)
    .orderBy('questions.id');

type Row = Awaited<ReturnType<ReturnType<typeof sheetQuestions>['execute']>>[number];

function sheetQuestion(row: Row): SheetQuestion {
  const type = row.question_types_id as QuestionType;
  const options = JSON.parse(row.options) as Record<string, string>;
  const material = row.material ?? '';
  return {
    id: row.id,
    key: row.slug,
    asks: questionKey(type, row.topic, options, material),
    schoolKey: row.school_key,
    chapterId: row.chapter_id,
    archived: row.archived === 1,
    type,
    topic: row.topic,
    options,
    material,
  };
}

/** The questions of a pack that came from spreadsheets, archived ones too, oldest first and some at a time: memory does not grow with the bank. */
export async function* readSheetQuestions(query: Query, packId: number): AsyncGenerator<SheetQuestion[]> {
  for (let after = 0; ; ) {
    const rows = await sheetQuestions(query, packId).where('questions.id', '>', after).limit(AT_ONCE).execute();
    if (rows.length > 0) yield rows.map(sheetQuestion);
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

/** Those of them that are stored under these keys. */
export async function findSheetQuestions(
  query: Query,
  packId: number,
  keys: readonly string[],
): Promise<SheetQuestion[]> {
  const found: SheetQuestion[] = [];
  for (const some of batches(keys))
    for (const row of await sheetQuestions(query, packId).where('questions.slug', 'in', some).execute())
      found.push(sheetQuestion(row));
  return found;
}

/** Those of these keys that questions of the pack's own folder have. */
export async function findFolderKeys(query: Query, packId: number, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of batches(keys)) {
    const rows = await query
      .selectFrom('questions')
      .select('slug')
      .where('pack_id', '=', packId)
      .where('slug', 'in', some)
      .where('slug', 'not like', `${CONTENT_KEY}%`)
      .execute();
    for (const { slug } of rows) found.add(slug);
  }
  return found;
}
