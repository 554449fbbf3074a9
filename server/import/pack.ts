import { readForeignPack } from '#content/apart/foreign.ts';
import type { Mistake } from '#content/pack/mistake.ts';
import type { CheckedPack, readPack } from '#content/pack/pack.ts';
import { CONTENT_KEY } from '#content/question/content-key.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { archiveTree, syncTree, type TreeIds } from '#server/course/chapter-sync-store.ts';
import { type ShownFile, syncFiles } from '#server/course/files-store.ts';
import { findPackId, syncPack } from '#server/course/pack-store.ts';
import { syncTeachers } from '#server/course/teacher-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { syncCases } from '#server/exam/paper/case-store.ts';
import { Correction, type TouchedRecords } from '#server/exam/paper/correction-store.ts';
import {
  type ExamChanges,
  raiseVersions,
  syncChapterPractice,
  syncPapers,
  type WantedPaper,
} from '#server/exam/paper/exam-store.ts';
import {
  archiveQuestions,
  filledChapterIds,
  questionIdsByKey,
  syncQuestions,
  type TeachersWord,
  type WantedQuestion,
} from '#server/exam/paper/question-store.ts';
import {
  type FiledScores,
  type FileRescore,
  fileCorrector,
  type RescoreAsked,
} from '#server/exam/quality/correct-from-file.ts';
import type { FileChanges, WantedFile } from '#server/file/file-sync-store.ts';
import type { Files } from '#server/files.ts';
import { releaseMedia } from '#server/media/store.ts';
import { type LessonChanges, syncLessons } from '#server/play/lesson-sync-store.ts';
import { storePackFiles, writePackFiles } from './pack-files.ts';
import { type LessonMedia, noteMedia, type StoredMedia, storeMedia } from './pack-media.ts';
import { picturesShown, storePictures } from './pack-pictures.ts';
import { type NamedPaper, nameSheetQuestions, PackMistaken } from './sheet-names.ts';
import { inOneWriting } from './taken-back.ts';

/** What loading a pack did, counted in questions where nothing else is said. */
interface PackReport {
  slug: string;
  name: string;
  added: number;
  changed: number;
  unchanged: number;
  archived: number;
  papers: ExamChanges;
  lessons: LessonChanges;
  /** The lessons with media, and what stands of that. */
  media: LessonMedia[];
  /** Course files, and slides of lessons. */
  files: FileChanges;
  /** Papers and chapter practices that were written or archived. */
  exams: number;
  /** What shows otherwise than its author may have meant. */
  warnings: Mistake[];
  /** Whether anything at all reads differently now. */
  different: boolean;
  /** Records that this changes nothing in, since they keep the paper they began with. */
  touched: TouchedRecords;
  /** Questions of it that a person has taken out, by their keys: they stay out. */
  retired: readonly string[];
  teachers: TeachersWord;
  rescore: FileRescore;
}

/** What an import of a correction is told beside its content. */
export interface CorrectionOptions {
  /** False: records that are over do not note that a question was corrected. */
  noted?: boolean | undefined;
  /** Who asks that records that are over are graded again by the keys, points and rules of the file; left out: nobody. */
  rescore?: RescoreAsked | null | undefined;
  /** Epoch milliseconds. */
  now?: number | undefined;
}

interface PackOptions extends CorrectionOptions {
  /** How the folder is read; left out: as a foreign one, apart and with bounds. */
  read?: typeof readPack;
  /** Told how many bytes of media were read, of how many. */
  progress?: (done: number, all: number) => void;
  /** Do everything and take it back; files that were stored go with those that belong to nothing. */
  dryRun?: boolean;
}

/**
 * Checks a pack's folder and loads it in one transaction (docs/guide/content-pack.md). With any mistake nothing is stored
 * and all mistakes are given. Loading the same pack again changes nothing; questions it no longer has are archived, never
 * deleted, because students' records point at them.
 */
export async function importPack(
  db: Db,
  files: Files,
  folder: string,
  options: PackOptions = {},
): Promise<{ ok: true; report: PackReport } | { ok: false; mistakes: Mistake[] }> {
  const { read = readForeignPack } = options;
  const checked = await read(folder);
  if (!checked.ok) return checked;
  try {
    return { ok: true, report: await importChecked(db, files, folder, checked.pack, options) };
  } catch (error) {
    if (error instanceof PackMistaken) return { ok: false, mistakes: error.mistakes };
    throw error;
  }
}

async function importChecked(
  db: Db,
  files: Files,
  folder: string,
  checked: CheckedPack,
  options: PackOptions,
): Promise<PackReport> {
  // Before anything is stored; and again when it is written.
  await nameSheetQuestions(db.query, await findPackId(db.query, checked.slug), checked);
  const { pack, titles } = await storePictures(files, checked);
  const pictures = picturesShown(pack, titles);
  const media = await storeMedia({ db, files }, folder, pack, options.progress);
  const stored = await storePackFiles({ db, files }, folder, pack);
  const brought = { pack, pictures, media, stored };
  return inOneWriting(db, options.dryRun ?? false, (trx) => writePack(db, trx, brought, options));
}

async function writePack(
  db: Db,
  trx: Trx,
  {
    pack,
    pictures,
    media,
    stored,
  }: {
    pack: CheckedPack;
    pictures: ReadonlyMap<string, ShownFile>;
    media: StoredMedia;
    stored: readonly WantedFile[];
  },
  { noted: isNoted = true, now = Date.now(), rescore: asked = null, dryRun: tried = false }: PackOptions,
): Promise<PackReport> {
  const { id, added, changed } = await syncPack(trx, pack, now);
  const named = await nameSheetQuestions(trx, id, pack);
  // Before anything else, so that what it keeps is what stood before the file.
  const corrector = fileCorrector(db, trx, id, { asked: asked && { ...asked, trx }, tried, now });
  const scores = filedScores(named);
  await corrector.read(pack.questions, scores);
  await corrector.readScores(sheetKeys(named), scores);
  await corrector.readRules(named);
  const taught = await syncTeachers(trx, id, pack.teachers);
  const correction = new Correction(db, trx, { packId: id, noted: isNoted, now });
  const tree = await syncTree(trx, id, pack.courses);
  const cases = await syncCases(trx, id, pack.cases, correction);
  const questions = await syncQuestions(trx, id, placedQuestions(pack, tree, cases.ids), () => 0, correction);
  const archived = await archiveQuestions(trx, id, new Set(pack.questions.map(({ key }) => key)));
  const noted = await noteMedia(trx, pack, media, now);
  const lessons = await syncLessons(trx, id, pack.courses, pack.lessons, tree, noted.brought);
  await releaseMedia(trx, lessons.dropped, now);
  const pruned = await archiveTree(trx, id, tree, await filledChapterIds(trx, id));
  const questionIds = await questionIdsByKey(trx, id);
  const papers = await syncPapers(
    trx,
    id,
    named.map((paper) => wantedPaper(paper, tree, questionIds)),
    correction,
  );
  const practices = await syncChapterPractice(trx, id, await listChapters(trx, id), correction);
  const exams = written(papers) + written(practices);
  await raiseVersions(trx, questions.changedIds, cases.changedIds, correction);
  const touched = await correction.done();
  await syncFiles(trx, id, pictures);
  const { different: otherFiles, ...files } = await writePackFiles(trx, id, stored, { lessons: pack.lessons, now });
  return {
    slug: pack.slug,
    name: pack.name,
    added: questions.added,
    changed: questions.changed,
    unchanged: questions.unchanged,
    archived,
    papers,
    lessons,
    media: noted.media,
    files,
    exams,
    different:
      added ||
      changed ||
      taught ||
      tree.changed ||
      pruned ||
      otherFiles ||
      questions.added +
        questions.changed +
        archived +
        exams +
        // What was corrected by itself is what the file says by now.
        (asked ? corrector.done.questions.length + corrector.done.papers.length : 0) +
        cases.changedIds.length +
        lessons.added +
        lessons.changed +
        lessons.archived >
        0 ||
      noted.media.some(({ asked }) => asked),
    touched,
    retired: questions.retired,
    teachers: questions.teachers,
    rescore: corrector.done,
    warnings: pack.warnings,
  };
}

/** The points that the papers of a pack give. */
const filedScores = (papers: readonly NamedPaper[]): FiledScores =>
  new Map(
    papers.map(({ key, sections }) => [
      key,
      new Map(
        sections.flatMap(({ questions }) => questions.map(({ key: question, score }) => [question, score] as const)),
      ),
    ]),
  );

/** The questions of spreadsheets in the papers of a pack. */
const sheetKeys = (papers: readonly NamedPaper[]): string[] => [
  ...new Set(
    papers.flatMap(({ sections }) =>
      sections.flatMap(({ questions }) => questions.map(({ key }) => key).filter((key) => key.startsWith(CONTENT_KEY))),
    ),
  ),
];

const written = ({ added, changed, archived }: ExamChanges) => added + changed + archived;

/** The questions of a pack with the ids of what they stand in, in the order of the pack. */
function placedQuestions(pack: CheckedPack, tree: TreeIds, caseIds: ReadonlyMap<string, number>): WantedQuestion[] {
  const materials = new Map(pack.cases.map(({ key, text }) => [key, text]));
  return pack.questions.map((question, at) => {
    const chapterId = tree.chapters.get(question.chapter);
    if (chapterId === undefined) throw new Error(`the chapter ${question.chapter} was not stored`);
    const caseId = question.caseKey === null ? null : (caseIds.get(question.caseKey) ?? null);
    const material = question.caseKey === null ? null : (materials.get(question.caseKey) ?? null);
    return { ...question, place: { chapterId, caseId, material, position: at + 1 } };
  });
}

/** A paper of a pack with ids in place of keys. */
function wantedPaper(paper: NamedPaper, tree: TreeIds, questionIds: ReadonlyMap<string, number>): WantedPaper {
  const { course, chapter, sections, total: _total, at: _at, ...rest } = paper;
  return {
    ...rest,
    courseId: course === null ? null : (tree.courses.get(course) ?? null),
    chapterId: chapter === null ? null : (tree.chapters.get(chapter) ?? null),
    sections: sections.map(({ title, questions }) => ({
      title,
      questions: questions.map(({ key, score }) => {
        const questionId = questionIds.get(key);
        if (questionId === undefined) throw new Error(`the question ${key} of paper ${paper.key} was not stored`);
        return { questionId, score };
      }),
    })),
  };
}
