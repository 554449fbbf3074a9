import type { FileHandle } from 'node:fs/promises';
import { materialKey } from '#content/question/content-key.ts';
import type { SpooledQuestion } from '#content/question/file-question.ts';
import { readSpoolAt, type SpoolPlace } from '#content/question/question-spool.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { chapterFinder } from '#server/course/chapter-sync-store.ts';
import { type ShownFile, syncFiles } from '#server/course/files-store.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
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
  type WantedQuestion,
} from '#server/exam/paper/question-store.ts';
import { type FiledScores, type FileRescore, fileCorrector } from '#server/exam/quality/correct-from-file.ts';
import type { CorrectionOptions } from './pack.ts';
import { ChangedMeanwhile, type IdentityPlan, stillStands } from './question-identity.ts';
import { type NamedTarget, openTarget } from './question-target.ts';
import type { PaperPlan, PlannedPaper } from './sheet-papers.ts';

/** A question of the spool: where it lies, under which key, and which way of chapters it names. */
export interface SpooledLine extends SpoolPlace {
  /** That its row has by itself. */
  key: string;
  /** One array for all rows that name the same. */
  chapter: readonly string[];
}

/** A file that was read, checked and matched, and can be written. */
export interface ReadyFile {
  spool: FileHandle;
  /** The questions that are taken, in the order of the file. */
  lines: readonly SpooledLine[];
  plan: IdentityPlan;
  papers: PaperPlan;
  /** Pictures of its questions. */
  shown: ReadonlyMap<string, ShownFile>;
}

/** How a file is written. */
export interface WritingTask extends NamedTarget, CorrectionOptions {
  whole?: boolean | undefined;
  dryRun?: boolean | undefined;
  progress?: ((step: 'read' | 'write', done: number, of: number | null) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Called where a large file is asked to stop while practices are brought up to its questions, which is waited for. */
  finishing?: ((stored: number, of: number) => void) | undefined;
}

/** What writing did, and the records that keep what was there before. */
export interface Written {
  changes: QuestionChanges;
  archived: number;
  touched: TouchedRecords;
  rescore: FileRescore;
  papers: ExamChanges & { otherwise: { name: string; filed: number; shown: number }[] };
}

export const NO_PAPER_CHANGES: Written['papers'] = { added: 0, changed: 0, unchanged: 0, archived: 0, otherwise: [] };

/** Questions that are read and written between two looks at the signal. */
const QUESTIONS_AT_ONCE = 500;

/** The questions at some lines, under the keys of what is stored. */
export async function questionsAt(
  { spool, plan: { keys } }: Pick<ReadyFile, 'spool' | 'plan'>,
  lines: readonly SpooledLine[],
): Promise<SpooledQuestion[]> {
  const questions = await readSpoolAt(spool, lines);
  return questions.map((question) => ({ ...question, key: keys.get(question.key) ?? question.key }));
}

async function* someAtOnce(task: WritingTask, file: ReadyFile): AsyncGenerator<SpooledQuestion[]> {
  for (let from = 0; from < file.lines.length; from += QUESTIONS_AT_ONCE) {
    task.signal?.throwIfAborted();
    yield await questionsAt(file, file.lines.slice(from, from + QUESTIONS_AT_ONCE));
  }
}

/** Nothing was done yet. */
export const noChanges = (): QuestionChanges => ({
  ...{ added: 0, changed: 0, unchanged: 0 },
  ...{ changedIds: [], retired: [] },
  teachers: { kept: [], overruled: [] },
});

/** Adds what one write did to what others did. */
export function addChanges(sum: QuestionChanges, did: QuestionChanges): void {
  sum.added += did.added;
  sum.changed += did.changed;
  sum.unchanged += did.unchanged;
  sum.changedIds.push(...did.changedIds);
  sum.retired.push(...did.retired);
  sum.teachers.kept.push(...did.teachers.kept);
  sum.teachers.overruled.push(...did.teachers.overruled);
}

/** Writes a file in one transaction: all of it or nothing. */
export async function writeAtOnce(db: Db, trx: Trx, task: WritingTask, file: ReadyFile): Promise<Written> {
  const { noted = true, now = Date.now(), rescore: asked = null, dryRun: tried = false } = task;
  const { plan, papers } = file;
  const { packId, courseId } = await openTarget(trx, task, now);
  for (const { key, formerKey } of papers.papers) if (formerKey !== null) await rekeyPaper(trx, packId, formerKey, key);
  const scores = scoresOf(papers.papers);
  const elsewhere = new Set(papers.papers.flatMap(keysOf));
  // Before anything else, so that what it keeps is what stood before the file.
  const corrector = fileCorrector(db, trx, packId, { asked: asked && { ...asked, trx }, tried, now });
  for await (const questions of someAtOnce(task, file)) {
    const keys = questions.map(({ key }) => key);
    await stillStands(trx, packId, keys, plan);
    await corrector.read(questions, scores);
    for (const key of keys) elsewhere.delete(key);
  }
  if (scores !== null) await corrector.readScores([...elsewhere], scores);
  await corrector.readRules(papers.papers);
  const correction = new Correction(db, trx, { packId, noted, now });
  await syncFiles(trx, packId, file.shown);
  const chapterIdOf = await chapterFinder(trx, packId, courseId);
  let position = await lastQuestionPosition(trx, packId);
  const nextPosition = () => {
    position += 1;
    return position;
  };
  const sum = noChanges();
  const keys = new Set<string>();
  let done = 0;
  for await (const questions of someAtOnce(task, file)) {
    const placed = await placedQuestions(trx, packId, questions, chapterIdOf, correction);
    addChanges(sum, await syncQuestions(trx, packId, placed, nextPosition, correction));
    if (task.whole) for (const { key } of questions) keys.add(key);
    done += questions.length;
    task.progress?.('write', done, file.lines.length);
  }
  const chapters = await listChapters(trx, packId);
  const ofCourse = new Set(chapters.filter((chapter) => chapter.courseId === courseId).map(({ id }) => id));
  const archived = task.whole ? await archiveKeylessQuestions(trx, packId, ofCourse, keys) : 0;
  const made = await writePapers(trx, { packId, courseId }, papers, task.whole ?? false, correction);
  if (archived > 0) await refuseGoneInPapers(trx, packId);
  if (sum.added + sum.changed + archived > 0) {
    await syncChapterPractice(trx, packId, chapters, correction);
    await raiseVersions(trx, sum.changedIds, [], correction);
  }
  return { changes: sum, archived, touched: await correction.done(), rescore: corrector.done, papers: made };
}

/** The keys of the questions of a paper. */
export const keysOf = ({ sections }: PlannedPaper) =>
  sections.flatMap(({ questions }) => questions.map(({ key }) => key));

/** The points that papers of a file give, by the keys of paper and question; null: it has none. */
export const scoresOf = (papers: readonly PlannedPaper[]): FiledScores | null =>
  papers.length === 0
    ? null
    : new Map(
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
  const wanted = papers.map((paper) => wantedPaper(paper, courseId, ids));
  const archive = new Set(whole ? gone.map(({ key }) => key) : []);
  const changes = await syncSheetPapers(trx, packId, wanted, archive, correction);
  return { ...changes, otherwise: await otherTotals(trx, packId, papers) };
}

/** A paper of a file with the ids of its questions. @throws ChangedMeanwhile where one is not there */
export function wantedPaper(paper: PlannedPaper, courseId: number, ids: ReadonlyMap<string, number>): WantedPaper {
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
        if (questionId === undefined) throw new ChangedMeanwhile();
        return { questionId, score };
      }),
    })),
  };
}

/** Papers that show other points in all than the file has. */
export async function otherTotals(
  query: Query,
  packId: number,
  papers: readonly PlannedPaper[],
): Promise<Written['papers']['otherwise']> {
  const shown = new Map((await readPapers(query, packId)).map((paper) => [paper.key, paper.totalScore]));
  return papers.flatMap(({ key, name, total: filed }) => {
    const total = shown.get(key);
    return total === undefined || total === filed ? [] : [{ name, filed, shown: total }];
  });
}

/** Papers that are named where questions of theirs would go. */
export const NAMED = 5;

/** @throws FileRefused where a paper on offer lists a question that no file has any more */
async function refuseGoneInPapers(trx: Trx, packId: number): Promise<void> {
  const listed = await readGoneInPapers(trx, packId, NAMED);
  if (listed.length > 0) throw wouldGo(listed);
}

/** That papers use questions which would be taken out. */
export function wouldGo(listed: readonly { key: string; schoolKey: string | null; paper: string }[]): FileRefused {
  const names = listed.map(({ key, schoolKey, paper }) => `${schoolKey ?? key}（试卷“${paper}”）`).join('、');
  return new FileRefused(
    `--whole 会停用试卷里还在用的题：${names}${listed.length === NAMED ? ' 等' : ''}。请先把它们从试卷里去掉，或把题写进文件，没有导入`,
  );
}

/** Stores the case material of the questions and finds their chapters; chapters that are missing are made. */
export async function placedQuestions(
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
