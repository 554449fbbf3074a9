import { addPoints } from '#rules/exam/scoring.ts';
import type { Chore } from '#server/chores.ts';
import type { Trx } from '#server/db/open.ts';
import type { Content } from '../paper/content.ts';
import { keepOwnTotal } from '../paper/own-paper-store.ts';
import type { ExamParts } from '../parts.ts';
import { correctionsSince, delistOwn, listedOwn, nextSearch, searchOn } from './own-rescore-store.ts';
import { rescoreAll } from './rescore.ts';
import { rescoredWriter, type WriteRescored, whoSits } from './rescore-store.ts';

/** Papers looked through in one transaction, and records read from the list at once. */
const PAPERS_AT_ONCE = 500;
const RECORDS_AT_ONCE = 128;

/**
 * Grades again the finished papers that students put together (own practices, random papers) by a corrected key
 * (docs/decisions/033). They are many and have no versions of their own, so they are first looked through, some at a time, then moved
 * one by one to the version in which the correction is shown: the number behind it. Both steps say in the database how far they came.
 */
export function rescoreOwnChore(parts: ExamParts): Chore {
  const { db } = parts;
  const writeRescored = rescoredWriter(db);
  return {
    name: 'exam: re-score corrected own papers',
    every: 1000,
    run: async (now) => {
      for (let search = await nextSearch(db.query); search !== null; search = await nextSearch(db.query)) {
        const found = search;
        await db.transaction((trx) => searchOn(trx, found, PAPERS_AT_ONCE));
      }
      let after = 0;
      for (;;) {
        const ids = await listedOwn(db.query, after, RECORDS_AT_ONCE);
        for (const id of ids) await db.transaction((trx) => rescoreRecord(parts, writeRescored, trx, id, now));
        after = ids.at(-1) ?? after;
        if (ids.length < RECORDS_AT_ONCE) return;
      }
    },
  };
}

/** Brings one record through the corrections that it does not show, in their order; one whose student sits the question waits. */
async function rescoreRecord(
  parts: ExamParts,
  writeRescored: WriteRescored,
  trx: Trx,
  recordId: number,
  now: number,
): Promise<void> {
  const { records, readContent, gradesFor } = parts;
  let [record] = await records.lock(trx, [recordId]);
  if (!record || record.submittedAt === null) return delistOwn(trx, recordId);
  for (const { correctionId, questionId, reason } of await correctionsSince(trx, record)) {
    const was = await readContent(trx, record.examId, record.version);
    if (!was.byId.has(questionId)) continue;
    const to = correctionId + 1;
    const is = await readContent(trx, record.examId, to);
    // Something else of the paper would change with it, and a record keeps the paper that it began with.
    if (!sameBut(questionId, was, is)) break;
    const { userId, examId } = record;
    const sits = (await whoSits(trx, [userId])).length > 0;
    if (sits && (await gradesFor(trx, userId).hidden()).has(questionId)) return;
    await keepOwnTotal(trx, { examId, version: to, totalScore: addPoints(is.questions.map(({ score }) => score)) });
    const task = { correctionId, questionId, examId, from: record.version, to, reason };
    await rescoreAll(parts, writeRescored, trx, task, [record], now);
    record = { ...record, version: to };
  }
  await delistOwn(trx, recordId);
}

/** Whether two versions of a paper differ in nothing but how one question is graded. */
function sameBut(questionId: number, was: Content, is: Content): boolean {
  const read = ({ questions, cases }: Content) =>
    JSON.stringify([
      cases,
      questions.map((question) => {
        const { type, topic, options, caseId, right, analysis, gradeMode, points } = question;
        const shown = [question.questionId, type, topic, options, caseId];
        return question.questionId === questionId ? shown : [...shown, right, analysis, gradeMode, points];
      }),
    ]);
  return read(was) === read(is);
}
