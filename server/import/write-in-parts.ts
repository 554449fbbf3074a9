import { setTimeout as pause } from 'node:timers/promises';
import { FileRefused } from '#content/sheet/sheet.ts';
import { StoredInPart } from '#server/command.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { chapterFinder } from '#server/course/chapter-sync-store.ts';
import { syncFiles } from '#server/course/files-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import type { PlacedQuestion } from '#server/exam/paper/chapter-practice.ts';
import { Correction, TouchedTally } from '#server/exam/paper/correction-store.ts';
import { findInPapers, raiseVersions, rekeyPaper, syncSheetPapers } from '#server/exam/paper/exam-store.ts';
import { countTouchedPractices, syncPracticesInTurns } from '#server/exam/paper/practice-turns-store.ts';
import {
  archiveByKeys,
  lastQuestionPosition,
  questionIdsOf,
  readPlacedQuestions,
  readStanding,
  syncQuestions,
} from '#server/exam/paper/question-store.ts';
import { readReserved } from '#server/exam/paper/reserved-store.ts';
import { fileCorrector } from '#server/exam/quality/correct-from-file.ts';
import { ChangedMeanwhile, stillStands } from './question-identity.ts';
import { openTarget, type Target } from './question-target.ts';
import type { PlannedPaper } from './sheet-papers.ts';
import { inOneWriting } from './taken-back.ts';
import {
  addChanges,
  keysOf,
  NAMED,
  NO_PAPER_CHANGES,
  noChanges,
  otherTotals,
  placedQuestions,
  questionsAt,
  type ReadyFile,
  type SpooledLine,
  scoresOf,
  type WritingTask,
  type Written,
  wantedPaper,
  wouldGo,
} from './write-questions.ts';

/** What one part has at most, so that its transaction stays far below 100 ms: questions, their bytes, chapters that are made, questions of papers, and questions that are taken out. */
const ROWS_A_PART = 100;
const BYTES_A_PART = 300_000;
const CHAPTERS_A_PART = 300;
const LISTED_A_PART = 500;
const GONE_A_PART = 500;

/**
 * Between two parts, so that whoever waits for SQLite's lock gets it: longer than they take to look (`HELD_PAUSE` in db/sqlite.ts), and longer
 * where the machine is slow (milliseconds). On PostgreSQL a start of a paper passes over rows that are held, and looks again.
 */
const SHORTEST_REST = 25;
const LONGEST_REST = 250;

/** Whether a file is written in parts. What is graded again is so by the whole file or not at all, in one transaction. */
export function isLarge(task: WritingTask, { lines, plan, papers }: ReadyFile): boolean {
  if (task.rescore) return false;
  const bytes = lines.reduce((sum, line) => sum + line.bytes, 0);
  const listed = papers.papers.flatMap(keysOf).length;
  const gone = task.whole ? plan.gone.length : 0;
  return lines.length > ROWS_A_PART || bytes > BYTES_A_PART || listed > LISTED_A_PART || gone > GONE_A_PART;
}

interface InParts {
  file: ReadyFile;
  /** null: the pack is made by this import. */
  target: Target | null;
  /** Throws where another import may have begun; asked in each transaction. */
  stillAlone: () => Promise<void>;
}

/**
 * Writes a large file as a series of ordinary imports (docs/decisions/078): each part is one transaction with its own correction, whole in
 * itself, and asks for itself whether what it relies on still stands. What is stored comes first, by chapters; new questions follow in
 * the order of the file, so that an import which is broken off and begun anew ends as if it had not been. Papers, what the file no longer has and
 * the practices of chapters come last. A dry run does the same and takes each part back.
 * @throws StoredInPart where it is stopped after something was stored
 */
export async function writeInParts(db: Db, task: WritingTask, how: InParts): Promise<Written> {
  const { file, target } = how;
  const { plan, papers, lines } = file;
  const { noted = true, now = Date.now(), dryRun: tried = false } = task;
  const { query } = db;
  const changes = noChanges();
  const tally = new TouchedTally();
  let isStored = false;

  const turn = async <T>(work: (trx: Trx, target: Target) => Promise<T>): Promise<T> => {
    const began = performance.now();
    const done = await inOneWriting(db, tried, async (trx) => {
      const opened = await openTarget(trx, task, now);
      await how.stillAlone();
      return work(trx, opened);
    });
    isStored = !tried;
    const rest = Math.min(Math.max(SHORTEST_REST, (performance.now() - began) / 2), LONGEST_REST);
    await pause(rest);
    return done;
  };
  const stop = () => task.signal?.throwIfAborted();
  const stored = lines.filter(({ key }) => plan.chapters.has(plan.keys.get(key) ?? key)).length;
  /** Questions of the file that the bank has after some parts: what those wrote or found, and what it had before, with which they were not compared yet. */
  const inBank = ({ added, changed, unchanged }: Written['changes']) => {
    const before = Math.max(0, stored - changed - unchanged);
    return { sum: added + changed + unchanged + before, before };
  };
  const correctionIn = (trx: Trx, { packId }: Target) => new Correction(db, trx, { packId, noted, now });
  /** Ends a correction, and says what it replaced. */
  const ended = async (correction: Correction) => {
    await correction.done();
    return [...correction.replaced()];
  };
  const practices = async ({ packId, courseId }: Target) =>
    syncPracticesInTurns(query, {
      packId,
      chapters: () => listChapters(query, packId),
      turn: (work) => turn((trx) => work(trx)),
      correction: (trx) => correctionIn(trx, { packId, courseId }),
      tally,
    });
  /** While practices are brought up to date nothing stops, so whoever asks for it, or did, is told. */
  const told = async (work: Promise<void>, did: Written['changes']) => {
    const tell = () => task.finishing?.(inBank(did).sum, lines.length);
    if (task.signal?.aborted) tell();
    else task.signal?.addEventListener('abort', tell, { once: true });
    return work.finally(() => task.signal?.removeEventListener('abort', tell));
  };

  if (task.whole && target !== null) await refuseGone(db, target, file);
  stop();
  let opened = target;
  try {
    opened = await turn(async (trx, own) => {
      for (const { key, formerKey } of papers.papers)
        if (formerKey !== null) await rekeyPaper(trx, own.packId, formerKey, key);
      await syncFiles(trx, own.packId, file.shown);
      return own;
    });
    // Of a dry run that makes the pack it is no pack's: each transaction makes its own.
    const { packId } = opened;
    for (const some of inPieces([...new Set(lines.map(({ chapter }) => chapter))], CHAPTERS_A_PART))
      await turn(async (trx, own) => {
        const chapterIdOf = await chapterFinder(trx, own.packId, own.courseId);
        for (const chapter of some) await chapterIdOf(chapter);
      });

    // Of a dry run; a pack that it makes has none.
    const known = new Set(tried && target !== null ? (await listChapters(query, packId)).map(({ id }) => id) : []);
    // A dry run has taken back by now that a paper goes by a key of its own.
    const standingPapers = papers.papers.map((paper) =>
      tried ? { ...paper, key: paper.formerKey ?? paper.key } : paper,
    );
    const scores = scoresOf(standingPapers);
    const corrector = fileCorrector(db, query, packId, { asked: null, tried, now });
    if (scores !== null) {
      const inFile = new Set(lines.map(({ key }) => plan.keys.get(key) ?? key));
      await corrector.readScores(
        [...new Set(papers.papers.flatMap(keysOf))].filter((key) => !inFile.has(key)),
        scores,
      );
    }
    let position = await lastQuestionPosition(query, packId);
    /** Writes some questions, in a transaction. */
    const writePart = async (trx: Trx, own: Target, questions: Awaited<ReturnType<typeof questionsAt>>) => {
      const keys = questions.map(({ key }) => key);
      await stillStands(trx, own.packId, keys, plan);
      const correction = correctionIn(trx, own);
      const chapterIdOf = await chapterFinder(trx, own.packId, own.courseId);
      const placed = await placedQuestions(trx, own.packId, questions, chapterIdOf, correction);
      let last = position;
      const nextPosition = () => {
        last += 1;
        return last;
      };
      const did = await syncQuestions(trx, own.packId, placed, nextPosition, correction);
      await raiseVersions(trx, did.changedIds, [], correction);
      return {
        did,
        last,
        replaced: await ended(correction),
        stands: tried ? await standingIn(trx, own.packId, { keys, known }) : [],
      };
    };
    // Before the first part: each raises the versions of papers that this reads.
    for (const part of partsOf(file)) {
      stop();
      await corrector.read(await questionsAt(file, part), scores);
    }
    await corrector.readRules(standingPapers);
    const standing = new Standing();
    let done = 0;
    for (const part of partsOf(file)) {
      stop();
      const questions = await questionsAt(file, part);
      const { did, last, replaced, stands } = await turn((trx, own) => writePart(trx, own, questions));
      addChanges(changes, did);
      position = last;
      tally.add(replaced);
      standing.add(stands);
      done += part.length;
      task.progress?.('write', done, lines.length);
    }

    const made = { ...NO_PAPER_CHANGES, otherwise: [...NO_PAPER_CHANGES.otherwise] };
    const add = (did: Pick<Written['papers'], 'added' | 'changed' | 'unchanged' | 'archived'>) => {
      for (const name of ['added', 'changed', 'unchanged', 'archived'] as const) made[name] += did[name];
    };
    for (const some of paperPieces(papers.papers)) {
      stop();
      const asked = new Set(some.flatMap(keysOf));
      const written = tried
        ? await questionsAt(
            file,
            lines.filter(({ key }) => asked.has(plan.keys.get(key) ?? key)),
          )
        : [];
      const { did, replaced, otherwise } = await turn(async (trx, own) => {
        if (tried) {
          for (const { key, formerKey } of some)
            if (formerKey !== null) await rekeyPaper(trx, own.packId, formerKey, key);
          await writePart(trx, own, written);
        }
        const ids = await questionIdsOf(trx, own.packId, [...asked]);
        const correction = correctionIn(trx, own);
        const wanted = some.map((paper) => wantedPaper(paper, own.courseId, ids));
        const synced = await syncSheetPapers(trx, own.packId, wanted, new Set(), correction);
        const ends = await ended(correction);
        return { did: synced, replaced: ends, otherwise: await otherTotals(trx, own.packId, some) };
      });
      add(did);
      tally.add(replaced);
      made.otherwise.push(...otherwise);
    }

    let archived = 0;
    if (task.whole && target !== null) {
      const gone = new Set(papers.gone.map(({ key }) => key));
      if (gone.size > 0)
        add(await turn(async (trx, own) => syncSheetPapers(trx, packId, [], gone, correctionIn(trx, own))));
      for (const some of inPieces(
        plan.gone.map(({ key }) => key),
        GONE_A_PART,
      )) {
        stop();
        archived += await turn(async (trx) => {
          // When it was begun they were in none but those of the file, which were written by now.
          const listed = tried ? [] : await findInPapers(trx, packId, { keys: some, except: new Set(), most: 1 });
          if (listed.length > 0) throw new ChangedMeanwhile();
          return archiveByKeys(trx, packId, some);
        });
      }
    }

    if (!tried) await told(practices(opened), changes);
    else if (target !== null) await standing.countTouched(db, target, { tally, gone: task.whole ? plan.gone : [] });
    return { changes, archived, touched: tally.sum(), rescore: corrector.done, papers: made };
  } catch (error) {
    if (!isStored) throw error;
    // What is stored is brought into the practices, as long as there is a database; else the next import does it.
    const practised =
      opened !== null &&
      (await told(practices(opened), changes).then(
        () => true,
        () => false,
      ));
    throw storedInPart(error, changes, { of: lines.length, practised, ...inBank(changes) });
  }
}

function storedInPart(
  error: unknown,
  { added, changed, unchanged }: Written['changes'],
  { of, practised, sum, before }: { of: number; practised: boolean; sum: number; before: number },
): StoredInPart {
  const why =
    error instanceof ChangedMeanwhile ? '题库在导入期间被改动了' : error instanceof FileRefused ? error.message : null;
  return new StoredInPart(
    `${of} 题中题库里已有 ${sum} 题（新增 ${added} 题，更新 ${changed} 题，未变 ${unchanged} 题${before > 0 ? `，原来就有、还没有比对 ${before} 题` : ''}），${practised ? '它们已经可用' : '章节练习里还没有它们'}；再次导入同一份文件，会接着写完`,
    why,
    error,
  );
}

/** @throws FileRefused where questions that the file no longer has are listed by papers that stay, before anything is written */
async function refuseGone({ query }: Db, { packId }: Target, { plan, papers }: ReadyFile): Promise<void> {
  const gone = new Map(plan.gone.map((question) => [question.key, question]));
  const named = papers.papers.flatMap((paper) =>
    keysOf(paper).flatMap((key) => {
      const question = gone.get(key);
      return question ? [{ key, schoolKey: question.schoolKey, paper: paper.name }] : [];
    }),
  );
  // Those of the file are written anew, others that the file has not are archived.
  const except = new Set([
    ...papers.papers.flatMap(({ key, formerKey }) => [key, formerKey ?? key]),
    ...papers.gone.map(({ key }) => key),
  ]);
  const listed = await findInPapers(query, packId, { keys: [...gone.keys()], except, most: NAMED });
  const all = [...listed, ...named].slice(0, NAMED);
  if (all.length > 0) throw wouldGo(all);
}

/** Questions that are stored, by the chapters in which they stand, so that a part touches few practices; then new ones in their order. */
function* partsOf({ lines, plan }: ReadyFile): Generator<SpooledLine[]> {
  const stored: { line: SpooledLine; chapterId: number }[] = [];
  const fresh: SpooledLine[] = [];
  for (const line of lines) {
    const chapterId = plan.chapters.get(plan.keys.get(line.key) ?? line.key);
    if (chapterId === undefined) fresh.push(line);
    else stored.push({ line, chapterId });
  }
  stored.sort((a, b) => a.chapterId - b.chapterId);
  for (const some of [stored.map(({ line }) => line), fresh]) {
    let part: SpooledLine[] = [];
    let bytes = 0;
    for (const line of some) {
      if (part.length >= ROWS_A_PART || (part.length > 0 && bytes + line.bytes > BYTES_A_PART)) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(line);
      bytes += line.bytes;
    }
    if (part.length > 0) yield part;
  }
}

function* paperPieces(papers: readonly PlannedPaper[]): Generator<PlannedPaper[]> {
  let some: PlannedPaper[] = [];
  let listed = 0;
  for (const paper of papers) {
    const own = keysOf(paper).length;
    if (some.length > 0 && listed + own > LISTED_A_PART) {
      yield some;
      some = [];
      listed = 0;
    }
    some.push(paper);
    listed += own;
  }
  if (some.length > 0) yield some;
}

function* inPieces<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/**
 * Where questions stand in a transaction that is taken back, for practices that are there without it: what stands in a chapter that the
 * transaction made counts for the one above.
 * @param known the chapters that are there
 */
async function standingIn(
  trx: Trx,
  packId: number,
  { keys, known }: { keys: readonly string[]; known: ReadonlySet<number> },
): Promise<Awaited<ReturnType<typeof readStanding>>> {
  const above = new Map((await listChapters(trx, packId)).map(({ id, parentId }) => [id, parentId]));
  const stands = await readStanding(trx, packId, keys);
  return stands.map((question) => {
    let at: number | null = question.chapterId;
    while (at !== null && !known.has(at)) at = above.get(at) ?? null;
    return { ...question, chapterId: at ?? question.chapterId };
  });
}

/** Where questions would stand if parts that were taken back stood. */
class Standing {
  readonly #questions = new Map<string, Awaited<ReturnType<typeof readStanding>>[number]>();

  add(questions: Awaited<ReturnType<typeof readStanding>>): void {
    for (const question of questions) this.#questions.set(question.key, question);
  }

  /** Counts the records whose practices would be others. @param gone questions that would be taken out */
  async countTouched(
    { query }: Db,
    { packId }: Target,
    { tally, gone }: { tally: TouchedTally; gone: readonly { key: string }[] },
  ): Promise<void> {
    const placed = new Map((await readPlacedQuestions(query, packId)).map((one) => [one.questionId, one]));
    const keys = [...this.#questions.keys(), ...gone.map(({ key }) => key)];
    const now = await readStanding(query, packId, keys);
    const ids = new Map(now.map(({ key, questionId }) => [key, questionId]));
    const reserved = await readReserved(query, [...ids.values()]);
    for (const { key } of gone) placed.delete(ids.get(key) ?? 0);
    let next = 0;
    for (const [key, { archived, ...question }] of this.#questions) {
      next -= 1;
      // A number that was taken back is no question's.
      const questionId = ids.get(key) ?? next;
      if (archived || reserved.has(questionId)) continue;
      const would: PlacedQuestion = { questionId, chapterId: question.chapterId, score: question.score };
      placed.set(questionId, would);
    }
    const chapters = await listChapters(query, packId);
    await countTouchedPractices(query, packId, chapters, { placed: [...placed.values()], tally });
  }
}
