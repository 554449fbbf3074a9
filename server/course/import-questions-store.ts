import type { Insertable } from 'kysely';
import type { CheckedQuestion } from '#content/question.ts';
import { fingerprintOf } from '#server/db/fingerprint.ts';
import type { Trx } from '#server/db/open.ts';
import type { Questions } from '#server/db/schema.ts';

/** Rows in one statement: 15 values each stay far below the 32,766 that SQLite takes. */
export const BATCH = 500;

/** Keys of what spreadsheets brought in. A pack's own keys hold no colon, so a pack never touches these. */
export const SHEET = 'sheet:';

/** Cuts a list into pieces that one statement can carry. */
export function* batches<T>(all: readonly T[], size = BATCH): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

type Row = Insertable<Questions>;
const COMPARED = [
  'chapter_id',
  'question_types_id',
  'topic',
  'options',
  'right_answer',
  'answer_analysis',
  'score',
  'difficulty',
  'case_id',
  'position',
  'archived',
] as const satisfies readonly (keyof Row)[];

/** Where a question stands; `position` null: behind what is there, and unmoved when it is there already. */
interface QuestionPlace {
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
  /** Ids of questions that were there and read differently now. */
  changedIds: number[];
}

/**
 * Writes questions of a pack by their keys: new ones are added, those that differ are changed in place, so that students'
 * records stay attached. Questions that are the same are not written at all.
 * @param nextPosition where a new question without a place of its own goes
 */
export async function syncQuestions(
  trx: Trx,
  packId: number,
  questions: readonly (CheckedQuestion & { place: QuestionPlace })[],
  nextPosition: () => number,
): Promise<QuestionChanges> {
  const changes: QuestionChanges = { added: 0, changed: 0, unchanged: 0, changedIds: [] };
  for (const batch of batches(questions)) {
    const keys = batch.map((one) => one.key);
    const known = await trx
      .selectFrom('questions')
      .selectAll()
      .where('pack_id', '=', packId)
      .where('slug', 'in', keys)
      .execute();
    const bySlug = new Map(known.map((row) => [row.slug, row]));
    const write: Row[] = [];
    for (const question of batch) {
      const there = bySlug.get(question.key);
      const row = rowOf(packId, question, question.place.position ?? there?.position ?? nextPosition());
      if (!there) changes.added += 1;
      else if (COMPARED.some((column) => there[column] !== row[column])) {
        changes.changed += 1;
        changes.changedIds.push(there.id);
      } else {
        changes.unchanged += 1;
        // The text of its case is another one: the question stays as it is, but is recognised by both.
        if (there.fingerprint === row.fingerprint) continue;
      }
      write.push(row);
    }
    if (write.length > 0) await upsert(trx, write);
  }
  return changes;
}

function rowOf(packId: number, question: CheckedQuestion & { place: QuestionPlace }, position: number) {
  return {
    pack_id: packId,
    chapter_id: question.place.chapterId,
    slug: question.key,
    question_types_id: question.type,
    topic: question.topic,
    options: JSON.stringify(question.options),
    right_answer: question.rightAnswer,
    answer_analysis: question.analysis,
    score: question.score,
    difficulty: question.difficulty,
    case_id: question.place.caseId,
    position,
    archived: 0,
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
        score: set.ref('excluded.score'),
        difficulty: set.ref('excluded.difficulty'),
        case_id: set.ref('excluded.case_id'),
        position: set.ref('excluded.position'),
        archived: set.ref('excluded.archived'),
        fingerprint: set.ref('excluded.fingerprint'),
      })),
    )
    .execute();
}

/** Archives the questions a pack no longer has; those that came from spreadsheets stay. @returns how many */
export async function archiveQuestions(trx: Trx, packId: number, keep: ReadonlySet<string>): Promise<number> {
  const there = await trx
    .selectFrom('questions')
    .select(['id', 'slug'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .where('slug', 'not like', `${SHEET}%`)
    .execute();
  const gone = there.filter(({ slug }) => !keep.has(slug)).map(({ id }) => id);
  for (const ids of batches(gone))
    await trx.updateTable('questions').set({ archived: 1 }).where('id', 'in', ids).execute();
  return gone.length;
}

/** Case material as it shall be stored. */
interface CaseText {
  key: string;
  title: string;
  text: string;
}

/** Writes case material by its keys. @returns the ids by key, and the ids of those that read differently now */
export async function syncCases(
  trx: Trx,
  packId: number,
  cases: readonly CaseText[],
): Promise<{ ids: Map<string, number>; changedIds: number[] }> {
  const ids = new Map<string, number>();
  const changedIds: number[] = [];
  for (const batch of batches(cases)) {
    const known = await trx
      .selectFrom('cases')
      .selectAll()
      .where('pack_id', '=', packId)
      .where(
        'slug',
        'in',
        batch.map((one) => one.key),
      )
      .execute();
    const bySlug = new Map(known.map((row) => [row.slug, row]));
    const write = batch.filter(({ key, title, text }) => {
      const there = bySlug.get(key);
      if (there) ids.set(key, there.id);
      const differs = !there || there.title !== title || there.text !== text;
      if (there && differs) changedIds.push(there.id);
      return differs;
    });
    if (write.length === 0) continue;
    const written = await trx
      .insertInto('cases')
      .values(write.map(({ key, title, text }) => ({ pack_id: packId, slug: key, title, text })))
      .onConflict((conflict) =>
        conflict
          .columns(['pack_id', 'slug'])
          .doUpdateSet((set) => ({ title: set.ref('excluded.title'), text: set.ref('excluded.text') })),
      )
      .returning(['id', 'slug'])
      .execute();
    for (const row of written) ids.set(row.slug, row.id);
  }
  return { ids, changedIds };
}
