import { batches } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { DatabaseTrouble } from '#server/db/trouble.ts';

/** For how long an import is somebody's alone after each of its turns (milliseconds). */
export const LEASE = 60_000;

/** Who has an import now. Whoever goes on with it after him raises the fence, and he is told at his next turn. */
export interface ImportHold {
  importId: number;
  fence: number;
}

/** An import whose writing was begun: what it needs stands in the database, so any process can go on with it. */
export interface ImportInWriting extends ImportHold {
  state: 'writing' | 'clearing' | 'done';
  packId: number;
  courseId: number;
  /** Whether its pack is made by it and hidden until it is done. */
  hidden: boolean;
  correctionId: number | null;
  noted: boolean;
  madeAt: number;
  parts: number;
  nextPart: number;
  /** Ids of the papers that it is known to change. */
  papers: readonly number[];
  /** Keys of questions that it takes out. */
  gone: readonly string[];
  /** What it has done so far, as whoever writes it says it. */
  report: string;
}

/** Another process goes on with this import. */
export class ImportLost extends Error {}

/** Begins an import, of which nothing is decided yet. @param now epoch milliseconds, as everywhere here */
export async function addImport(trx: Trx, { noted, now }: { noted: boolean; now: number }): Promise<ImportHold> {
  const { id } = await trx
    .insertInto('question_imports')
    .values({ state: 'staging', noted: noted ? 1 : 0, made_at: now, lease_until: now + LEASE })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { importId: id, fence: 0 };
}

/** Says in each of its turns that an import is still somebody's. @throws ImportLost where it is another's by now */
export async function keepHold(trx: Trx, { importId, fence }: ImportHold, now: number): Promise<void> {
  const row = await trx
    .updateTable('question_imports')
    .set({ lease_until: now + LEASE })
    .where('id', '=', importId)
    .where('fence', '=', fence)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new ImportLost(`import ${importId} is another process's`);
}

/** Puts questions aside that are to be written. @param parts JSON, from this number on */
export async function addParts(trx: Trx, importId: number, from: number, parts: readonly string[]): Promise<void> {
  await trx
    .insertInto('question_import_parts')
    .values(parts.map((questions, at) => ({ import_id: importId, part: from + at, questions })))
    .execute();
}

/** The questions of a part, as JSON. */
export async function readPart(query: Query, importId: number, part: number): Promise<string> {
  const row = await query
    .selectFrom('question_import_parts')
    .select('questions')
    .where('import_id', '=', importId)
    .where('part', '=', part)
    .executeTakeFirstOrThrow();
  return row.questions;
}

/** How many imports of questions a pack has had: another number says that its questions may be others than they were. */
export async function countImports(query: Query, packId: number): Promise<number> {
  const { count } = await query
    .selectFrom('question_imports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('pack_id', '=', packId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether an import is being written into this pack, or was broken off there; null: none. `until`: when its lease ends. */
export async function importInto(query: Query, packId: number): Promise<{ importId: number; until: number } | null> {
  const row = await query
    .selectFrom('question_imports')
    .select(['id', 'lease_until'])
    .where('pack_id', '=', packId)
    .where('state', '=', 'writing')
    .limit(1)
    .executeTakeFirst();
  return row ? { importId: row.id, until: row.lease_until } : null;
}

/**
 * Refuses a change of a pack's questions and papers while an import is written there, since what that has frozen may not change under
 * it. Asked with the pack locked.
 * @throws DatabaseTrouble `held`, so that the change is tried again while there is time
 */
export async function refuseBeside(trx: Trx, packId: number): Promise<void> {
  if ((await importInto(trx, packId)) !== null)
    throw new DatabaseTrouble('held', `an import is being written into pack ${packId}`);
}

/** Corrections of a pack's imports that are not at their end. */
export const correctionsInWriting = (query: Query, packId: number) =>
  query
    .selectFrom('question_imports')
    .select(({ ref }) => ref('correction_id').$notNull().as('id'))
    .where('pack_id', '=', packId)
    .where('state', '=', 'writing')
    .where('correction_id', 'is not', null);

/** Decides an import: from here on it is written to its end, by whoever it is. Called with its pack locked. */
export async function decideImport(
  trx: Trx,
  { importId }: ImportHold,
  task: Pick<ImportInWriting, 'packId' | 'courseId' | 'hidden' | 'parts' | 'papers' | 'gone' | 'madeAt' | 'report'>,
): Promise<void> {
  const { id: correctionId } = await trx
    .insertInto('corrections')
    // Noted from the end on, when students see what was corrected.
    .values({ pack_id: task.packId, made_at: task.madeAt, noted: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('question_imports')
    .set({
      state: 'writing',
      pack_id: task.packId,
      course_id: task.courseId,
      hidden: task.hidden ? 1 : 0,
      correction_id: correctionId,
      parts: task.parts,
      papers: JSON.stringify(task.papers),
      gone: JSON.stringify(task.gone),
      report: task.report,
    })
    .where('id', '=', importId)
    .execute();
}

/** An import that is decided, as far as it has come. */
export async function readImport(query: Query, importId: number): Promise<ImportInWriting> {
  const row = await query
    .selectFrom('question_imports')
    .selectAll()
    .where('id', '=', importId)
    .executeTakeFirstOrThrow();
  const { pack_id: packId, course_id: courseId, state } = row;
  if (packId === null || courseId === null || state === 'staging')
    throw new Error(`import ${importId} is not decided yet`);
  return {
    importId,
    fence: row.fence,
    state,
    packId,
    courseId,
    hidden: row.hidden === 1,
    correctionId: row.correction_id,
    noted: row.noted === 1,
    madeAt: row.made_at,
    parts: row.parts,
    nextPart: row.next_part,
    papers: JSON.parse(row.papers) as number[],
    gone: JSON.parse(row.gone) as string[],
    report: row.report,
  };
}

/** Notes how far an import has come. What is written is put aside no more: it has answer keys in it. */
export async function noteImport(
  trx: Trx,
  importId: number,
  report: string,
  { written, gone }: { written?: number; gone?: readonly string[] } = {},
): Promise<void> {
  const did = {
    report,
    ...(written !== undefined && { next_part: written + 1 }),
    ...(gone && { gone: JSON.stringify(gone) }),
  };
  await trx.updateTable('question_imports').set(did).where('id', '=', importId).execute();
  if (written === undefined) return;
  await trx.deleteFrom('question_import_parts').where('import_id', '=', importId).where('part', '=', written).execute();
}

/** Papers that an import has frozen, with the version that stands until its end. */
export async function readFrozen(
  query: Query,
  importId: number,
): Promise<{ examId: number; version: number; corrects: boolean }[]> {
  const rows = await query
    .selectFrom('question_import_papers')
    .select(['exam_id', 'version', 'corrects'])
    .where('import_id', '=', importId)
    .orderBy('exam_id')
    .execute();
  return rows.map((row) => ({ examId: row.exam_id, version: row.version, corrects: row.corrects === 1 }));
}

/** What an import changes is what is on offer from now on: its papers go on to the next version, all in this transaction. */
export async function offerImport(
  trx: Trx,
  { importId, correctionId, noted }: Pick<ImportInWriting, 'importId' | 'correctionId' | 'noted'>,
): Promise<void> {
  await trx
    .updateTable('exams')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', (eb) =>
      eb.selectFrom('question_import_papers').select('exam_id').where('import_id', '=', importId),
    )
    .execute();
  if (noted && correctionId !== null)
    await trx.updateTable('corrections').set({ noted: 1 }).where('id', '=', correctionId).execute();
  await trx.updateTable('question_imports').set({ state: 'clearing' }).where('id', '=', importId).execute();
}

/** Forgets frozen papers that were looked after. */
export async function forgetFrozen(trx: Trx, importId: number, examIds: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('question_import_papers')
    .where('import_id', '=', importId)
    .where('exam_id', 'in', [...examIds])
    .execute();
}

/** The import is done; its row stays and says that there was one. */
export async function endImport(trx: Trx, importId: number, correctionKept: boolean): Promise<void> {
  await trx
    .updateTable('question_imports')
    .set({ state: 'done', ...(!correctionKept && { correction_id: null }) })
    .where('id', '=', importId)
    .execute();
}

/** Imports that were decided and that nobody has now: their process has ended. */
export async function readBrokenOff(query: Query, now: number): Promise<number[]> {
  const rows = await query
    .selectFrom('question_imports')
    .select('id')
    .where('state', 'in', ['writing', 'clearing'])
    .where('lease_until', '<', now)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Goes on with an import that nobody has. @returns null: somebody was faster */
export async function takeOver(db: Pick<Db, 'transaction'>, importId: number, now: number): Promise<ImportHold | null> {
  return db.transaction(async (trx) => {
    const row = await trx
      .updateTable('question_imports')
      .set(({ eb }) => ({ fence: eb('fence', '+', 1), lease_until: now + LEASE }))
      .where('id', '=', importId)
      .where('lease_until', '<', now)
      .where('state', 'in', ['writing', 'clearing'])
      .returning('fence')
      .executeTakeFirst();
    return row ? { importId, fence: row.fence } : null;
  });
}

/** Parts deleted at once. */
const PARTS_AT_ONCE = 20;

/** What was put aside by imports that were given up before anything was decided: by one, or by all that nobody has now. */
export async function dropStaged(
  db: Pick<Db, 'query' | 'transaction'>,
  which: { importId: number } | { now: number },
): Promise<void> {
  let rows = db.query.selectFrom('question_imports').select('id').where('state', '=', 'staging');
  rows = 'importId' in which ? rows.where('id', '=', which.importId) : rows.where('lease_until', '<', which.now);
  for (const { id } of await rows.execute()) {
    const parts = await db.query
      .selectFrom('question_import_parts')
      .select('part')
      .where('import_id', '=', id)
      .orderBy('part')
      .execute();
    for (const some of batches(parts, PARTS_AT_ONCE))
      await db.transaction((trx) =>
        trx
          .deleteFrom('question_import_parts')
          .where('import_id', '=', id)
          .where(
            'part',
            'in',
            some.map(({ part }) => part),
          )
          .execute(),
      );
    // One whose process only slept is decided by now, or finds its row gone.
    await db.transaction((trx) =>
      trx.deleteFrom('question_imports').where('id', '=', id).where('state', '=', 'staging').execute(),
    );
  }
}
