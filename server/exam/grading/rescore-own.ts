import { mustWait } from '#rules/exam/rescore-ways.ts';
import { addPoints } from '#rules/exam/scoring.ts';
import type { Chore } from '#server/chores.ts';
import type { Trx } from '#server/db/open.ts';
import type { Content } from '../paper/content.ts';
import { keepOwnTotal } from '../paper/own-paper-store.ts';
import type { ExamParts } from '../parts.ts';
import type { ExamRecord } from '../record/store.ts';
import { endCorrections } from './end-corrections-store.ts';
import { correctionsSince, delistOwn, listedOwn, nextSearch, restOwn, searchOn } from './own-rescore-store.ts';
import { PassedOver } from './passed-over.ts';
import { rescoreAll } from './rescore.ts';
import { rescoredWriter, type WriteRescored, whoSits } from './rescore-store.ts';

/** Papers looked through in one transaction, and records read from the list at once. */
const PAPERS_AT_ONCE = 500;
const RECORDS_AT_ONCE = 128;

/** Runs after which a record is tried again whose student still sits something. */
const TRY_AGAIN = 60;

/**
 * Grades again the finished papers that students put together (own practices, random papers) by a corrected key
 * (docs/decisions/033). They are many and have no versions of their own, so they are first looked through, some at a time, then moved
 * one by one to the version in which the correction is shown: the number behind it. Both steps say in the database how far they came. Open ones
 * are listed with them, for what a correction waits for (waiting.ts), and rest until they are handed in.
 */
export function rescoreOwnChore(parts: ExamParts): Chore {
  const { db, log } = parts;
  const writeRescored = rescoredWriter(db);
  const broken = new PassedOver<number>((recordId, err) =>
    log.error({ err, recordId }, 'a record of an own paper cannot be re-scored'),
  );
  /** Records whose students sit the question: in how many runs they are tried again, if they sit something as long. */
  let waiting = new Map<number, { userId: number; runs: number }>();

  async function tryListed(ids: readonly number[], still: typeof waiting, now: number): Promise<void> {
    const sitting = new Set(
      await whoSits(
        db.query,
        ids.flatMap((id) => waiting.get(id)?.userId ?? []),
      ),
    );
    for (const id of ids) {
      const wait = waiting.get(id);
      if (wait && wait.runs > 1 && sitting.has(wait.userId)) still.set(id, { ...wait, runs: wait.runs - 1 });
      else if (!broken.has(id))
        await broken.work([id], async () => {
          const userId = await db.transaction((trx) => rescoreRecord(parts, writeRescored, trx, id, now));
          if (userId !== null) still.set(id, { userId, runs: TRY_AGAIN });
        });
    }
  }

  return {
    name: 'exam: re-score corrected own papers',
    every: 1000,
    run: async (now) => {
      for (let search = await nextSearch(db.query); search !== null; search = await nextSearch(db.query)) {
        const found = search;
        await db.transaction((trx) => searchOn(trx, found, PAPERS_AT_ONCE));
      }
      broken.nextRun();
      const still: typeof waiting = new Map();
      for (let after = 0; ; ) {
        const ids = await listedOwn(db.query, after, RECORDS_AT_ONCE);
        await tryListed(ids, still, now);
        after = ids.at(-1) ?? after;
        if (ids.length < RECORDS_AT_ONCE) break;
      }
      waiting = still;
      await endCorrections(db, now);
    },
  };
}

/**
 * Brings one record through the corrections that it does not show, in their order. What it is listed for beyond them it never gets.
 * @returns its student, who sits the question now, so that it has to wait; else null
 */
async function rescoreRecord(
  parts: ExamParts,
  writeRescored: WriteRescored,
  trx: Trx,
  recordId: number,
  now: number,
): Promise<number | null> {
  const { records, hiddenOf } = parts;
  let [record] = await records.lock(trx, [recordId]);
  const ahead = record ? await correctionsAhead(parts, trx, record) : [];
  await delistOwn(
    trx,
    recordId,
    ahead.map(({ correctionId }) => correctionId),
  );
  if (!record || record.submittedAt === null) {
    await restOwn(trx, recordId);
    return null;
  }
  const { userId, examId } = record;
  const hidden = ahead.length === 0 ? undefined : (await hiddenOf(trx, [userId])).get(userId);
  for (const { correctionId, questionId, reason, is } of ahead) {
    if (mustWait({ open: false, hidden }, [questionId])) {
      await delistOwn(trx, recordId, idsFrom(ahead, correctionId));
      return userId;
    }
    const to = is.version;
    await keepOwnTotal(trx, { examId, version: to, totalScore: addPoints(is.questions.map(({ score }) => score)) });
    const task = { correctionId, questionIds: [questionId], ofRule: false, examId, from: record.version, to, reason };
    await rescoreAll(parts, writeRescored, trx, task, [record], now);
    record = { ...record, version: to };
  }
  await delistOwn(trx, recordId);
  return null;
}

const idsFrom = (ahead: readonly { correctionId: number }[], first: number) =>
  ahead.flatMap(({ correctionId }) => (correctionId >= first ? [correctionId] : []));

/**
 * The corrections that come to a record, oldest first, with the paper as it is by each. They end where something else of the paper would change
 * too, since a record keeps the paper that it began with. Versions never change, so neither does this, but for later corrections.
 */
async function correctionsAhead(
  { readContent }: ExamParts,
  trx: Trx,
  { examId, packId, version }: ExamRecord,
): Promise<{ correctionId: number; questionId: number; reason: string; is: Content }[]> {
  const ahead = [];
  let was = await readContent(trx, examId, version);
  for (const correction of await correctionsSince(trx, { packId, version })) {
    const { correctionId, questionId } = correction;
    if (!was.byId.has(questionId)) continue;
    const is = await readContent(trx, examId, correctionId + 1);
    if (!sameBut(questionId, was, is)) break;
    ahead.push({ ...correction, is });
    was = is;
  }
  return ahead;
}

/**
 * Whether two versions of a paper differ in nothing but how one question is graded: neither in what its student read nor in what its
 * other questions are graded by. A better analysis of another one does no harm.
 */
function sameBut(questionId: number, was: Content, is: Content): boolean {
  const read = ({ questions, cases }: Content) =>
    JSON.stringify([
      cases,
      questions.map((question) => {
        const { type, topic, options, caseId, right, gradeMode, points } = question;
        const shown = [question.questionId, type, topic, options, caseId];
        return question.questionId === questionId ? shown : [...shown, right, gradeMode, points];
      }),
    ]);
  return read(was) === read(is);
}
