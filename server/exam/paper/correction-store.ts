import type { Insertable, Selectable } from 'kysely';
import { schoolKinds } from '#contract/values/exam.ts';
import { batches } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import type { Cases, Exams, PaperRevisions, Questions } from '#server/db/schema.ts';
import type { ContentQuestion } from './content.ts';
import { anyOwnPaper } from './own-paper-store.ts';
import { refuseBeside } from './question-import-store.ts';

/** Questions with their points, in order, as `paper_revisions.questions` holds them. */
export type RevisionList = [questionId: number, score: number][];

/** What a teacher corrected in questions of a version, as `paper_revisions.overrides` holds it, by question. */
export type KeyOverrides = Record<number, Pick<ContentQuestion, 'right' | 'analysis' | 'gradeMode' | 'keyVersion'>>;

/** How many records a correction touches. */
export interface TouchedRecords {
  /** In progress: they go on with the paper they began with. */
  open: number;
  /** Over, and graded by a paper in which a question, its points or the paper's rule for partly right answers are others now. */
  over: number;
}

/** What is common to all that one import changes. */
interface CorrectionTask {
  packId: number;
  /** Epoch milliseconds. */
  now: number;
  /** Whether students see beside the analysis, in records that are over, that a question was corrected. */
  noted: boolean;
  /** A teacher's correction stays in the history of its question, whether a record needs it or not. */
  stays?: boolean;
  /** One turn of an import in many: its papers stay frozen until its end (`Freeze`). */
  freeze?: Freeze;
}

/**
 * An import that is written in many transactions (decision 072). Papers that it changes are kept as they stand and go on being
 * offered so, whatever becomes of their questions meanwhile: a version that is kept is read as it was kept. All go on to
 * their next version together, at the end.
 */
interface Freeze {
  importId: number;
  correctionId: number;
  /** Papers that are frozen already, with whether that is known to correct something. */
  frozen: ReadonlyMap<number, boolean>;
}

interface ReplacedPaper {
  open: number;
  over: number;
  corrects: boolean;
}

/**
 * One import into a pack, as far as it changes what is there: whatever it replaces is kept for the records that began with it
 * (decision 016). Questions and cases are kept when they change, a paper only if a record began with the version that is
 * replaced. All writes of questions, cases and papers go through it, in one transaction.
 */
export class Correction {
  readonly #db: Pick<Db, 'kind'>;
  readonly #trx: Trx;
  readonly #task: CorrectionTask;
  readonly #replaced = new Map<number, ReplacedPaper>();
  #id: number | null = null;
  #locked = false;
  #alone = false;
  /** What this turn of an import has frozen. */
  readonly frozen = new Map<number, boolean>();

  constructor(db: Pick<Db, 'kind'>, trx: Trx, task: CorrectionTask) {
    this.#db = db;
    this.#trx = trx;
    this.#task = task;
    this.#id = task.freeze?.correctionId ?? null;
  }

  /** @throws DatabaseTrouble `held` while an import in many turns is written into the pack, and this is not one of them */
  async #beAlone(): Promise<void> {
    if (this.#alone || this.#task.freeze) return;
    await refuseBeside(this.#trx, this.#task.packId);
    this.#alone = true;
  }

  /** Keeps questions as they stand; called before they are written. */
  async keepQuestions(stored: readonly Selectable<Questions>[]): Promise<void> {
    for (const batch of batches(stored)) {
      const correctionId = await this.correctionId();
      const rows = batch.map((row) => ({
        question_id: row.id,
        correction_id: correctionId,
        question_types_id: row.question_types_id,
        chapter_id: row.chapter_id,
        case_id: row.case_id,
        key_version: row.key_version,
        fingerprint: row.fingerprint,
        knowledge_point: row.knowledge_point,
        topic: row.topic,
        options: row.options,
        right_answer: row.right_answer,
        answer_analysis: row.answer_analysis,
        points: row.points,
        grade_mode: row.grade_mode,
      }));
      // A file may name a question twice: what stood before the import is what counts.
      await this.#trx
        .insertInto('question_revisions')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['question_id', 'correction_id']).doNothing())
        .execute();
    }
  }

  /** Keeps case material as it stands; called before it is written. */
  async keepCases(stored: readonly Selectable<Cases>[]): Promise<void> {
    for (const batch of batches(stored)) {
      const correctionId = await this.correctionId();
      await this.#trx
        .insertInto('case_revisions')
        .values(batch.map(({ id, title, text }) => ({ case_id: id, correction_id: correctionId, title, text })))
        .onConflict((conflict) => conflict.columns(['case_id', 'correction_id']).doNothing())
        .execute();
    }
  }

  /**
   * Holds the papers of the pack until the transaction ends, so that no record begins with a version that is being
   * replaced: a start takes a shared lock of its paper on PostgreSQL (`startStore`), on SQLite transactions take turns. What
   * only refers to a paper (`for key share`, as the first hand-in of one does with its statistics) waits for nothing.
   */
  async lockPapers(): Promise<void> {
    await this.#beAlone();
    if (this.#locked || this.#db.kind === 'sqlite') return;
    this.#locked = true;
    await this.#trx
      .selectFrom('exams')
      .select('id')
      .where('pack_id', '=', this.#task.packId)
      // Own papers need no lock: their version names the corrections that their record does not show (own-paper-store.ts).
      .where('kind', 'in', schoolKinds)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
  }

  /**
   * Raises the version of a paper that is about to say something else, and keeps the one before if a record began with it, or comes to it yet.
   * @param exam its row as it stands
   * @param list its questions as they stand
   * @param corrects whether it graded by something that is another now: what only comes in corrects nothing
   */
  async replacePaper(exam: Selectable<Exams>, list: () => Promise<RevisionList>, corrects: boolean): Promise<void> {
    if (this.#task.freeze) return this.#freeze(exam, list, corrects, this.#task.freeze);
    const known = this.#replaced.get(exam.id);
    if (known) {
      known.corrects ||= corrects;
      return;
    }
    await this.lockPapers();
    const records = await this.#trx
      .selectFrom('exam_records')
      .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('submitted_at').as('over')])
      .where('exam_id', '=', exam.id)
      .where('version', '=', exam.version)
      .executeTakeFirstOrThrow();
    const { all, over } = { all: Number(records.all), over: Number(records.over) };
    this.#replaced.set(exam.id, { open: all - over, over, corrects });
    if (all > 0 || (await comesYet(this.#trx, exam.id, exam.version))) {
      const kept = keptPaper(exam, await this.correctionId(), await list());
      await this.#trx.insertInto('paper_revisions').values(kept).execute();
    }
    await this.#trx
      .updateTable('exams')
      .set({ version: exam.version + 1 })
      .where('id', '=', exam.id)
      .execute();
  }

  /** Whether a paper has still to be frozen, or said to correct something. */
  isToFreeze(examId: number, corrects: boolean): boolean {
    const known = this.frozen.get(examId) ?? this.#task.freeze?.frozen.get(examId);
    return known === undefined || (corrects && !known);
  }

  async #freeze(
    exam: Selectable<Exams>,
    list: () => Promise<RevisionList>,
    corrects: boolean,
    { importId, correctionId }: Freeze,
  ): Promise<void> {
    if (!this.isToFreeze(exam.id, corrects)) return;
    await this.#trx
      .insertInto('paper_revisions')
      .values(keptPaper(exam, correctionId, await list()))
      .onConflict((conflict) => conflict.columns(['exam_id', 'version']).doNothing())
      .execute();
    await this.#trx
      .insertInto('question_import_papers')
      .values({ import_id: importId, exam_id: exam.id, version: exam.version, corrects: corrects ? 1 : 0 })
      .onConflict((conflict) => {
        const same = conflict.columns(['import_id', 'exam_id']);
        return corrects ? same.doUpdateSet({ corrects: 1 }) : same.doNothing();
      })
      .execute();
    this.frozen.set(exam.id, corrects);
  }

  /** Ends the correction, after everything was written: what no record needs is not kept. */
  async done(): Promise<TouchedRecords> {
    if (this.#id !== null && this.#task.stays !== true && !(await anyKeptPaper(this.#trx, this.#task.packId))) {
      await this.#trx.deleteFrom('question_revisions').where('correction_id', '=', this.#id).execute();
      await this.#trx.deleteFrom('case_revisions').where('correction_id', '=', this.#id).execute();
      await this.#trx.deleteFrom('corrections').where('id', '=', this.#id).execute();
      this.#id = null;
    }
    const touched: TouchedRecords = { open: 0, over: 0 };
    for (const { open, over, corrects } of this.#replaced.values()) {
      touched.open += open;
      if (corrects) touched.over += over;
    }
    return touched;
  }

  /** Made when first needed: an import that changes nothing leaves no trace. */
  async correctionId(): Promise<number> {
    if (this.#id === null) {
      await this.#beAlone();
      const { packId, now, noted } = this.#task;
      const { id } = await this.#trx
        .insertInto('corrections')
        .values({ pack_id: packId, made_at: now, noted: noted ? 1 : 0 })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.#id = id;
    }
    return this.#id;
  }
}

/** A paper as it stands, as it is kept for the records that began with it. */
function keptPaper(exam: Selectable<Exams>, correctionId: number, list: RevisionList): Insertable<PaperRevisions> {
  return {
    exam_id: exam.id,
    version: exam.version,
    correction_id: correctionId,
    kind: exam.kind,
    name: exam.name,
    test_type: exam.test_type,
    exam_time: exam.exam_time,
    partial: exam.partial,
    total_question: exam.total_question,
    total_score: exam.total_score,
    sections: exam.sections,
    questions: JSON.stringify(list),
  };
}

/** Whether records come to a version of a paper yet, by a correction that is not done with them (grading/rescore.ts). */
async function comesYet(query: Query, examId: number, version: number): Promise<boolean> {
  const row = await query
    .selectFrom('rescore_tasks')
    .select('to_version')
    .where('exam_id', '=', examId)
    .where('to_version', '=', version)
    .where('done', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether any record of the pack shows a paper that was replaced, now or earlier, or may be of an own one. */
async function anyKeptPaper(query: Query, packId: number): Promise<boolean> {
  if (await anyOwnPaper(query, packId)) return true;
  const row = await query
    .selectFrom('paper_revisions')
    .innerJoin('exams', 'exams.id', 'paper_revisions.exam_id')
    .select('exams.id')
    .where('exams.pack_id', '=', packId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends what an import had frozen of a paper, after the paper went on to its next version: without a record of it, now or to come, it is kept
 * no more. @returns how many records began with it
 */
export async function endFreeze(
  trx: Trx,
  { examId, version, corrects }: { examId: number; version: number; corrects: boolean },
): Promise<TouchedRecords> {
  const records = await trx
    .selectFrom('exam_records')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('submitted_at').as('over')])
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  const { all, over } = { all: Number(records.all), over: Number(records.over) };
  if (all === 0 && !(await comesYet(trx, examId, version)))
    await trx.deleteFrom('paper_revisions').where('exam_id', '=', examId).where('version', '=', version).execute();
  return { open: all - over, over: corrects ? over : 0 };
}

/** Questions whose kept form is deleted at once. */
const KEPT_AT_ONCE = 500;

/**
 * Takes back, some questions at a time, what an import has kept and no record needs. Called until it says that it is done.
 * @param after the last question that was looked at
 * @returns the last one of these; null: all is done, and the correction with them · `needed`: it stays
 */
export async function dropUnneeded(
  trx: Trx,
  { packId, correctionId, after }: { packId: number; correctionId: number; after: number },
): Promise<number | 'needed' | null> {
  if (await anyKeptPaper(trx, packId)) return 'needed';
  const kept = await trx
    .selectFrom('question_revisions')
    .select('question_id')
    .where('correction_id', '=', correctionId)
    .where('question_id', '>', after)
    .orderBy('question_id')
    .limit(KEPT_AT_ONCE)
    .execute();
  const ids = kept.map((row) => row.question_id);
  if (ids.length > 0)
    await trx
      .deleteFrom('question_revisions')
      .where('correction_id', '=', correctionId)
      .where('question_id', 'in', ids)
      .execute();
  return ids.at(-1) ?? null;
}

/** Forgets a correction of which nothing is kept. */
export async function dropCorrection(trx: Trx, correctionId: number): Promise<void> {
  await trx.deleteFrom('case_revisions').where('correction_id', '=', correctionId).execute();
  await trx.deleteFrom('corrections').where('id', '=', correctionId).execute();
}
