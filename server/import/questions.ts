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
import {
  type ExamChanges,
  raiseVersions,
  readGoneInPapers,
  readPapers,
  rekeyPaper,
  syncChapterPractice,
  syncSheetPapers,
  type WantedPaper,
} from '#server/exam/paper/exam-store.ts';
import {
  archiveKeylessQuestions,
  lastQuestionPosition,
  type QuestionChanges,
  questionIdsByKey,
  syncQuestions,
  type TeachersWord,
  type WantedQuestion,
} from '#server/exam/paper/question-store.ts';
import { type FiledScores, type FileRescore, fileCorrector } from '#server/exam/quality/correct-from-file.ts';
import type { Files } from '#server/files.ts';
import type { CorrectionOptions } from './pack.ts';
import {
  CHANGED_MEANWHILE,
  type GoneQuestion,
  type IdentityAnswer,
  type IdentityPlan,
  planIdentities,
  stillStands,
} from './question-identity.ts';
import { findTarget, type NamedTarget, openTarget } from './question-target.ts';
import type { RowReport } from './row-report.ts';
import { type FilePapers, type PaperPlan, type PlannedPaper, planPapers } from './sheet-papers.ts';
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

/** What writing did, and the records that keep what was there before. */
interface Written {
  changes: QuestionChanges;
  archived: number;
  touched: TouchedRecords;
  rescore: FileRescore;
  papers: ExamChanges & Pick<PaperReport, 'otherwise'>;
}

const NONE_TOUCHED: TouchedRecords = { open: 0, over: 0 };
const NO_WORD: TeachersWord = { kept: [], overruled: [] };
const NO_PAPER_CHANGES: Written['papers'] = { added: 0, changed: 0, unchanged: 0, archived: 0, otherwise: [] };
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
    const rows: ReadRows = { warned: 0, good: 0, bad: 0, notes: [], imported: false, questions: 0 };
    const shown = new Map<string, ShownFile>();
    const filed: FilePapers = { rows: [], bad: new Set(), badQuestions: new Set(), sheets: new Set() };
    await spool.writeFile(spoolLines(task, rows, shown, filed));
    task.progress?.('read', rows.good + rows.bad, rows.good + rows.bad);
    if (rows.good === 0 && rows.bad === 0) throw new FileRefused('表头下面没有任何试题');
    const hasQuestions = filed.sheets.size > 0;
    if (task.whole && !hasQuestions)
      throw new FileRefused('这份文件里只有试卷，没有试题：--whole 会停用全部试题，没有导入');
    const plan = target === null ? NEW_BANK : await planned(db, target, task, spool);
    const papers = await planPapers(db.query, target, filed, spool, plan);
    const { undecided } = plan;
    const left = [...plan.left.values(), ...papers.rejected];
    const told = {
      // A file of papers alone says nothing of the questions that it has not.
      gone: hasQuestions ? plan.gone : [],
      undecided,
      warned: rows.warned + plan.warned.length + papers.warned.length,
    };
    const named = { left: papers.left, gone: papers.gone.map(({ name }) => name) };
    const total = rows.questions - plan.left.size;
    rows.good -= left.length;
    rows.bad += left.length;
    for (const row of left) task.rejected?.(row);
    for (const row of [...plan.warned, ...papers.warned]) task.warned?.(row);
    if (rows.good === 0 || (rows.bad > 0 && (!task.keepGood || task.whole))) {
      const none = { added: 0, changed: 0, unchanged: 0, archived: 0 };
      const { good, bad, notes, imported } = rows;
      return {
        ...{ good, bad, notes, imported },
        ...none,
        ...told,
        retired: [],
        touched: NONE_TOUCHED,
        teachers: NO_WORD,
        rescore: NONE_RESCORED,
        papers: { ...NO_PAPER_CHANGES, ...named },
      };
    }
    const written = await inOneWriting(db, task.dryRun ?? false, (trx) =>
      writeAll(db, trx, task, { spool, plan, papers, total, shown }),
    );
    const { changes, archived, touched, rescore } = written;
    const { added, changed, unchanged, retired, teachers } = changes;
    const { good, bad, notes } = rows;
    return {
      ...{ good, bad, notes },
      retired,
      added,
      changed,
      unchanged,
      archived,
      ...told,
      touched,
      teachers,
      rescore,
      papers: { ...written.papers, ...named },
      imported: !task.dryRun,
    };
  } finally {
    await spool.close();
  }
}

/** Rows that were read, and how many of the good ones are questions. */
type ReadRows = RowReport & { warned: number; questions: number };

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

/** Reads the file; good rows go on as lines of the spool, bad ones are told. @param rows counts them @param shown gets the pictures of good rows @param filed gets the rows of papers */
async function* spoolLines(
  task: QuestionImport,
  rows: ReadRows,
  shown: Map<string, ShownFile>,
  filed: FilePapers,
): AsyncGenerator<string> {
  let lines = '';
  const pictures = storedPictures(task.files, shown);
  for await (const checked of readForeignSpreadsheet(task.file, rows.notes)) {
    if ('standing' in checked) {
      rows.good += 1;
      filed.rows.push(checked);
    } else if (checked.ok) {
      rows.good += 1;
      rows.questions += 1;
      filed.sheets.add(checked.sheet);
      lines += spoolLine({ ...(await pictures.stored(checked)), sheet: checked.sheet, row: checked.row });
      if (checked.warnings.length > 0) {
        rows.warned += 1;
        const { sheet, row, warnings: why, question } = checked;
        task.warned?.({ sheet, row, why, topic: plainStart(question.topic) });
      }
    } else {
      rows.bad += 1;
      task.rejected?.(checked);
      if (checked.paper === undefined) {
        filed.sheets.add(checked.sheet);
        filed.badQuestions.add(`${checked.sheet}!${checked.row}`);
      } else filed.bad.add(checked.paper);
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
    papers,
    total,
    shown,
  }: {
    spool: FileHandle;
    plan: IdentityPlan;
    papers: PaperPlan;
    total: number;
    shown: ReadonlyMap<string, ShownFile>;
  },
): Promise<Written> {
  const { noted = true, now = Date.now(), rescore: asked = null, dryRun: tried = false } = task;
  const { packId, courseId } = await openTarget(trx, task, now);
  for (const { key, formerKey } of papers.papers) if (formerKey !== null) await rekeyPaper(trx, packId, formerKey, key);
  const scores = papers.papers.length > 0 ? scoresOf(papers.papers) : null;
  const elsewhere = new Set(papers.papers.flatMap(keysOf));
  // Before anything else, so that what it keeps is what stood before the file.
  const corrector = fileCorrector(db, trx, packId, { asked, tried, now });
  for await (const questions of knownQuestions(spool, plan)) {
    task.signal?.throwIfAborted();
    const keys = questions.map(({ key }) => key);
    await stillStands(trx, packId, keys, plan);
    await corrector.read(questions, scores);
    for (const key of keys) elsewhere.delete(key);
  }
  if (scores !== null) await corrector.readScores([...elsewhere], scores);
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
  const made = await writePapers(trx, { packId, courseId }, papers, task.whole ?? false, correction);
  if (archived > 0) await refuseGoneInPapers(trx, packId);
  if (sum.added + sum.changed + archived > 0) {
    await syncChapterPractice(trx, packId, chapters, correction);
    await raiseVersions(trx, sum.changedIds, [], correction);
  }
  return { changes: sum, archived, touched: await correction.done(), rescore: corrector.done, papers: made };
}

const keysOf = ({ sections }: PlannedPaper) => sections.flatMap(({ questions }) => questions.map(({ key }) => key));

/** The points that papers of a file give, by the keys of paper and question. */
const scoresOf = (papers: readonly PlannedPaper[]): FiledScores =>
  new Map(
    papers.map(({ key, sections }) => [
      key,
      new Map(
        sections.flatMap(({ questions }) => questions.map((question) => [question.key, question.score] as const)),
      ),
    ]),
  );

/** Writes the papers of a file, after its questions. @param whole those that it does not name are archived */
async function writePapers(
  trx: Trx,
  { packId, courseId }: { packId: number; courseId: number },
  { papers, gone }: PaperPlan,
  whole: boolean,
  correction: Correction,
): Promise<Written['papers']> {
  if (papers.length === 0 && (!whole || gone.length === 0)) return NO_PAPER_CHANGES;
  const ids = await questionIdsByKey(trx, packId);
  const wanted = papers.map((paper): WantedPaper => {
    const { key, kind, name, year, minutes, partial, passScore, sections } = paper;
    return {
      ...{ key, kind, name, year, minutes, partial, passScore, courseId, chapterId: null },
      ...{ shuffleQuestions: false, shuffleOptions: false, reserved: false },
      retake: { most: null, after: null, counts: 'first' },
      sections: sections.map(({ title, questions }) => ({
        title,
        questions: questions.map(({ key: question, score }) => {
          const questionId = ids.get(question);
          // Stored when the papers were planned, and taken out by another import since.
          if (questionId === undefined) throw new FileRefused(CHANGED_MEANWHILE);
          return { questionId, score };
        }),
      })),
    };
  });
  const archive = new Set(whole ? gone.map(({ key }) => key) : []);
  const changes = await syncSheetPapers(trx, packId, wanted, archive, correction);
  const shown = new Map((await readPapers(trx, packId)).map((paper) => [paper.key, paper.totalScore]));
  const otherwise = papers.flatMap(({ key, name, total: filed }) => {
    const total = shown.get(key);
    return total === undefined || total === filed ? [] : [{ name, filed, shown: total }];
  });
  return { ...changes, otherwise };
}

/** Papers that are named where questions of theirs would go. */
const NAMED = 5;

/** @throws FileRefused where a paper on offer lists a question that no file has any more */
async function refuseGoneInPapers(trx: Trx, packId: number): Promise<void> {
  const listed = await readGoneInPapers(trx, packId, NAMED);
  if (listed.length === 0) return;
  const names = listed.map(({ key, schoolKey, paper }) => `${schoolKey ?? key}（试卷“${paper}”）`).join('、');
  throw new FileRefused(
    `--whole 会停用试卷里还在用的题：${names}${listed.length === NAMED ? ' 等' : ''}。请先把它们从试卷里去掉，或把题写进文件，没有导入`,
  );
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
