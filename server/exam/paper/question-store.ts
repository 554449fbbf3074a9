import type { Insertable, Selectable } from 'kysely';
import { CONTENT_KEY } from '#content/question/content-key.ts';
import type { CheckedQuestion } from '#content/question/question.ts';
import { afterImport } from '#rules/exam/rescore.ts';
import { batches } from '#server/db/batches.ts';
import { fingerprintOf } from '#server/db/fingerprint.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Questions } from '#server/db/schema.ts';
import type { PlacedQuestion } from './chapter-practice.ts';
import type { Correction } from './correction-store.ts';
import { questionName } from './question-name.ts';
import { reservedQuestions } from './reserved-store.ts';
import { storedPoints } from './stored-points.ts';
import { readTeacherCorrections, type TeacherCorrection } from './teacher-correction-store.ts';

type Row = Insertable<Questions>;

/** What an answer means, and which is right. */
const KEY = ['question_types_id', 'options', 'right_answer'] as const satisfies readonly (keyof Row)[];
/** What a record keeps of a question: what it shows and how it is graded. Its points stand in the list of the paper. */
const KEPT = [
  ...KEY,
  'points',
  'chapter_id',
  'topic',
  'answer_analysis',
  'case_id',
] as const satisfies readonly (keyof Row)[];
/** Of another case text too, by which a twin is recognised, and of another knowledge point, by which one question stands for another. */
const REVISED = [...KEPT, 'fingerprint', 'knowledge_point'] as const satisfies readonly (keyof Row)[];
/** What makes a question another one to read; its fingerprint alone does not. */
const COMPARED = [
  ...KEPT,
  'score',
  'difficulty',
  'knowledge_point',
  'position',
  'archived',
  'school_key',
] as const satisfies readonly (keyof Row)[];

/** A question as it shall be stored. */
export interface WantedQuestion extends CheckedQuestion {
  place: QuestionPosition;
  /** The school's own key (编号); null or left out: the file has none, and what is stored keeps its own. */
  schoolKey?: string | null;
}

/** Where a question stands; `position` null: behind what is there, and unmoved when it is there already. */
interface QuestionPosition {
  chapterId: number;
  caseId: number | null;
  /** Text of the case; null: none. */
  material: string | null;
  position: number | null;
}

/** What a write did, counted in questions. */
export interface QuestionChanges {
  added: number;
  changed: number;
  unchanged: number;
  /** Ids of questions that were there and that papers show or grade differently now. */
  changedIds: number[];
  /** Questions that a person has taken out, by 编号 or key: they are brought up to date and stay out. */
  retired: string[];
  teachers: TeachersWord;
}

/** Questions that a teacher had corrected and that the file says otherwise, by their names. */
export interface TeachersWord {
  /** The file says what it said before: the teacher's correction stands. */
  kept: string[];
  /** The file says something new of it: that is taken. */
  overruled: string[];
}

/**
 * Writes questions of a pack by their keys: new ones are added, those that differ are changed in place, so that students'
 * records stay attached. Questions that are the same are not written at all.
 * @param nextPosition where a new question without a place of its own goes
 * @param correction keeps what is changed for the records that began with it
 */
export async function syncQuestions(
  trx: Trx,
  packId: number,
  questions: readonly WantedQuestion[],
  nextPosition: () => number,
  correction: Correction,
): Promise<QuestionChanges> {
  const changes: QuestionChanges = {
    added: 0,
    changed: 0,
    unchanged: 0,
    changedIds: [],
    retired: [],
    teachers: { kept: [], overruled: [] },
  };
  for (const batch of batches(questions)) {
    const keys = batch.map(({ key }) => key);
    const rows = await trx
      .selectFrom('questions')
      .selectAll()
      .where('pack_id', '=', packId)
      .where('slug', 'in', keys)
      .execute();
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    const corrected = await readTeacherCorrections(
      trx,
      rows.map(({ id }) => id),
    );
    const write: Row[] = [];
    const replaced: typeof rows = [];
    for (const question of batch) {
      const stored = bySlug.get(question.key);
      const wanted = rowOf(packId, question, {
        position: question.place.position ?? stored?.position ?? nextPosition(),
        schoolKey: question.schoolKey ?? stored?.school_key ?? null,
        retired: stored !== undefined && stored.retired !== '',
      });
      const row = stored ? withTeachersWord(wanted, stored, corrected.get(stored.id) ?? [], changes.teachers) : wanted;
      const differs = (columns: readonly (keyof typeof row)[]) =>
        columns.some((column) => stored?.[column] !== row[column]);
      if (stored && stored.retired !== '') changes.retired.push(row.school_key ?? row.slug);
      if (stored && differs(REVISED)) replaced.push(stored);
      if (!stored) changes.added += 1;
      else if (differs(COMPARED)) {
        changes.changed += 1;
        if (differs(KEPT)) changes.changedIds.push(stored.id);
      } else {
        changes.unchanged += 1;
        // The text of its case is another one: the question stays as it is, but is recognised by both.
        if (stored.fingerprint === row.fingerprint) continue;
      }
      write.push({ ...row, key_version: (stored?.key_version ?? 1) + (stored && differs(KEY) ? 1 : 0) });
    }
    await correction.keepQuestions(replaced);
    if (write.length > 0) await upsert(trx, write);
  }
  return changes;
}

/** A question of a file with what teachers corrected in it, as long as the file and the options are as they were then. */
function withTeachersWord(
  wanted: ReturnType<typeof rowOf>,
  stored: Selectable<Questions>,
  corrections: readonly TeacherCorrection[],
  { kept, overruled }: TeachersWord,
): ReturnType<typeof rowOf> {
  if (corrections.length === 0) return wanted;
  const pairs = <F extends 'right' | 'analysis' | 'score'>(field: F) =>
    corrections.flatMap(({ change }) => {
      const pair = change[field];
      return pair === undefined || change.filed ? [] : [pair];
    });
  const right = afterImport(stored.right_answer, wanted.right_answer, pairs('right') as [string, string][]);
  const analysis = afterImport(stored.answer_analysis, wanted.answer_analysis, pairs('analysis') as [string, string][]);
  const score = afterImport(stored.score, wanted.score, pairs('score') as [number, number][]);
  // Letters that stand for something else now have another key.
  const sameLetters = stored.options === wanted.options && stored.question_types_id === wanted.question_types_id;
  const isOverruled =
    [right, analysis, score].some(({ says }) => says === 'overruled') || (right.says === 'kept' && !sameLetters);
  if (isOverruled) overruled.push(questionName(wanted));
  else if ([right, analysis, score].some(({ says }) => says === 'kept')) kept.push(questionName(wanted));
  return {
    ...wanted,
    right_answer: sameLetters ? right.value : wanted.right_answer,
    answer_analysis: analysis.value,
    score: score.value,
  };
}

function rowOf(
  packId: number,
  question: WantedQuestion,
  { position, schoolKey, retired }: { position: number; schoolKey: string | null; retired: boolean },
) {
  return {
    pack_id: packId,
    chapter_id: question.place.chapterId,
    slug: question.key,
    school_key: schoolKey,
    question_types_id: question.type,
    topic: question.topic,
    options: JSON.stringify(question.options),
    right_answer: question.rightAnswer,
    answer_analysis: question.analysis,
    points: storedPoints(question.points, question.score),
    score: question.score,
    difficulty: question.difficulty,
    knowledge_point: question.knowledgePoint,
    case_id: question.place.caseId,
    position,
    // What a person has taken out no file brings back.
    archived: retired ? 1 : 0,
    fingerprint: fingerprintOf({ topic: question.topic, options: question.options, material: question.place.material }),
  } satisfies Row;
}

async function upsert(trx: Trx, rows: Row[]): Promise<void> {
  await trx
    .insertInto('questions')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['pack_id', 'slug']).doUpdateSet((set) => ({
        chapter_id: set.ref('excluded.chapter_id'),
        question_types_id: set.ref('excluded.question_types_id'),
        topic: set.ref('excluded.topic'),
        options: set.ref('excluded.options'),
        right_answer: set.ref('excluded.right_answer'),
        answer_analysis: set.ref('excluded.answer_analysis'),
        points: set.ref('excluded.points'),
        score: set.ref('excluded.score'),
        difficulty: set.ref('excluded.difficulty'),
        knowledge_point: set.ref('excluded.knowledge_point'),
        case_id: set.ref('excluded.case_id'),
        position: set.ref('excluded.position'),
        archived: set.ref('excluded.archived'),
        fingerprint: set.ref('excluded.fingerprint'),
        school_key: set.ref('excluded.school_key'),
        key_version: set.ref('excluded.key_version'),
      })),
    )
    .execute();
}

/** Archives the questions a pack no longer has; those that came from a file without keys stay. @returns how many */
export async function archiveQuestions(trx: Trx, packId: number, keep: ReadonlySet<string>): Promise<number> {
  const stored = await trx
    .selectFrom('questions')
    .select(['id', 'slug'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .where('slug', 'not like', `${CONTENT_KEY}%`)
    .execute();
  return archiveGone(trx, stored, keep);
}

/** Archives the questions from files without keys that stand in these chapters and are not kept. @returns how many */
export async function archiveKeylessQuestions(
  trx: Trx,
  packId: number,
  chapterIds: ReadonlySet<number>,
  keep: ReadonlySet<string>,
): Promise<number> {
  const stored = await trx
    .selectFrom('questions')
    .select(['id', 'slug', 'chapter_id'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .where('slug', 'like', `${CONTENT_KEY}%`)
    .execute();
  return archiveGone(
    trx,
    stored.filter(({ chapter_id }) => chapterIds.has(chapter_id)),
    keep,
  );
}

/** Archives questions by their keys. @returns how many were on offer */
export async function archiveByKeys(trx: Trx, packId: number, keys: readonly string[]): Promise<number> {
  let count = 0;
  for (const some of batches(keys)) {
    const done = await trx
      .updateTable('questions')
      .set({ archived: 1 })
      .where('pack_id', '=', packId)
      .where('slug', 'in', some)
      .where('archived', '=', 0)
      .returning('id')
      .execute();
    count += done.length;
  }
  return count;
}

/** Questions by their keys as they stand in their chapters now. */
export async function readStanding(
  query: Query,
  packId: number,
  keys: readonly string[],
): Promise<(PlacedQuestion & { key: string; archived: boolean })[]> {
  const found: (PlacedQuestion & { key: string; archived: boolean })[] = [];
  for (const some of batches(keys)) {
    const rows = await query
      .selectFrom('questions')
      .select(['id', 'slug', 'chapter_id', 'score', 'archived'])
      .where('pack_id', '=', packId)
      .where('slug', 'in', some)
      .execute();
    for (const { id, slug, chapter_id, score, archived } of rows)
      found.push({ questionId: id, key: slug, chapterId: chapter_id, score, archived: archived === 1 });
  }
  return found;
}

async function archiveGone(
  trx: Trx,
  stored: readonly { id: number; slug: string }[],
  keep: ReadonlySet<string>,
): Promise<number> {
  const gone = stored.filter(({ slug }) => !keep.has(slug)).map(({ id }) => id);
  for (const ids of batches(gone))
    await trx.updateTable('questions').set({ archived: 1 }).where('id', 'in', ids).execute();
  return gone.length;
}

const namedByPapers = (query: Query, packId: number) =>
  query
    .selectFrom('questions')
    .select(['slug', 'id'])
    .where('pack_id', '=', packId)
    .where(({ or, eb }) => or([eb('archived', '=', 0), eb('retired', '<>', '')]));

/** The ids of a pack's questions by their keys, without archived ones, but with those that a person has taken out: papers go on naming them. */
export async function questionIdsByKey(query: Query, packId: number): Promise<Map<string, number>> {
  return new Map((await namedByPapers(query, packId).execute()).map(({ slug, id }) => [slug, id]));
}

/** As `questionIdsByKey`, of these keys alone. */
export async function questionIdsOf(
  query: Query,
  packId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const some of batches(keys))
    for (const { slug, id } of await namedByPapers(query, packId).where('slug', 'in', some).execute())
      ids.set(slug, id);
  return ids;
}

/** The position of the last question of a pack, archived ones included; 0: it has none. */
export async function lastQuestionPosition(query: Query, packId: number): Promise<number> {
  const last = await query
    .selectFrom('questions')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  return Number(last?.position ?? 0);
}

/** The chapters of a pack in which questions stand, archived questions aside. */
export async function filledChapterIds(query: Query, packId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('questions')
    .select('chapter_id')
    .distinct()
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  return rows.map(({ chapter_id }) => chapter_id);
}

/** The questions of a pack that are practised, in their order, each with its chapter and its points: archived and reserved ones aside. */
export async function readPlacedQuestions(
  query: Query,
  packId: number,
  chapterIds?: readonly number[],
): Promise<PlacedQuestion[]> {
  const rows = await query
    .selectFrom('questions')
    .select(['id', 'chapter_id', 'score'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .where('id', 'not in', reservedQuestions(query).where('reserving.pack_id', '=', packId))
    .$if(chapterIds !== undefined, (placed) => placed.where('chapter_id', 'in', chapterIds ?? []))
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ id, chapter_id, score }) => ({ questionId: id, chapterId: chapter_id, score }));
}
