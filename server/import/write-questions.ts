import { materialKey } from '#content/question/content-key.ts';
import type { SpooledQuestion } from '#content/question/file-question.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { chapterFinder } from '#server/course/chapter-sync-store.ts';
import { hidePack } from '#server/course/pack-store.ts';
import { batches } from '#server/db/batches.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { syncCases } from '#server/exam/paper/case-store.ts';
import type { TouchedRecords } from '#server/exam/paper/correction-store.ts';
import { Correction, dropCorrection, dropUnneeded, endFreeze } from '#server/exam/paper/correction-store.ts';
import { countListed, examsOf, type Piece, practicePieces, raiseExams } from '#server/exam/paper/exam-store.ts';
import {
  endImport,
  forgetFrozen,
  type ImportInWriting,
  noteImport,
  offerImport,
  readFrozen,
  readImport,
  readPart,
} from '#server/exam/paper/question-import-store.ts';
import {
  archiveByKey,
  lastQuestionPosition,
  type QuestionChanges,
  syncQuestions,
  type WantedQuestion,
} from '#server/exam/paper/question-store.ts';
import type { Turns } from './turns.ts';

/** What an import has done so far, as `question_imports.report` holds it. */
export interface ImportReport {
  changes: Omit<QuestionChanges, 'changedIds'>;
  archived: number;
  touched: TouchedRecords;
}

export const nothingDone = (): ImportReport => ({
  changes: { added: 0, changed: 0, unchanged: 0, retired: [], teachers: { kept: [], overruled: [] } },
  archived: 0,
  touched: { open: 0, over: 0 },
});

/** What one turn writes: questions, rows of lists, questions taken out, papers looked after. Each takes some tens of milliseconds. */
export const QUESTIONS_OF_A_PART = 200;
const ROWS_AT_ONCE = 2000;
const GONE_AT_ONCE = 250;
const PAPERS_AT_ONCE = 20;

/**
 * Writes an import that is decided, from wherever it is to its end, in turns of which each leaves everything whole (docs/decisions/072):
 * papers that it changes are frozen first, then questions are written, then practices beside what is on offer, and in one last turn
 * all papers go on together. Every turn notes how far it has come, so any process can go on after the last one.
 */
export async function writeImport(
  db: Pick<Db, 'kind'>,
  turns: Turns,
  importId: number,
  progress: (written: number) => void = () => undefined,
): Promise<ImportReport> {
  const task = await readImport(turns.query, importId);
  const report = JSON.parse(task.report) as ImportReport;
  if (task.state === 'writing') {
    const papers = new FrozenPapers(db, turns, task);
    await papers.begin();
    await writeParts(turns, task, papers, report, progress);
    await takeOut(turns, task, report);
    await goOn(turns, task, papers);
  }
  if (task.state !== 'done') await clear(turns, task, report);
  return report;
}

/** The papers that an import has frozen, and its turns, which freeze some before they change anything of them. */
class FrozenPapers {
  readonly #db: Pick<Db, 'kind'>;
  readonly #turns: Turns;
  readonly #task: ImportInWriting;
  #frozen = new Map<number, boolean>();

  constructor(db: Pick<Db, 'kind'>, turns: Turns, task: ImportInWriting) {
    this.#db = db;
    this.#turns = turns;
    this.#task = task;
  }

  /** Freezes what is known to be changed, so that the turns that write questions have only that to do. */
  async begin(): Promise<void> {
    const { importId, papers } = this.#task;
    for (const { examId, corrects } of await readFrozen(this.#turns.query, importId))
      this.#frozen.set(examId, corrects);
    const waiting = papers.filter((id) => !this.#frozen.get(id));
    await this.write(freezing(await countListed(this.#turns.query, waiting)));
  }

  /** One turn. Nothing is changed under what was frozen in it before its end. */
  async turn<T>(work: (trx: Trx, correction: Correction) => Promise<T>): Promise<T> {
    const { packId, madeAt: now, importId, correctionId } = this.#task;
    if (correctionId === null) throw new Error(`import ${importId} has no correction`);
    const freeze = { importId, correctionId, frozen: this.#frozen };
    const { done, frozen } = await this.#turns.turn(async (trx) => {
      const correction = new Correction(this.#db, trx, { packId, noted: false, now, freeze });
      return { done: await work(trx, correction), frozen: correction.frozen };
    });
    for (const [examId, corrects] of frozen) this.#frozen.set(examId, corrects);
    return done;
  }

  /** Writes pieces in their order, as many in one turn as are small together. @returns what their maker returns after the last */
  async write<R>(pieces: AsyncGenerator<Piece, R>): Promise<R> {
    let some: Piece[] = [];
    let rows = 0;
    for (;;) {
      const { done, value } = await pieces.next();
      if (some.length > 0 && (done || rows + value.rows > ROWS_AT_ONCE)) {
        await this.#together(some);
        some = [];
        rows = 0;
      }
      if (done) return value;
      some.push(value);
      rows += value.rows;
    }
  }

  #together(pieces: readonly Piece[]): Promise<void> {
    return this.turn(async (trx, correction) => {
      for (const { write } of pieces) await write(trx, correction);
    });
  }
}

async function* freezing(papers: ReadonlyMap<number, number>): AsyncGenerator<Piece, void> {
  for (const [examId, rows] of papers)
    yield { rows, write: (trx, correction) => raiseExams(trx, [examId], correction) };
}

/** Writes the parts that are not written, each in a turn. */
async function writeParts(
  { query }: Turns,
  { importId, packId, courseId, parts, nextPart }: ImportInWriting,
  papers: FrozenPapers,
  report: ImportReport,
  progress: (written: number) => void,
): Promise<void> {
  // Nobody else adds questions to the pack meanwhile.
  let position = await lastQuestionPosition(query, packId);
  const nextPosition = () => {
    position += 1;
    return position;
  };
  let written = 0;
  for (let part = nextPart; part < parts; part += 1) {
    const questions = JSON.parse(await readPart(query, importId, part)) as SpooledQuestion[];
    const { changes } = await papers.turn(async (trx, correction) => {
      const placed = await placedQuestions(trx, { packId, courseId }, questions, correction);
      const { changedIds, ...did } = await syncQuestions(trx, packId, placed, nextPosition, correction);
      await raiseExams(trx, await examsOf(trx, changedIds), correction);
      const done = { ...report, changes: sumOf(report.changes, did) };
      await noteImport(trx, importId, JSON.stringify(done), { written: part });
      return done;
    });
    report.changes = changes;
    written += questions.length;
    progress(written);
  }
}

/** What two writings did. */
export const sumOf = (sum: ImportReport['changes'], did: ImportReport['changes']): ImportReport['changes'] => ({
  added: sum.added + did.added,
  changed: sum.changed + did.changed,
  unchanged: sum.unchanged + did.unchanged,
  retired: [...sum.retired, ...did.retired],
  teachers: {
    kept: [...sum.teachers.kept, ...did.teachers.kept],
    overruled: [...sum.teachers.overruled, ...did.teachers.overruled],
  },
});

/** Stores the case material of the questions and finds their chapters; chapters that are missing are made. */
async function placedQuestions(
  trx: Trx,
  { packId, courseId }: Pick<ImportInWriting, 'packId' | 'courseId'>,
  questions: readonly SpooledQuestion[],
  correction: Correction,
): Promise<WantedQuestion[]> {
  const texts = new Map(
    questions.filter(({ material }) => material).map(({ material }) => [materialKey(material), material]),
  );
  const cases = await syncCases(
    trx,
    packId,
    [...texts].map(([key, text]) => ({ key, title: '材料', text })),
    correction,
  );
  const chapterIdOf = await chapterFinder(trx, packId, courseId);
  const placed: WantedQuestion[] = [];
  for (const question of questions)
    placed.push(placedQuestion(question, await chapterIdOf(question.chapter), cases.ids));
  return placed;
}

/** @param cases ids of case material, by its keys */
export function placedQuestion(
  question: SpooledQuestion,
  chapterId: number,
  cases: ReadonlyMap<string, number>,
): WantedQuestion {
  const { material } = question;
  const caseId = material ? (cases.get(materialKey(material)) ?? null) : null;
  return { ...question, place: { chapterId, caseId, material: material || null, position: null } };
}

/** Takes out the questions that the file no longer has. */
async function takeOut(turns: Turns, { importId, packId, gone }: ImportInWriting, report: ImportReport): Promise<void> {
  for (const [at, keys] of [...batches(gone, GONE_AT_ONCE)].entries()) {
    report.archived = await turns.turn(async (trx) => {
      const archived = report.archived + (await archiveByKey(trx, packId, keys));
      const left = gone.slice((at + 1) * GONE_AT_ONCE);
      await noteImport(trx, importId, JSON.stringify({ ...report, archived }), { gone: left });
      return archived;
    });
  }
}

/** Writes practices beside what is on offer, and then offers all that the import changes at once. */
async function goOn({ query }: Turns, task: ImportInWriting, papers: FrozenPapers): Promise<void> {
  const finish = await papers.write(practicePieces(query, task.packId, await listChapters(query, task.packId)));
  await papers.turn(async (trx, correction) => {
    await correction.lockPapers();
    await finish(trx);
    await offerImport(trx, task);
    if (task.hidden) await hidePack(trx, task.packId, false);
  });
}

/** Takes back what was frozen for nobody. */
async function clear(turns: Turns, task: ImportInWriting, report: ImportReport): Promise<void> {
  const { importId, packId, correctionId } = task;
  for (const papers of batches(await readFrozen(turns.query, importId), PAPERS_AT_ONCE)) {
    report.touched = await turns.turn(async (trx) => {
      const touched = { ...report.touched };
      for (const paper of papers) {
        const { open, over } = await endFreeze(trx, paper);
        touched.open += open;
        touched.over += over;
      }
      await forgetFrozen(
        trx,
        importId,
        papers.map(({ examId }) => examId),
      );
      await noteImport(trx, importId, JSON.stringify({ ...report, touched }));
      return touched;
    });
  }
  let after: number | 'needed' | null = correctionId === null ? null : 0;
  while (typeof after === 'number' && correctionId !== null) {
    const from: number = after;
    after = await turns.turn((trx) => dropUnneeded(trx, { packId, correctionId, after: from }));
  }
  await turns.turn(async (trx) => {
    await endImport(trx, importId, after === 'needed');
    if (after !== 'needed' && correctionId !== null) await dropCorrection(trx, correctionId);
  });
}
