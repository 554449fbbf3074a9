import type { Insertable, Selectable } from 'kysely';
import { schoolKinds } from '#contract/values/exam.ts';
import { batches } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import type { Cases, Exams, PaperRevisions, Questions } from '#server/db/schema.ts';
import type { ContentQuestion } from './content.ts';
import { anyOwnPaper } from './own-paper-store.ts';

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
}

/** A version of a paper that was replaced, with the records that began with it. */
interface ReplacedPaper {
  examId: number;
  version: number;
  open: number;
  over: number;
  corrects: boolean;
}

/** Counts the records that several corrections of one import touch, each once. */
export class TouchedTally {
  readonly #replaced = new Map<string, ReplacedPaper>();

  /** A version that is named again, as it is where what named it first was taken back, counts once. */
  add(papers: Iterable<ReplacedPaper>): void {
    for (const paper of papers) {
      const name = `${paper.examId} ${paper.version}`;
      const known = this.#replaced.get(name);
      this.#replaced.set(name, known ? { ...known, corrects: known.corrects || paper.corrects } : { ...paper });
    }
  }

  sum(): TouchedRecords {
    const touched: TouchedRecords = { open: 0, over: 0 };
    for (const { open, over, corrects } of this.#replaced.values()) {
      touched.open += open;
      if (corrects) touched.over += over;
    }
    return touched;
  }
}

/** How many records began with the version of a paper that is on offer. */
export async function countRecords(
  query: Query,
  exam: Pick<Selectable<Exams>, 'id' | 'version'>,
): Promise<{ open: number; over: number }> {
  const records = await query
    .selectFrom('exam_records')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('submitted_at').as('over')])
    .where('exam_id', '=', exam.id)
    .where('version', '=', exam.version)
    .executeTakeFirstOrThrow();
  const over = Number(records.over);
  return { open: Number(records.all) - over, over };
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

  constructor(db: Pick<Db, 'kind'>, trx: Trx, task: CorrectionTask) {
    this.#db = db;
    this.#trx = trx;
    this.#task = task;
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
    const known = this.#replaced.get(exam.id);
    if (known) {
      known.corrects ||= corrects;
      return;
    }
    await this.lockPapers();
    const { open, over } = await countRecords(this.#trx, exam);
    this.#replaced.set(exam.id, { examId: exam.id, version: exam.version, open, over, corrects });
    if (open + over > 0 || (await this.#comeYet(exam))) {
      const kept: Insertable<PaperRevisions> = {
        exam_id: exam.id,
        version: exam.version,
        correction_id: await this.correctionId(),
        kind: exam.kind,
        name: exam.name,
        test_type: exam.test_type,
        exam_time: exam.exam_time,
        partial: exam.partial,
        total_question: exam.total_question,
        total_score: exam.total_score,
        sections: exam.sections,
        questions: JSON.stringify(await list()),
      };
      await this.#trx.insertInto('paper_revisions').values(kept).execute();
    }
    await this.#trx
      .updateTable('exams')
      .set({ version: exam.version + 1 })
      .where('id', '=', exam.id)
      .execute();
  }

  /** Whether records come to the version on offer yet, by a correction that is not done with them (grading/rescore.ts). */
  async #comeYet({ id, version }: Pick<Selectable<Exams>, 'id' | 'version'>): Promise<boolean> {
    const row = await this.#trx
      .selectFrom('rescore_tasks')
      .select('to_version')
      .where('exam_id', '=', id)
      .where('to_version', '=', version)
      .where('done', '=', 0)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Ends the correction, after everything was written: what no record needs is not kept. */
  async done(): Promise<TouchedRecords> {
    if (this.#id !== null && this.#task.stays !== true && !(await this.#anyKeptPaper())) {
      await this.#trx.deleteFrom('question_revisions').where('correction_id', '=', this.#id).execute();
      await this.#trx.deleteFrom('case_revisions').where('correction_id', '=', this.#id).execute();
      await this.#trx.deleteFrom('corrections').where('id', '=', this.#id).execute();
      this.#id = null;
    }
    const tally = new TouchedTally();
    tally.add(this.replaced());
    return tally.sum();
  }

  /** The versions that it has replaced so far. */
  replaced(): Iterable<ReplacedPaper> {
    return this.#replaced.values();
  }

  /** Whether any record of the pack shows a paper that was replaced, now or earlier, or may be of an own one. */
  async #anyKeptPaper(): Promise<boolean> {
    if (await anyOwnPaper(this.#trx, this.#task.packId)) return true;
    const row = await this.#trx
      .selectFrom('paper_revisions')
      .innerJoin('exams', 'exams.id', 'paper_revisions.exam_id')
      .select('exams.id')
      .where('exams.pack_id', '=', this.#task.packId)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Made when first needed: an import that changes nothing leaves no trace. */
  async correctionId(): Promise<number> {
    if (this.#id === null) {
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
