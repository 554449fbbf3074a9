import type { Why } from '#contract/envelope.ts';
import { endOf, isOverdue } from '#rules/exam/attempt.ts';
import { makeLayout } from '#rules/exam/shuffle.ts';
import { grouped } from '#server/db/group.ts';
import type { Db, Trx } from '#server/db/open.ts';
import type { Random } from '#server/user/session.ts';
import type { ClosedRecord, CloseRecords } from '../grading/close-records.ts';
import type { Content, ReadContent } from '../paper/content.ts';
import type { Records } from '../record/store.ts';
import { type NewRecord, type StartableExam, type StartStore, startStore } from './test-start-store.ts';

export interface Start {
  userId: number;
  examId: number;
  windowId?: string | undefined;
  arrivedAt: number;
}

/** `closed` names a record that had run out unnoticed and was closed before the new one began. */
type Started =
  | { ok: true; recordId: number; resumed: boolean; tookOver: boolean; closed: ClosedRecord | null }
  | { ok: false; why: Why };

interface Around {
  db: Db;
  random: Random;
  records: Records;
  readContent: ReadContent;
  closeRecords: CloseRecords;
}

const pairKey = (one: { userId: number; examId: number }) => `${one.userId}:${one.examId}`;

/**
 * Makes the starter: starts a record or resumes the open one, and makes the calling window its owner. Starts of one
 * moment share one transaction, so that a whole year group can begin in the same second. The unique index on open
 * records decides races between processes: whoever comes second resumes (incidents: infomark PR 26, a-plus #301).
 */
export function starter(around: Around): (start: Start) => Promise<Started> {
  const store = startStore(around.db);
  return grouped<Start, Started>(around.db, (trx, starts) => startAll(around, store, trx, starts), 200);
}

async function startAll(around: Around, store: StartStore, trx: Trx, starts: readonly Start[]): Promise<Started[]> {
  const found = await store.readExams(trx, [...new Set(starts.map((start) => start.examId))]);
  const exams = new Map(found.map((exam) => [exam.id, exam]));
  const userIds = [...new Set(starts.map((start) => start.userId))];
  const enrolments = await store.readEnrolments(trx, userIds, [...new Set(found.map((exam) => exam.packId))]);
  const enrolled = new Set(enrolments.map((one) => `${one.userId}:${one.packId}`));
  const outputs = starts.map((start): Started | null => {
    const exam = exams.get(start.examId);
    if (!exam) return { ok: false, why: 'notFound' };
    if (enrolled.has(`${start.userId}:${exam.packId}`)) return null;
    return { ok: false, why: exam.archived ? 'notFound' : 'notEnrolled' };
  });
  const asked = new Map<string, Start>();
  starts.forEach((start, at) => {
    if (outputs[at] === null) asked.set(pairKey(start), start);
  });

  // What is open already; what ran out is closed first, with what was saved, and not before the sweeper would.
  const open = new Map((await around.records.lockOpen(trx, [...asked.values()])).map((row) => [pairKey(row), row]));
  const over = [...open.values()].filter(
    (row) => exams.get(row.examId)?.archived === false && isOverdue(row, asked.get(pairKey(row))?.arrivedAt ?? 0),
  );
  const closedNow = await around.closeRecords(
    trx,
    over.map((record) => ({ record, now: asked.get(pairKey(record))?.arrivedAt ?? 0 })),
  );
  const closed = new Map(closedNow.map((one) => [pairKey(one.record), one]));
  for (const key of closed.keys()) open.delete(key);

  const recordIds = new Map([...open].map(([key, row]) => [key, { id: row.id, resumed: true }]));
  const fresh = [...asked.values()].filter((start) => !open.has(pairKey(start)));
  const refused = await insertFresh(around, store, trx, fresh, exams, recordIds);
  for (const start of asked.values()) {
    // The window that started or resumed last is the one that may save (decisions §3 "Two tabs or two devices").
    const known = recordIds.get(pairKey(start));
    if (known?.resumed) await store.takeWindow(trx, known.id, start.windowId ?? null);
  }
  await noteStudied(store, trx, [...asked.values()], exams);

  const begun = new Set<string>();
  return starts.map((start, at) => {
    const output = outputs[at];
    if (output) return output;
    const key = pairKey(start);
    const why = refused.get(key);
    const begunNow = recordIds.get(key);
    if (why || !begunNow) return { ok: false, why: why ?? 'notFound' };
    // Of two starts in one group the first begins, the second resumes.
    const resumed = begunNow.resumed || begun.has(key);
    begun.add(key);
    return {
      ok: true,
      recordId: begunNow.id,
      resumed,
      tookOver: resumed,
      closed: resumed ? null : (closed.get(key) ?? null),
    };
  });
}

/** Inserts new records; those that another process began at this moment are resumed. @returns who is refused, by pair */
async function insertFresh(
  { readContent, random, records }: Around,
  store: StartStore,
  trx: Trx,
  fresh: readonly Start[],
  exams: ReadonlyMap<number, StartableExam>,
  recordIds: Map<string, { id: number; resumed: boolean }>,
): Promise<Map<string, Why>> {
  const refused = new Map<string, Why>();
  const rows: NewRecord[] = [];
  for (const start of fresh) {
    const exam = exams.get(start.examId);
    if (!exam || exam.archived) {
      refused.set(pairKey(start), 'notFound');
      continue;
    }
    const content = await readContent(trx, exam.id, exam.version);
    if (content.questions.length === 0) {
      refused.set(pairKey(start), 'noQuestions');
      continue;
    }
    rows.push({
      userId: start.userId,
      examId: exam.id,
      packId: exam.packId,
      startedAt: start.arrivedAt,
      endsAt: endOf(start.arrivedAt, exam.examTime),
      windowId: start.windowId ?? null,
      layout: freshLayout(exam, content, random),
    });
  }
  for (const { id, userId, examId } of await store.insert(trx, rows)) {
    recordIds.set(pairKey({ userId, examId }), { id, resumed: false });
  }
  const raced = fresh.filter((start) => !recordIds.has(pairKey(start)) && !refused.has(pairKey(start)));
  for (const row of await records.lockOpen(trx, raced)) recordIds.set(pairKey(row), { id: row.id, resumed: true });
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
      section.questionIds.map((id) => content.byId.get(id)).filter((one) => one !== undefined),
    ),
    content.questions.filter((one) => !placed.has(one.questionId)),
  ];
}

async function noteStudied(
  store: StartStore,
  trx: Trx,
  starts: readonly Start[],
  exams: ReadonlyMap<number, StartableExam>,
): Promise<void> {
  const byPack = new Map<number, Set<number>>();
  let now = 0;
  for (const start of starts) {
    const packId = exams.get(start.examId)?.packId;
    if (packId === undefined) continue;
    const users = byPack.get(packId) ?? new Set();
    byPack.set(packId, users.add(start.userId));
    now = Math.max(now, start.arrivedAt);
  }
  // In one order everywhere, so that two processes cannot wait for each other.
  for (const [packId, users] of [...byPack].sort(([a], [b]) => a - b)) {
    await store.noteStudied(
      trx,
      packId,
      [...users].sort((a, b) => a - b),
      now,
    );
  }
}
