import type { FileHandle } from 'node:fs/promises';
import { readForeignSpreadsheet } from '#content/apart/foreign.ts';
import { materialKey } from '#content/question/content-key.ts';
import { plainStart } from '#content/question/duplicates.ts';
import type { RejectedRow, SpooledQuestion, WarnedRow } from '#content/question/file-question.ts';
import { openSpool, readSpool, spoolLine } from '#content/question/question-spool.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { chaptersThere } from '#server/course/chapter-sync-store.ts';
import { type ShownFile, syncFiles } from '#server/course/files-store.ts';
import { hidePack } from '#server/course/pack-store.ts';
import { batches } from '#server/db/batches.ts';
import { timeNow } from '#server/db/clock.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { findCases } from '#server/exam/paper/case-store.ts';
import type { TouchedRecords } from '#server/exam/paper/correction-store.ts';
import { examsOf } from '#server/exam/paper/exam-store.ts';
import {
  addImport,
  addParts,
  countImports,
  decideImport,
  dropStaged,
  type ImportHold,
  ImportLost,
  importInto,
} from '#server/exam/paper/question-import-store.ts';
import {
  compareQuestions,
  isWritten,
  noteSaid,
  readsOtherwise,
  type TeachersWord,
} from '#server/exam/paper/question-store.ts';
import { type FileRescore, fileCorrector } from '#server/exam/quality/correct-from-file.ts';
import type { Files } from '#server/files.ts';
import { goOnWithImport, IN_WRITING } from './broken-off.ts';
import type { CorrectionOptions } from './pack.ts';
import { type GoneQuestion, type IdentityAnswer, type IdentityPlan, planIdentities } from './question-identity.ts';
import { findTarget, type NamedTarget, openTarget, type Target } from './question-target.ts';
import type { RowReport } from './row-report.ts';
import { storedPictures } from './sheet-pictures.ts';
import { inOneWriting } from './taken-back.ts';
import { oneTurn, shortTurns, type Turns } from './turns.ts';
import {
  type ImportReport,
  nothingDone,
  placedQuestion,
  QUESTIONS_OF_A_PART,
  sumOf,
  writeImport,
} from './write-questions.ts';

interface QuestionImport extends NamedTarget, CorrectionOptions {
  file: string;
  /** Import the good rows although there are bad ones. */
  keepGood?: boolean | undefined;
  /** The file has all questions that its course has from spreadsheets: others of them are archived. Needs every row to be good. */
  whole?: boolean | undefined;
  /** What becomes of rows that are probably the correction of a stored question; left out: they are refused. */
  answer?: IdentityAnswer | undefined;
  /** Do everything and take it back. */
  dryRun?: boolean | undefined;
  /** Where the pictures of the file go; one stored before an import that fails is nobody's, and goes after seven days. */
  files: Files;
  /** Gets every rejected row, in order. */
  rejected?: (row: RejectedRow) => void;
  /** Gets every row that is taken and worth a second look, in order of what is seen first. */
  warned?: (row: WarnedRow) => void;
  /** Gets how far it is: rows read, questions compared with what is stored, questions written. */
  progress?: (step: 'read' | 'compare' | 'write', done: number, of: number | null) => void;
  /** Stops the import, and nothing stays, until writing has begun: what is begun is written to its end. */
  signal?: AbortSignal | undefined;
}

export interface QuestionReport extends RowReport {
  added: number;
  changed: number;
  unchanged: number;
  /** Questions that the file no longer has and that were taken out; 0 unless `whole`. */
  archived: number;
  /** The questions on offer of the course, from spreadsheets, that the file no longer has. */
  gone: readonly GoneQuestion[];
  /** Rows that are refused for being the probable correction of a stored question. */
  undecided: number;
  /** Questions of it that a person has taken out, by 编号 or key: they stay out. */
  retired: readonly string[];
  /** Rows that are taken and worth a second look. */
  warned: number;
  touched: TouchedRecords;
  teachers: TeachersWord;
  rescore: FileRescore;
}

const NONE_TOUCHED: TouchedRecords = { open: 0, over: 0 };
const NO_WORD: TeachersWord = { kept: [], overruled: [] };
const NONE_RESCORED: FileRescore = { questions: [], records: 0, refused: [], asked: false };

/** Rows read between two looks at the signal, and questions compared between two. */
const ROWS_AT_ONCE = 100;
const QUESTIONS_AT_ONCE = 500;
/** Questions from which on they are put aside: to do that takes little. */
const PUT_ASIDE_AT_ONCE = 1000;

/**
 * Imports the questions of a file, xlsx or CSV (docs/guide/question-spreadsheet.md). The file is first read and checked as
 * a stream into a temporary file and compared with what is stored; what has to be written is put aside in the database, decided in one
 * transaction and then written in many short ones (docs/decisions/072). With bad rows nothing is imported, unless `keepGood`.
 *
 * Another format is another reader in `content/question/` that gives `CheckedRow`s; everything behind it stays.
 * @throws FileRefused with a Chinese sentence: the file cannot be read, or the pack or course does not exist
 */
export async function importQuestions(db: Db, task: QuestionImport): Promise<QuestionReport> {
  const found = await findTarget(db.query, task);
  const target = found && { ...found, before: await afterOthers(db, found.packId) };
  const spool = await openSpool();
  try {
    const rows: RowReport & { warned: number } = { warned: 0, good: 0, bad: 0, notes: [], imported: false };
    const shown = new Map<string, ShownFile>();
    await spool.writeFile(spoolLines(task, rows, shown));
    task.progress?.('read', rows.good + rows.bad, rows.good + rows.bad);
    if (rows.good === 0 && rows.bad === 0) throw new FileRefused('表头下面没有任何试题');
    const plan = target === null ? NEW_BANK : await planned(db, target, task, spool);
    const { gone, undecided } = plan;
    const told = { gone, undecided, warned: rows.warned + plan.warned.length };
    rows.good -= plan.left.size;
    rows.bad += plan.left.size;
    for (const row of plan.left.values()) task.rejected?.(row);
    for (const row of plan.warned) task.warned?.(row);
    if (rows.good === 0 || (rows.bad > 0 && (!task.keepGood || task.whole))) {
      const none = { added: 0, changed: 0, unchanged: 0, archived: 0 };
      return {
        ...rows,
        ...none,
        ...told,
        retired: [],
        touched: NONE_TOUCHED,
        teachers: NO_WORD,
        rescore: NONE_RESCORED,
      };
    }
    const work = { spool, plan, total: rows.good, shown, target };
    const { report, rescore } = await (task.dryRun ? tried : task.rescore ? writtenAtOnce : writeInTurns)(
      db,
      task,
      work,
    );
    const { changes, archived, touched } = report;
    const { added, changed, unchanged, retired, teachers } = changes;
    return {
      ...rows,
      retired,
      added,
      changed,
      unchanged,
      archived,
      ...told,
      touched,
      teachers,
      rescore,
      imported: !task.dryRun,
    };
  } finally {
    await spool.close();
  }
}

/** What is in a pack that is made by this import. */
const NEW_BANK: IdentityPlan = {
  keys: new Map(),
  left: new Map(),
  undecided: 0,
  warned: [],
  gone: [],
};

async function planned(
  { query }: Db,
  { packId, courseId }: { packId: number; courseId: number },
  { answer = { corrections: null, except: [] } }: QuestionImport,
  spool: FileHandle,
): Promise<IdentityPlan> {
  return planIdentities(query, packId, spool, answer, chaptersOf(await listChapters(query, packId), courseId));
}

const chaptersOf = (chapters: Awaited<ReturnType<typeof listChapters>>, courseId: number) =>
  new Set(chapters.filter((chapter) => chapter.courseId === courseId).map(({ id }) => id));

/** Reads the file; good rows go on as lines of the spool, bad ones are told. @param rows counts them @param shown gets the pictures of good rows */
async function* spoolLines(
  task: QuestionImport,
  rows: RowReport & { warned: number },
  shown: Map<string, ShownFile>,
): AsyncGenerator<string> {
  let lines = '';
  const pictures = storedPictures(task.files, shown);
  for await (const checked of readForeignSpreadsheet(task.file, rows.notes)) {
    if (checked.ok) {
      rows.good += 1;
      lines += spoolLine({ ...(await pictures.stored(checked)), sheet: checked.sheet, row: checked.row });
      if (checked.warnings.length > 0) {
        rows.warned += 1;
        const { sheet, row, warnings: why, question } = checked;
        task.warned?.({ sheet, row, why, topic: plainStart(question.topic) });
      }
    } else {
      rows.bad += 1;
      task.rejected?.(checked);
    }
    if ((rows.good + rows.bad) % ROWS_AT_ONCE !== 0) continue;
    task.signal?.throwIfAborted();
    task.progress?.('read', rows.good + rows.bad, null);
    if (lines) yield lines;
    lines = '';
  }
  if (lines) yield lines;
}

/** The questions of the spool that are taken, under the keys of what is stored. */
async function* knownQuestions(spool: FileHandle, { keys, left }: IdentityPlan): AsyncGenerator<SpooledQuestion[]> {
  for await (const questions of readSpool(spool, QUESTIONS_AT_ONCE))
    yield questions
      .filter(({ key }) => !left.has(key))
      .map((question) => ({ ...question, key: keys.get(question.key) ?? question.key }));
}

/** What is said where this process stood still for so long that another one took over. */
const GONE_ON_WITH = '这次导入中途停了太久，已由运行中的服务接着写完，请在题库里查看结果';

/** What is read of a file, and where it goes. */
interface Work {
  spool: FileHandle;
  plan: IdentityPlan;
  /** Questions that are taken. */
  total: number;
  shown: ReadonlyMap<string, ShownFile>;
  /** null: its pack has to be made. `before`: imports that it has had. */
  target: (Target & { before: number }) | null;
}

interface Done {
  report: ImportReport;
  rescore: FileRescore;
}

/** Waits for nobody: an import that was broken off in the pack is written to its end first, one that goes on refuses this one. @returns the imports that the pack has had */
async function afterOthers(db: Db, packId: number): Promise<number> {
  const other = await importInto(db.query, packId);
  if (other && !(await goOnWithImport(db, other.importId, await timeNow(db)))) throw new FileRefused(IN_WRITING);
  return countImports(db.query, packId);
}

/** Puts aside, decides and writes, each in short transactions; until it is decided nothing of it is seen, and nothing stays where it stops. */
async function writeInTurns(db: Db, task: QuestionImport, work: Work): Promise<Done> {
  const rescore = await rescoreRead(fileRescorer(db, db.query, task, work), work, task.signal);
  const now = await timeNow(db);
  await dropStaged(db, { now });
  const { noted = true } = task;
  const hold = await db.transaction((trx) => addImport(trx, { noted, now }));
  const turns = shortTurns(db, hold);
  let staged: Staged;
  try {
    staged = await stage(turns, hold, task, work);
    task.signal?.throwIfAborted();
    await decide(turns, hold, task, work, staged);
  } catch (error) {
    await dropStaged(db, { importId: hold.importId });
    throw error;
  }
  try {
    return { report: await written(db, turns, hold, task, staged, goneOf(task, work).length), rescore };
  } catch (error) {
    throw error instanceof ImportLost ? new FileRefused(GONE_ON_WITH) : error;
  }
}

const writtenAtOnce = (db: Db, task: QuestionImport, work: Work) =>
  inOneWriting(db, task.dryRun ?? false, (trx) => writeAtOnce(db, trx, task, work));

/** Does everything and takes it back; where others would wait for that, on a copy. */
async function tried(db: Db, task: QuestionImport, work: Work): Promise<Done> {
  const trial = await db.trial();
  try {
    return await writtenAtOnce(trial?.db ?? db, task, work);
  } finally {
    await trial?.drop();
  }
}

/** The same in one transaction, for what is taken back, and for what grades records again: that is seen whole or not at all. */
async function writeAtOnce(db: Db, trx: Trx, task: QuestionImport, work: Work): Promise<Done> {
  const turns = oneTurn(trx);
  const { noted = true, now = await timeNow(db) } = task;
  // Before anything else, so that what it keeps is what stood before the file.
  const rescore = await rescoreRead(fileRescorer(db, trx, task, work), work, task.signal);
  const hold = await addImport(trx, { noted, now });
  const staged = await stage(turns, hold, task, work);
  await decide(turns, hold, task, work, staged);
  return { report: await written(db, turns, hold, task, staged, goneOf(task, work).length), rescore };
}

/** Null: the pack is made by this import, so that no record is graded by anything of it. */
const fileRescorer = (
  db: Db,
  query: Trx | Db['query'],
  { rescore = null, dryRun: tried = false, now = Date.now() }: QuestionImport,
  { target }: Work,
) => {
  const asked = rescore && { ...rescore, trx: query as Trx };
  return target && fileCorrector(db, query, target.packId, { asked, tried, now });
};

async function rescoreRead(
  corrector: ReturnType<typeof fileCorrector> | null,
  { spool, plan }: Work,
  signal: AbortSignal | undefined,
): Promise<FileRescore> {
  if (!corrector) return NONE_RESCORED;
  for await (const questions of knownQuestions(spool, plan)) {
    signal?.throwIfAborted();
    await corrector.read(questions, null);
  }
  return corrector.done;
}

/** What has to be written of a file, and what of it is as it is already. */
interface Staged {
  parts: number;
  questions: number;
  /** Papers that are known to read otherwise. */
  papers: Set<number>;
  same: ImportReport['changes'];
}

/** Compares the questions with what is stored, and puts aside those that have to be written. */
async function stage(turns: Turns, { importId }: ImportHold, task: QuestionImport, work: Work): Promise<Staged> {
  const staged: Staged = { parts: 0, questions: 0, papers: new Set(), same: nothingDone().changes };
  let some: SpooledQuestion[] = [];
  const putAside = async (questions: readonly SpooledQuestion[]) => {
    const parts = [...batches(questions, QUESTIONS_OF_A_PART)].map((part) => JSON.stringify(part));
    await turns.turn((trx) => addParts(trx, importId, staged.parts, parts));
    staged.parts += parts.length;
    staged.questions += questions.length;
  };
  const compare = work.target ? await comparison(turns, work.target, staged) : null;
  let done = 0;
  for await (const questions of knownQuestions(work.spool, work.plan)) {
    task.signal?.throwIfAborted();
    some.push(...(compare ? await compare(questions) : questions));
    if (some.length >= PUT_ASIDE_AT_ONCE) {
      const whole = some.length - (some.length % QUESTIONS_OF_A_PART);
      await putAside(some.slice(0, whole));
      some = some.slice(whole);
    }
    done += questions.length;
    task.progress?.('compare', done, work.total);
  }
  if (some.length > 0) await putAside(some);
  return staged;
}

/** @returns from questions to those of them that have to be written; what the others say is noted */
async function comparison({ query }: Turns, { packId, courseId }: Target, staged: Staged) {
  const chapterIdOf = await chaptersThere(query, courseId);
  return async (questions: readonly SpooledQuestion[]): Promise<SpooledQuestion[]> => {
    const materials = questions.flatMap(({ material }) => (material ? [materialKey(material)] : []));
    const cases = await findCases(query, packId, [...new Set(materials)]);
    const write: SpooledQuestion[] = [];
    const placed: { question: SpooledQuestion; wanted: ReturnType<typeof placedQuestion> }[] = [];
    for (const question of questions) {
      const chapterId = chapterIdOf(question.chapter);
      // In a chapter or with a text that is not there yet it is another question than whatever is stored.
      if (chapterId === null || (question.material && !cases.has(materialKey(question.material)))) write.push(question);
      else placed.push({ question, wanted: placedQuestion(question, chapterId, cases) });
    }
    const compared = await compareQuestions(
      query,
      packId,
      placed.map(({ wanted }) => wanted),
      () => 0,
    );
    const changed: number[] = [];
    for (const [at, one] of compared.entries()) {
      const question = placed[at]?.question;
      if (question && isWritten(one)) write.push(question);
      else {
        staged.same.unchanged += 1;
        noteSaid(staged.same, one);
      }
      if (one.stored && readsOtherwise(one)) changed.push(one.stored.id);
    }
    for (const examId of await examsOf(query, changed)) staged.papers.add(examId);
    return write;
  };
}

const goneOf = ({ whole }: QuestionImport, { plan }: Work) => (whole ? plan.gone.map(({ key }) => key) : []);

/**
 * Decides the import, if it writes anything: from here on it is written to its end.
 * @throws FileRefused where another import has been in the pack since the file was compared with it, or is there now
 */
async function decide(
  turns: Turns,
  hold: ImportHold,
  task: QuestionImport,
  work: Work,
  { parts, papers }: Staged,
): Promise<void> {
  const { target, shown } = work;
  const gone = goneOf(task, work);
  await turns.turn(async (trx) => {
    const now = task.now ?? Date.now();
    const { packId, courseId, made } = await openTarget(trx, task, now);
    if (await importInto(trx, packId)) throw new FileRefused(IN_WRITING);
    if (made !== (target === null) || (target && (await countImports(trx, packId)) !== target.before))
      throw new FileRefused('题库在检查这份文件时被别的导入改动了，没有导入，请再试一次');
    await syncFiles(trx, packId, shown);
    if (parts + gone.length === 0) return;
    if (made) await hidePack(trx, packId, true);
    const report = JSON.stringify(nothingDone());
    await decideImport(trx, hold, {
      packId,
      courseId,
      hidden: made,
      parts,
      papers: [...papers],
      gone,
      madeAt: now,
      report,
    });
  });
}

/** Writes what is decided. @returns what was done with the whole file */
async function written(
  db: Pick<Db, 'kind'>,
  turns: Turns,
  { importId }: ImportHold,
  task: QuestionImport,
  { parts, questions, same }: Staged,
  gone: number,
): Promise<ImportReport> {
  const nothing = parts + gone === 0;
  const progress = (done: number) => task.progress?.('write', done, questions);
  const report = nothing ? nothingDone() : await writeImport(db, turns, importId, progress);
  return { ...report, changes: sumOf(report.changes, same) };
}
