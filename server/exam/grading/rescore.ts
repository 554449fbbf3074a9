import { regraded } from '#rules/exam/rescore.ts';
import { mustWait } from '#rules/exam/rescore-ways.ts';
import { addPoints, type Graded, tally } from '#rules/exam/scoring.ts';
import type { Chore } from '#server/chores.ts';
import type { Trx } from '#server/db/open.ts';
import { type Notice, saveNotices } from '#server/notice/store.ts';
import { readTeacherIds } from '#server/user/store.ts';
import type { Content } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import type { ExamRecord } from '../record/store.ts';
import { endCorrections } from './end-corrections-store.ts';
import { readGraded } from './graded-store.ts';
import { PassedOver } from './passed-over.ts';
import {
  anyLeadsTo,
  closedOfVersion,
  countOpen,
  endTask,
  findNameOfVersion,
  type Rescore,
  type Rescored,
  type RescoreTask,
  rescoredWriter,
  restTask,
  saveRescores,
  type WriteRescored,
  waitingTasks,
  wakeTasks,
} from './rescore-store.ts';
import { StatisticChanges } from './statistics.ts';
import type { Counted } from './study.ts';
import { readAllCounted } from './study-time-store.ts';

/** Records re-scored in one transaction: those who save in between wait for no more. */
const AT_ONCE = 128;
/** Answers graded in one transaction, where a rule grades many of a record: fewer records then, for the same reason. */
const ANSWERS_AT_ONCE = 2000;
/** Ids read at once. */
const IDS_AT_ONCE = 2000;

/**
 * Grades again the records that a correction touched (docs/decisions/028): each is moved to the version that has the corrected
 * question, with score, counts, statistics and wrong-question list, in the transaction that keeps what changed and tells its
 * student. A record that was moved is not found again, so a killed server goes on where it stood, and none is moved twice. An open
 * record is found once it is closed; that of a student who sits the question in a scored exam now, once that is.
 */
export function rescoreChore(parts: ExamParts): Chore {
  const { db, log, readContent } = parts;
  const writeRescored = rescoredWriter(db);
  const tasks = new PassedOver<string>((task, err) => log.error({ err, task }, 'a correction cannot be re-scored by'));
  const records = new PassedOver<number>((recordId, err) =>
    log.error({ err, recordId }, 'a record cannot be re-scored'),
  );

  async function doTask(task: RescoreTask, now: number): Promise<void> {
    // Where a paper cannot be read, that is said once and not of each record.
    for (const version of [task.from, task.to]) await readContent(db.query, task.examId, version);
    const atOnce = Math.max(1, Math.min(AT_ONCE, Math.floor(ANSWERS_AT_ONCE / task.questionIds.length)));
    let after = 0;
    let left = 0;
    for (;;) {
      const ids = await closedOfVersion(db.query, { examId: task.examId, version: task.from }, after, IDS_AT_ONCE);
      for (let from = 0; from < ids.length; from += atOnce) {
        const all = ids.slice(from, from + atOnce);
        const some = all.filter((id) => !records.has(id));
        left += all.length - some.length;
        await records.work(some, async (few) => {
          left += await db.transaction((trx) => rescoreSome(parts, writeRescored, trx, task, few, now));
        });
      }
      after = ids.at(-1) ?? after;
      if (ids.length < IDS_AT_ONCE) break;
    }
    if (left > 0) return;
    await db.transaction(async (trx) => {
      // Held first: whoever closes a record from now on wakes the task after this.
      await restTask(trx, task, 0);
      const [one] = await closedOfVersion(trx, { examId: task.examId, version: task.from }, 0, 1);
      if (one !== undefined) await restTask(trx, task, 1);
      else if (!(await anyLeadsTo(trx, task)) && (await countOpen(trx, task.examId, task.from)) === 0) {
        await endTask(trx, task);
        await wakeTasks(trx, [{ examId: task.examId, version: task.to }]);
      }
    });
  }

  return {
    name: 'exam: re-score corrected records',
    every: 1000,
    run: async (now) => {
      // Asked anew after each: what it moved may wait for a later correction.
      const done = new Set<string>();
      tasks.nextRun();
      records.nextRun();
      for (;;) {
        const isNext = (name: string) => !done.has(name) && !tasks.has(name);
        const task = (await waitingTasks(db.query)).find((waiting) => isNext(nameOf(waiting)));
        if (task === undefined) break;
        done.add(nameOf(task));
        await tasks.work([nameOf(task)], () => doTask(task, now));
      }
      await endCorrections(db, now);
    },
  };
}

const nameOf = ({ correctionId, examId, from }: RescoreTask) => `${correctionId} ${examId} ${from}`;

/** @returns how many of them have to wait for their student */
async function rescoreSome(
  parts: ExamParts,
  writeRescored: WriteRescored,
  trx: Trx,
  task: RescoreTask,
  ids: readonly number[],
  now: number,
): Promise<number> {
  const { records, hiddenOf } = parts;
  const { questionIds, examId } = task;
  const locked = (await records.lock(trx, ids)).filter(
    (record) => record.examId === examId && record.version === task.from && record.submittedAt !== null,
  );
  const hidden = await hiddenOf(
    trx,
    locked.map((record) => record.userId),
  );
  const moving = locked.filter(({ userId }) => !mustWait({ open: false, hidden: hidden.get(userId) }, questionIds));
  if (moving.length === 0) return locked.length;
  await rescoreAll(parts, writeRescored, trx, task, moving, now);
  await wakeTasks(trx, [{ examId, version: task.to }]);
  return locked.length - moving.length;
}

/** Moves records, which the transaction holds, to the version of a correction: grades, statistics, wrong list, history, notices. */
export async function rescoreAll(
  { answers, readContent, writeStatistics, random }: ExamParts,
  writeRescored: WriteRescored,
  trx: Trx,
  task: RescoreTask,
  moving: readonly ExamRecord[],
  now: number,
): Promise<void> {
  const { questionIds, examId } = task;
  const [was, is] = [await readContent(trx, examId, task.from), await readContent(trx, examId, task.to)];
  const examName = await findNameOfVersion(trx, examId, task.from);
  const graded = await readGraded(
    trx,
    moving.map(({ id }) => id),
  );
  const counted = await readAllCounted(
    trx,
    moving.map(({ id }) => id),
  );
  const given = await answers.read(
    trx,
    moving.flatMap(({ id: recordId }) => questionIds.map((questionId) => ({ recordId, questionId }))),
  );
  const statistics = new StatisticChanges(await readTeacherIds(trx));
  const moved: Rescored[] = [];
  const changes: Rescore[] = [];
  const told: Notice[] = [];
  for (const record of moving) {
    const verdicts = graded.get(record.id) ?? new Map<number, Graded>();
    const own = counted.get(record.id);
    const answerOf = (questionId: number) => given.get(record.id, questionId) ?? null;
    const changed = rescoreRecord({ record, was, is, questionIds, verdicts, own }, answerOf, statistics, now);
    moved.push({ recordId: record.id, version: task.to, graded: verdicts });
    if (changed === null || !isFelt(changed, task)) continue;
    changes.push(changed);
    told.push(noticeOf(record, task, changed, examName));
  }
  await writeRescored(trx, moved);
  await writeStatistics(trx, statistics);
  await saveRescores(trx, task, changes, now);
  await saveNotices(trx, random, now, told);
}

const totalOf = (content: Content) => addPoints(content.questions.map(({ score }) => score));

interface Regrading {
  record: ExamRecord;
  was: Content;
  is: Content;
  verdicts: Map<number, Graded>;
}

/** Grades questions of one record anew, in `verdicts`; null: the record has none of them. */
function rescoreRecord(
  {
    questionIds,
    own,
    ...regrading
  }: Regrading & { questionIds: readonly number[]; own: ReadonlyMap<number, Counted> | undefined },
  answerOf: (questionId: number) => Given | null,
  statistics: StatisticChanges,
  at: number,
): Rescore | null {
  const { record, was, is, verdicts } = regrading;
  const scoreBefore = tally(verdicts.values()).score;
  const [before, after] = [new Map<number, Graded>(), new Map<number, Graded>()];
  for (const questionId of questionIds) {
    const asked = { ...regrading, questionId, own: own?.get(questionId) };
    const changed = rescoreQuestion(asked, answerOf(questionId), statistics, at);
    if (changed === null) continue;
    before.set(questionId, changed.before);
    after.set(questionId, changed.after);
  }
  if (before.size === 0) return null;
  return {
    recordId: record.id,
    from: was.version,
    scoreBefore,
    scoreAfter: tally(verdicts.values()).score,
    totalBefore: totalOf(was),
    totalAfter: totalOf(is),
    before,
    after,
  };
}

type Given = { answer: string | null; guess: 0 | 1 };

/** Grades one question of a record anew, in `verdicts`; null: the record does not have it. */
function rescoreQuestion(
  { record, was, is, questionId, verdicts, own }: Regrading & { questionId: number; own: Counted | undefined },
  answer: Given | null,
  statistics: StatisticChanges,
  at: number,
): { before: Graded; after: Graded } | null {
  const [before, question, old] = [verdicts.get(questionId), is.byId.get(questionId), was.byId.get(questionId)];
  if (!before || !question || !old) return null;
  const after = regraded(question, { before, was: old, answer: answer?.answer ?? null, share: is.partial });
  verdicts.set(questionId, after);
  statistics.rekeyAnswer(
    record,
    { question: old, state: before.state },
    { question, state: after.state },
    { guess: answer?.guess === 1, at },
  );
  if (own) {
    statistics.study.result(record, old, before, own, -1);
    statistics.study.result(record, question, after, own, 1);
  }
  if (record.closed !== 'unanswered') {
    // Pending points count nowhere until their student has scored them.
    const [earnedBefore, totalBefore] = before.state === 4 ? [0, 0] : [before.earned ?? 0, old.score];
    const [earned, total] = after.state === 4 ? [0, 0] : [after.earned ?? 0, question.score];
    const points = [addPoints([earned, -earnedBefore]), addPoints([total, -totalBefore])] as const;
    if (points[0] !== 0 || points[1] !== 0) statistics.countPoints(record, questionId, ...points);
  }
  return { before, after };
}

/**
 * Whether a re-scoring is any matter to its student. Of another rule for partly right answers the score alone is: that an answer without points is
 * partly right now, or wrong, changes nothing that was told.
 */
function isFelt(
  { before, after, scoreBefore, scoreAfter, totalBefore, totalAfter }: Rescore,
  { ofRule }: Pick<RescoreTask, 'ofRule'>,
): boolean {
  if (scoreBefore !== scoreAfter || totalBefore !== totalAfter) return true;
  return !ofRule && [...after].some(([questionId, { state }]) => before.get(questionId)?.state !== state);
}

function noticeOf(
  { id: recordId, userId }: ExamRecord,
  { correctionId, reason, ofRule }: RescoreTask,
  { scoreBefore, scoreAfter, totalAfter }: Rescore,
  examName: string,
): Notice {
  // A score hangs on every question of its record: it is not told while any scored exam is open.
  const about = { userId, recordId, questionId: 0, event: `rescored:${correctionId}:${recordId}` };
  if (ofRule)
    return { ...about, kind: 'ruleCorrected', words: { examName, before: scoreBefore, after: scoreAfter, reason } };
  return scoreBefore === scoreAfter
    ? { ...about, kind: 'keyCorrected', words: { examName, score: scoreAfter, total: totalAfter, reason } }
    : { ...about, kind: 'rescored', words: { examName, before: scoreBefore, after: scoreAfter, reason } };
}
