import type { FileHandle } from 'node:fs/promises';
import { readForeignSpreadsheet } from '#content/apart/foreign.ts';
import { materialKey } from '#content/question/content-key.ts';
import { plainStart } from '#content/question/duplicates.ts';
import type { RejectedRow, SpooledQuestion, WarnedRow } from '#content/question/file-question.ts';
import { openSpool, readSpool, spoolLine } from '#content/question/question-spool.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { chapterFinder } from '#server/course/chapter-sync-store.ts';
import { type ShownFile, syncFiles } from '#server/course/files-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { syncCases } from '#server/exam/paper/case-store.ts';
import { Correction, type TouchedRecords } from '#server/exam/paper/correction-store.ts';
import { raiseVersions, syncChapterPractice } from '#server/exam/paper/exam-store.ts';
import {
  archiveKeylessQuestions,
  lastQuestionPosition,
  type QuestionChanges,
  syncQuestions,
  type TeachersWord,
  type WantedQuestion,
} from '#server/exam/paper/question-store.ts';
import { type FileRescore, fileCorrector } from '#server/exam/quality/correct-from-file.ts';
import type { Files } from '#server/files.ts';
import type { CorrectionOptions } from './pack.ts';
import {
  type GoneQuestion,
  type IdentityAnswer,
  type IdentityPlan,
  planIdentities,
  stillStands,
} from './question-identity.ts';
import { findTarget, type NamedTarget, openTarget } from './question-target.ts';
import type { RowReport } from './row-report.ts';
import { storedPictures } from './sheet-pictures.ts';
import { inOneWriting } from './taken-back.ts';

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
  /** Gets how far it is: rows read in the first step, questions written in the second. */
  progress?: (step: 'read' | 'write', done: number, of: number | null) => void;
  /** Stops the import; nothing stays. */
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

/** What writing did, and the records that keep what was there before. */
interface Written {
  changes: QuestionChanges;
  archived: number;
  touched: TouchedRecords;
  rescore: FileRescore;
}

const NONE_TOUCHED: TouchedRecords = { open: 0, over: 0 };
const NO_WORD: TeachersWord = { kept: [], overruled: [] };
const NONE_RESCORED: FileRescore = { questions: [], records: 0, refused: [], asked: false };

/** Rows read between two looks at the signal, and questions written between two. */
const ROWS_AT_ONCE = 100;
const QUESTIONS_AT_ONCE = 500;

/**
 * Imports the questions of a file, xlsx or CSV (docs/guide/question-spreadsheet.md). The file is first read and checked as
 * a stream into a temporary file, then written in one transaction: bad rows are known before anything is locked, and the
 * lock is short. With bad rows nothing is imported, unless `keepGood`.
 *
 * Another format is another reader in `content/question/` that gives `CheckedRow`s; everything behind it stays.
 * @throws FileRefused with a Chinese sentence: the file cannot be read, or the pack or course does not exist
 */
export async function importQuestions(db: Db, task: QuestionImport): Promise<QuestionReport> {
  const target = await findTarget(db.query, task);
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
    const { changes, archived, touched, rescore } = await inOneWriting(db, task.dryRun ?? false, (trx) =>
      writeAll(db, trx, task, { spool, plan, total: rows.good, shown }),
    );
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
  expected: new Map(),
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

async function writeAll(
  db: Db,
  trx: Trx,
  task: QuestionImport,
  {
    spool,
    plan,
    total,
    shown,
  }: { spool: FileHandle; plan: IdentityPlan; total: number; shown: ReadonlyMap<string, ShownFile> },
): Promise<Written> {
  const { noted = true, now = Date.now(), rescore: asked = null, dryRun: tried = false } = task;
  const { packId, courseId } = await openTarget(trx, task, now);
  // Before anything else, so that what it keeps is what stood before the file.
  const corrector = fileCorrector(db, trx, packId, { asked, tried, now });
  for await (const questions of knownQuestions(spool, plan)) {
    task.signal?.throwIfAborted();
    const keys = questions.map(({ key }) => key);
    await stillStands(trx, packId, keys, plan);
    await corrector.read(questions, null);
  }
  const correction = new Correction(db, trx, { packId, noted, now });
  await syncFiles(trx, packId, shown);
  const chapterIdOf = await chapterFinder(trx, packId, courseId);
  let position = await lastQuestionPosition(trx, packId);
  const nextPosition = () => {
    position += 1;
    return position;
  };
  const teachers: TeachersWord = { kept: [], overruled: [] };
  const sum: QuestionChanges = { added: 0, changed: 0, unchanged: 0, changedIds: [], retired: [], teachers };
  const keys = new Set<string>();
  let done = 0;
  for await (const questions of knownQuestions(spool, plan)) {
    task.signal?.throwIfAborted();
    const placed = await placedQuestions(trx, packId, questions, chapterIdOf, correction);
    const did = await syncQuestions(trx, packId, placed, nextPosition, correction);
    const { added, changed, unchanged, changedIds } = did;
    teachers.kept.push(...did.teachers.kept);
    teachers.overruled.push(...did.teachers.overruled);
    sum.added += added;
    sum.changed += changed;
    sum.unchanged += unchanged;
    sum.changedIds.push(...changedIds);
    sum.retired.push(...did.retired);
    if (task.whole) for (const { key } of questions) keys.add(key);
    done += questions.length;
    task.progress?.('write', done, total);
  }
  const chapters = await listChapters(trx, packId);
  const archived = task.whole ? await archiveKeylessQuestions(trx, packId, chaptersOf(chapters, courseId), keys) : 0;
  if (sum.added + sum.changed + archived > 0) {
    await syncChapterPractice(trx, packId, chapters, correction);
    await raiseVersions(trx, sum.changedIds, [], correction);
  }
  return { changes: sum, archived, touched: await correction.done(), rescore: corrector.done };
}

/** Stores the case material of the questions and finds their chapters; chapters that are missing are made. */
async function placedQuestions(
  trx: Trx,
  packId: number,
  questions: readonly SpooledQuestion[],
  chapterIdOf: (path: readonly string[]) => Promise<number>,
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
  const placed: WantedQuestion[] = [];
  for (const question of questions) {
    const caseId = question.material ? (cases.ids.get(materialKey(question.material)) ?? null) : null;
    const chapterId = await chapterIdOf(question.chapter);
    placed.push({ ...question, place: { chapterId, caseId, material: question.material || null, position: null } });
  }
  return placed;
}
