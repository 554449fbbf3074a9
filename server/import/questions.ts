import type { FileHandle } from 'node:fs/promises';
import { readForeignSpreadsheet } from '#content/apart/foreign.ts';
import { plainStart } from '#content/question/duplicates.ts';
import type { RejectedRow, WarnedRow } from '#content/question/file-question.ts';
import { openSpool, spoolLine } from '#content/question/question-spool.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import type { ShownFile } from '#server/course/files-store.ts';
import type { Db } from '#server/db/open.ts';
import type { TouchedRecords } from '#server/exam/paper/correction-store.ts';
import type { ExamChanges } from '#server/exam/paper/exam-store.ts';
import type { TeachersWord } from '#server/exam/paper/question-store.ts';
import type { FileRescore } from '#server/exam/quality/correct-from-file.ts';
import type { Files } from '#server/files.ts';
import type { CorrectionOptions } from './pack.ts';
import { type GoneQuestion, type IdentityAnswer, type IdentityPlan, planIdentities } from './question-identity.ts';
import { findTarget, type NamedTarget } from './question-target.ts';
import type { RowReport } from './row-report.ts';
import { type FilePapers, planPapers } from './sheet-papers.ts';
import { storedPictures } from './sheet-pictures.ts';
import { inOneWriting } from './taken-back.ts';
import { isLarge, writeInParts } from './write-in-parts.ts';
import { NO_PAPER_CHANGES, type SpooledLine, writeAtOnce } from './write-questions.ts';

interface QuestionImport extends NamedTarget, CorrectionOptions {
  file: string;
  /** Import the good rows although there are bad ones. */
  keepGood?: boolean | undefined;
  /** The file has all questions that its course has from spreadsheets: others of them are archived. Needs every row to be good. */
  whole?: boolean | undefined;
  /** What becomes of rows that are probably the correction of a stored question; left out: they are refused. */
  answer?: IdentityAnswer | undefined;
  /** How the file is read; left out: as a foreign one, apart and with bounds. */
  read?: typeof readForeignSpreadsheet | undefined;
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
  /** Stops the import: before it writes, and between two parts of a large file. */
  signal?: AbortSignal | undefined;
  /** Called where a large file is asked to stop while practices are brought up to its questions, which is waited for. */
  finishing?: ((stored: number, of: number) => void) | undefined;
  /** Called at each look while another import is at work, whose end is waited for. */
  waiting?: (() => void) | undefined;
}

export interface QuestionReport extends RowReport {
  added: number;
  changed: number;
  unchanged: number;
  /** Questions that the file no longer has and that were taken out; 0 unless `whole`. */
  archived: number;
  /** The questions on offer of the course, from spreadsheets, that the file no longer has. */
  gone: readonly GoneQuestion[];
  /** It has more bad rows than are listed: it was read no further, and nothing of it was taken. */
  stopped: boolean;
  /** Rows that are refused for being the probable correction of a stored question. */
  undecided: number;
  /** Questions of it that a person has taken out, by 编号 or key: they stay out. */
  retired: readonly string[];
  /** Rows that are taken and worth a second look. */
  warned: number;
  touched: TouchedRecords;
  teachers: TeachersWord;
  rescore: FileRescore;
  papers: PaperReport;
}

/** What became of the papers that a file names. */
export interface PaperReport extends ExamChanges {
  /** Names of papers that were left out, since a row of theirs cannot be taken. */
  left: readonly string[];
  /** Names of papers on offer of the course, from spreadsheets, that the file does not name. */
  gone: readonly string[];
  /** Papers that show other points in all than the file has: of questions that were retired, or corrected by teachers. */
  otherwise: readonly { name: string; filed: number; shown: number }[];
}

const NONE_TOUCHED: TouchedRecords = { open: 0, over: 0 };
const NO_WORD: TeachersWord = { kept: [], overruled: [] };
const NONE_RESCORED: FileRescore = { questions: [], papers: [], records: 0, refused: [], asked: false };

/** Bad rows after which a file that they keep out is read no further. */
const MOST_BAD = 5000;
/** Bad rows after which a file is read no further, although its good rows shall be taken: nobody reads so long a list, and a file with so many is another one. */
const MOST_LEFT_OUT = 20_000;

/** Rows read between two looks at the signal. */
const ROWS_AT_ONCE = 100;

/**
 * Imports the questions of a file, xlsx or CSV (docs/guide/question-spreadsheet.md). The file is first read and checked as
 * a stream into a temporary file and matched with what is stored: bad rows are known before anything is locked. With bad rows nothing is
 * imported, unless `keepGood`. Then it is written, in one transaction or, where it is large, in parts (docs/decisions/078). One import
 * is done at a time.
 *
 * Another format is another reader in `content/question/` that gives `CheckedRow`s; everything behind it stays.
 * @throws FileRefused with a Chinese sentence: the file cannot be read, or the pack or course does not exist
 */
export async function importQuestions(db: Db, task: QuestionImport): Promise<QuestionReport> {
  await findTarget(db.query, task);
  const spool = await openSpool();
  try {
    const read: ReadRows = {
      ...{ warned: 0, good: 0, bad: 0, notes: [], imported: false, lines: [], stopped: false },
      shown: new Map(),
      filed: nothingFiled(),
    };
    await spool.writeFile(spoolLines(task, read));
    task.progress?.('read', read.good + read.bad, read.good + read.bad);
    if (read.good === 0 && read.bad === 0) throw new FileRefused('表头下面没有任何试题');
    if (task.whole && read.filed.sheets.size === 0)
      throw new FileRefused('这份文件里只有试卷，没有试题：--whole 会停用全部试题，没有导入');
    if (task.dryRun) return await importRead(db, task, { spool, read, stillAlone: async () => undefined });
    return await db.oneAtATime(task, (stillAlone) => importRead(db, task, { spool, read, stillAlone }));
  } finally {
    await spool.close();
  }
}

/** Matches the rows of a file with what is stored, and writes them. */
async function importRead(
  db: Db,
  task: QuestionImport,
  { spool, read, stillAlone }: { spool: FileHandle; read: ReadRows; stillAlone: () => Promise<void> },
): Promise<QuestionReport> {
  const { shown, notes } = read;
  // Half a file says nothing of what the bank has and it has not.
  const filed = read.stopped ? nothingFiled() : read.filed;
  const target = await findTarget(db.query, task);
  const plan = target === null || read.stopped ? NEW_BANK : await planned(db, target, task, spool);
  const papers = await planPapers(db.query, target, filed, spool, plan);
  const left = [...plan.left.values(), ...papers.rejected];
  const told = {
    // A file of papers alone says nothing of the questions that it has not.
    gone: filed.sheets.size > 0 ? plan.gone : [],
    undecided: plan.undecided,
    warned: read.warned + plan.warned.length + papers.warned.length,
  };
  const named = { left: papers.left, gone: papers.gone.map(({ name }) => name) };
  const rows = { good: read.good - left.length, bad: read.bad + left.length, notes };
  for (const row of left) task.rejected?.(row);
  for (const row of [...plan.warned, ...papers.warned]) task.warned?.(row);
  if (rows.good === 0 || read.stopped || (rows.bad > 0 && (!task.keepGood || task.whole))) {
    const none = { added: 0, changed: 0, unchanged: 0, archived: 0, imported: false };
    return {
      ...{ ...rows, ...none, ...told, stopped: read.stopped },
      retired: [],
      touched: NONE_TOUCHED,
      teachers: NO_WORD,
      rescore: NONE_RESCORED,
      papers: { ...NO_PAPER_CHANGES, ...named },
    };
  }
  const lines = read.lines.filter(({ key }) => !plan.left.has(key));
  const file = { spool, lines, plan, papers, shown };
  const written = isLarge(task, file)
    ? await writeInParts(db, task, { file, target, stillAlone })
    : await inOneWriting(db, task.dryRun ?? false, (trx) => writeAtOnce(db, trx, task, file));
  const { changes, archived, touched, rescore } = written;
  const { added, changed, unchanged, retired, teachers } = changes;
  return {
    ...{ ...rows, ...told, stopped: false },
    ...{ added, changed, unchanged, archived, retired, teachers, touched, rescore },
    papers: { ...written.papers, ...named },
    imported: !task.dryRun,
  };
}

/** What was read of a file. */
interface ReadRows extends RowReport {
  warned: number;
  /** Its good questions, in the spool. */
  lines: SpooledLine[];
  /** The pictures of good rows. */
  shown: Map<string, ShownFile>;
  /** The rows of papers. */
  filed: FilePapers;
  /** It has more bad rows than are listed, and was read no further. */
  stopped: boolean;
}

const nothingFiled = (): FilePapers => ({ rows: [], bad: [], badQuestions: new Set(), sheets: new Set() });

/** What is in a pack that is made by this import. */
const NEW_BANK: IdentityPlan = {
  keys: new Map(),
  expected: new Map(),
  chapters: new Map(),
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

/** Reads the file; good rows go on as lines of the spool, bad ones are told. @param rows gets what is read */
async function* spoolLines(task: QuestionImport, rows: ReadRows): AsyncGenerator<string> {
  const { shown, filed } = rows;
  let lines = '';
  let at = 0;
  const chapters = new Map<string, readonly string[]>();
  const pictures = storedPictures(task.files, shown);
  const { read = readForeignSpreadsheet } = task;
  for await (const checked of read(task.file, rows.notes)) {
    if (checked.ok === 'later') {
      const { ok: _, ...row } = checked;
      rows.warned += 1;
      task.warned?.(row);
    } else if ('standing' in checked) {
      rows.good += 1;
      filed.rows.push(checked);
      if (checked.warnings.length > 0) {
        rows.warned += 1;
        const { sheet, row, warnings: why, columns, standing } = checked;
        task.warned?.({ sheet, row, why, columns, topic: standing.paper });
      }
    } else if (checked.ok) {
      rows.good += 1;
      filed.sheets.add(checked.sheet);
      const stored = await pictures.stored(checked);
      const { key, chapter } = stored;
      const line = spoolLine({ ...stored, sheet: checked.sheet, row: checked.row });
      const bytes = Buffer.byteLength(line);
      const way = JSON.stringify(chapter);
      const known = chapters.get(way) ?? chapter;
      chapters.set(way, known);
      rows.lines.push({ key, at, bytes, chapter: known });
      at += bytes;
      lines += line;
      if (checked.warnings.length > 0) {
        rows.warned += 1;
        const { sheet, row, warnings: why, columns, question } = checked;
        task.warned?.({ sheet, row, why, columns, topic: plainStart(question.topic) });
      }
    } else {
      rows.bad += 1;
      task.rejected?.(checked);
      if (checked.paper === undefined) {
        filed.sheets.add(checked.sheet);
        filed.badQuestions.add(`${checked.sheet}!${checked.row}`);
      } else filed.bad.push({ paper: checked.paper, sheet: checked.sheet, row: checked.row });
    }
    const areTaken = task.keepGood && !task.whole;
    if (rows.bad >= (areTaken ? MOST_LEFT_OUT : MOST_BAD)) {
      const place = checked.sheet ? `工作表“${checked.sheet}”第 ${checked.row} 行` : `第 ${checked.row} 行`;
      rows.notes.push(
        `不合格的行已有 ${rows.bad} 行，检查到${place}为止，后面的没有检查${areTaken ? '，合格的行也没有导入：请先看看文件是不是拿错了，或删去不合格的行' : ''}`,
      );
      rows.stopped = true;
      break;
    }
    if ((rows.good + rows.bad) % ROWS_AT_ONCE !== 0) continue;
    task.signal?.throwIfAborted();
    task.progress?.('read', rows.good + rows.bad, null);
    if (lines) yield lines;
    lines = '';
  }
  if (lines) yield lines;
}
