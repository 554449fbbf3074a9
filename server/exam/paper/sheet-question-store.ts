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

/** A question of a spreadsheet as papers name it. */
export interface KeyedSheetQuestion {
  id: number;
  /** Under which it is stored. */
  key: string;
  /** 编号. */
  schoolKey: string;
  score: number;
  /** No file has it any more. */
  archived: boolean;
  /** Key of its case; null: none. */
  caseKey: string | null;
  type: number;
  /** Sanitized HTML. */
  topic: string;
  options: Record<string, string>;
  /** Text of its case; '': none. */
  material: string;
}

/** The questions of a pack from spreadsheets that have these 编号, by 编号; those that a person has taken out are none that no file has. */
export async function findBySchoolKeys(
  query: Query,
  packId: number,
  schoolKeys: readonly string[],
): Promise<Map<string, KeyedSheetQuestion>> {
  const found = new Map<string, KeyedSheetQuestion>();
  for (const some of batches(schoolKeys)) {
    const rows = await sheetQuestions(query, packId)
      .select(['questions.score', 'questions.retired', 'cases.slug as case_slug'])
      .where('questions.school_key', 'in', some)
      .execute();
    for (const row of rows) {
      if (row.school_key === null) continue;
      found.set(row.school_key, {
        id: row.id,
        key: row.slug,
        schoolKey: row.school_key,
        score: row.score,
        archived: row.archived === 1 && row.retired === '',
        caseKey: row.case_slug,
        type: row.question_types_id,
        topic: row.topic,
        options: JSON.parse(row.options) as Record<string, string>,
        material: row.material ?? '',
      });
    }
  }
  return found;
}

/** Those of these 编号 that questions on offer of other packs have. */
export async function findSchoolKeysElsewhere(
  query: Query,
  packId: number | null,
  schoolKeys: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of batches(schoolKeys)) {
    const rows = await query
      .selectFrom('questions')
      .select('school_key')
      .distinct()
      .where('pack_id', '<>', packId ?? 0)
      .where('archived', '=', 0)
      .where('school_key', 'in', some)
      .execute();
    for (const { school_key } of rows) if (school_key !== null) found.add(school_key);
  }
  return found;
}

/** The keys of the questions on offer that stand on each of these cases. */
export async function readCaseQuestions(
  query: Query,
  packId: number,
  caseKeys: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const some of batches(caseKeys)) {
    const rows = await query
      .selectFrom('questions')
      .innerJoin('cases', 'cases.id', 'questions.case_id')
      .select(['questions.slug', 'cases.slug as case_slug'])
      .where('cases.pack_id', '=', packId)
      .where('cases.slug', 'in', some)
      .where('questions.archived', '=', 0)
      .execute();
    for (const row of rows) {
      const keys = found.get(row.case_slug);
      if (keys) keys.push(row.slug);
      else found.set(row.case_slug, [row.slug]);
    }
  }
  return found;
}

/** The keys of the questions of a pack that a person has taken out. */
export async function readRetiredKeys(query: Query, packId: number): Promise<Set<string>> {
  const rows = await query
    .selectFrom('questions')
    .select('slug')
    .where('pack_id', '=', packId)
    .where('archived', '=', 1)
    .where('retired', '<>', '')
    .execute();
  return new Set(rows.map(({ slug }) => slug));
}
