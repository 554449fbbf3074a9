import type { Why } from '#contract/envelope.ts';
import { STARTS } from '#contract/values/exam.ts';
import type { Access } from '#rules/course/access.ts';
import { accommodationIn, minutesAdded } from '#rules/exam/accommodation.ts';
import { endOf, isOverdue } from '#rules/exam/attempt.ts';
import { mayRetake, retakeState } from '#rules/exam/retake.ts';
import { addPoints } from '#rules/exam/scoring.ts';
import { makeLayout } from '#rules/exam/shuffle.ts';
import { allowsOneMore } from '#rules/user/limits.ts';
import { grouped, HELD } from '#server/db/group.ts';
import type { Trx } from '#server/db/open.ts';
import type { Random } from '#server/parts.ts';
import type { ClosedRecord } from '../grading/close-records.ts';
import { PairMap } from '../pair-map.ts';
import type { Content } from '../paper/content.ts';
import { keepOwnTotal } from '../paper/own-paper-store.ts';
import { tellsWhatIsSat } from '../paper/save-own-paper.ts';
import type { ExamParts } from '../parts.ts';
import type { ExamRecord } from '../record/store.ts';
import { type NewRecord, type StartableExam, type StartStore, startStore } from './test-start-store.ts';

interface Start {
  userId: number;
  examId: number;
  windowId?: string | undefined;
  arrivedAt: number;
}

/** `closed` names a record that had run out unnoticed and was closed before the new one began. */
type Started =
  | { ok: true; recordId: number; resumed: boolean; tookOver: boolean; closed: ClosedRecord | null }
  | { ok: false; why: Why };

/** An exam, and what a student may do with it. */
interface ExamAccess {
  exam: StartableExam;
  mayBegin: Access;
  mayGoOn: Access;
}

/** The record that a student now has open of an exam. */
interface OpenRecord {
  id: number;
  resumed: boolean;
}

/**
 * Makes the starter: starts a record or resumes the open one, and makes the calling window its owner. Starts of one
 * moment share one transaction, so that a whole year group can begin in the same second. The unique index on open
 * records decides races between processes: whoever comes second resumes (incidents: infomark PR 26, a-plus #301).
 */
export function starter(parts: ExamParts): (start: Start) => Promise<Started> {
  const store = startStore(parts.db);
  return grouped<Start, Started>(
    parts.db,
    ({ userId }) => userId,
    (trx, starts) => startAll(parts, store, trx, starts),
    { most: 200 },
  );
}

async function startAll(
  parts: ExamParts,
  store: StartStore,
  trx: Trx,
  starts: readonly Start[],
): Promise<(Started | typeof HELD)[]> {
  const found = await store.readExams(trx, [...new Set(starts.map((start) => start.examId))]);
  const byId = new Map(found.map((exam) => [exam.id, exam]));
  const asks = starts.flatMap(({ userId, examId }) => {
    const exam = byId.get(examId);
    return exam && (exam.ownerId === null || exam.ownerId === userId)
      ? [{ userId, packId: exam.packId, archived: exam.archived, exam }]
      : [];
  });
  const exams = new PairMap<ExamAccess>();
  for (const { ask, open, goOn } of await parts.access.askAll(trx, asks)) {
    exams.set(ask.userId, ask.exam.id, { exam: ask.exam, mayBegin: open, mayGoOn: goOn });
  }
  const outputs = starts.map(({ userId, examId }): Started | null => {
    const access = exams.get(userId, examId)?.mayGoOn ?? { ok: false, why: 'notFound' };
    return access.ok ? null : access;
  });
  // By student and exam, as all maps below: of two starts of one exam the later window takes it.
  const askedFor = new PairMap<Start>();
  starts.forEach((start, at) => {
    if (outputs[at] === null) askedFor.set(start.userId, start.examId, start);
  });
  const asked = askedFor.values();

  // What is open already; what ran out is closed first, with what was saved, and not before the sweeper would.
  const open = new PairMap<OpenRecord>();
  const over: { record: ExamRecord; now: number }[] = [];
  /** Asked when the first record seems to be over: while the time is in doubt, what seems so is resumed. */
  let sureTime: number | null | undefined;
  for (const record of await parts.records.lockOpen(trx, asked)) {
    const { userId, examId } = record;
    const now = askedFor.get(userId, examId)?.arrivedAt ?? 0;
    const access = exams.get(userId, examId);
    const seemsOver = access?.mayBegin.ok && !access.exam.held && isOverdue(record, now);
    if (seemsOver && sureTime === undefined) sureTime = await parts.sureTime(trx);
    if (seemsOver && sureTime != null && isOverdue(record, sureTime)) over.push({ record, now });
    else open.set(userId, examId, { id: record.id, resumed: true });
  }
  const closed = new PairMap<ClosedRecord>();
  for (const ended of await parts.closeRecords(trx, over)) closed.set(ended.record.userId, ended.record.examId, ended);

  const fresh = asked.filter((start) => !open.has(start.userId, start.examId));
  const refused = await insertFresh(parts, store, trx, fresh, exams, open);
  for (const { userId, examId, windowId } of asked) {
    // The window that started or resumed last is the one that may save (decisions §3 "Two tabs or two devices").
    const record = open.get(userId, examId);
    if (record?.resumed) await parts.records.takeWindow(trx, userId, record.id, windowId ?? null);
  }
  await parts.enrolments.noteStudied(
    trx,
    asked.flatMap(({ userId, examId }) => {
      const access = exams.get(userId, examId);
      return access ? { userId, packId: access.exam.packId } : [];
    }),
    asked.reduce((latest, start) => Math.max(latest, start.arrivedAt), 0),
  );

  const begun = new PairMap<true>();
  return starts.map((start, at): Started | typeof HELD => {
    const output = outputs[at];
    if (output) return output;
    const { userId, examId } = start;
    const why = refused.get(userId, examId);
    const record = open.get(userId, examId);
    if (why) return { ok: false, why };
    // Another transaction holds it, which is open since none could be inserted, or its exam.
    if (!record) return HELD;
    // Of two starts in one group the first begins, the second resumes.
    const resumed = record.resumed || begun.has(userId, examId);
    begun.set(userId, examId, true);
    return {
      ok: true,
      recordId: record.id,
      resumed,
      tookOver: resumed,
      closed: resumed ? null : (closed.get(userId, examId) ?? null),
    };
  });
}

/**
 * Inserts new records into `open`; those that another process began at this moment, or held, are resumed.
 * @returns why a start is refused, by student and exam
 */
async function insertFresh(
  parts: ExamParts,
  store: StartStore,
  trx: Trx,
  fresh: readonly Start[],
  exams: PairMap<ExamAccess>,
  open: PairMap<OpenRecord>,
): Promise<PairMap<Why>> {
  const { readContent, random, records, accommodations } = parts;
  const refused = new PairMap<Why>();
  const rows: NewRecord[] = [];
  const before = await store.attempts(trx, fresh);
  // Counted in what is stored, so that it holds over all servers; of starts in this very group it counts none.
  const startsBefore = await store.readStarts(trx, [...new Set(fresh.map(({ userId }) => userId))]);
  const timed = fresh.filter(({ userId, examId }) => exams.get(userId, examId)?.exam.examTime != null);
  const granted = await accommodations.inForce(trx, [...new Set(timed.map(({ userId }) => userId))]);
  for (const { userId, examId, windowId = null, arrivedAt } of fresh) {
    const access = exams.get(userId, examId);
    if (!access) continue;
    const { exam, mayBegin } = access;
    const attempts = before.get(userId, examId) ?? { taken: 0, lastClosedAt: null, anyOpen: false };
    // Open, but a save holds it or another process began it just now: it is resumed, and no rule of beginning refuses that.
    if (attempts.anyOpen) continue;
    if (!mayBegin.ok) {
      refused.set(userId, examId, mayBegin.why);
      continue;
    }
    // A new record has to wait for the correction, to begin with what it says.
    if (exam.held) continue;
    const may = mayRetake(retakeState(exam.retake, attempts), arrivedAt);
    if (!may.ok) {
      refused.set(userId, examId, may.why);
      continue;
    }
    const started = allowsOneMore(STARTS, startsBefore.get(userId) ?? [], arrivedAt);
    if (!started.ok) {
      refused.set(userId, examId, started.why);
      continue;
    }
    if (exam.ownerId !== null && (await tellsWhatIsSat(parts, trx, { userId, examId }))) {
      refused.set(userId, examId, 'madeBeforeExam');
      continue;
    }
    const content = await readContent(trx, examId, exam.version);
    if (content.questions.length === 0) {
      refused.set(userId, examId, 'noQuestions');
      continue;
    }
    const totalScore = addPoints(content.questions.map(({ score }) => score));
    // Its list never changes, but a question of it may count for nothing by now.
    if (exam.ownerId !== null && totalScore !== exam.totalScore)
      await keepOwnTotal(trx, { examId, version: exam.version, totalScore });
    const own = accommodationIn(granted.get(userId) ?? [], exam.packId);
    const added = minutesAdded(exam.examTime, own);
    rows.push({
      userId,
      examId,
      packId: exam.packId,
      startedAt: arrivedAt,
      endsAt: endOf(arrivedAt, exam.examTime === null ? null : exam.examTime + added),
      accommodation: added,
      windowId,
      layout: freshLayout(exam, content, random),
      version: exam.version,
      attempt: attempts.taken + 1,
    });
  }
  for (const { id, userId, examId } of await store.insert(trx, rows)) {
    open.set(userId, examId, { id, resumed: false });
  }
  const raced = fresh.filter(({ userId, examId }) => !open.has(userId, examId) && !refused.has(userId, examId));
  for (const { id, userId, examId } of await records.lockOpen(trx, raced)) {
    open.set(userId, examId, { id, resumed: true });
  }
  return refused;
}

/** The layout of a new record, as it is stored; null when the exam shuffles nothing. */
function freshLayout({ shuffle }: StartableExam, content: Content, random: Random): string | null {
  if (!shuffle.questions && !shuffle.options) return null;
  return JSON.stringify(makeLayout(shuffleSections(content), shuffle, random(4).readUInt32LE()));
}

/** Questions by section for shuffling; those in no section follow as one. */
function shuffleSections(content: Content): Content['questions'][] {
  const placed = new Set(content.sections.flatMap((section) => section.questionIds));
  return [
    ...content.sections.map((section) =>
      section.questionIds.map((id) => content.byId.get(id)).filter((question) => question !== undefined),
    ),
    content.questions.filter((question) => !placed.has(question.questionId)),
  ];
}
