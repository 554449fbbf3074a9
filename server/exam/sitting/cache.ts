import type { DataOf } from '#contract/call.ts';
import { type ExamCache, ExamDetails } from '#contract/exam.ts';
import { timeLeft } from '#rules/exam/attempt.ts';
import { mayReveal } from '#rules/exam/reveal.ts';
import { type Graded, gradeAnswer } from '#rules/exam/scoring.ts';
import { type Layout, toShown } from '#rules/exam/shuffle.ts';
import type { Db } from '#server/db/open.ts';
import type { ReadyJson } from '#server/http/answer.ts';
import { jsonOf } from '#server/http/serialize.ts';
import { asShown, type Content, inOrder, permutationOf, sectionsInOrder } from '../paper/content.ts';
import type { Desk } from '../parts.ts';
import { findRecord, readAnswers, readGraded, readInOpenExam, recordOut } from '../record/visible-result.ts';

type Details = DataOf<typeof ExamDetails>;
type Cache = DataOf<typeof ExamCache>;

/**
 * Makes the reader of a record's paper. Whoever sees the paper in its own order gets the same bytes, so these are made
 * once for each version of a paper; only the record's id differs.
 */
export function detailsReader(
  db: Db,
  desk: Desk,
): (asked: { userId: number; recordId: number }) => Promise<ReadyJson | null> {
  const serialize = jsonOf<Details>(ExamDetails.data);
  const head = '{"recordId":0,';
  const rests = new WeakMap<Content, Buffer>();

  /** All of the answer but its beginning, where the record is named. */
  function restOf(content: Content, layout: Layout | null): Buffer {
    const json = serialize({
      recordId: 0,
      sections: sectionsInOrder(content, layout),
      questions: inOrder(content, layout).map((question) => asShown(question, layout)),
      cases: [...content.cases],
    });
    if (!json.startsWith(head)) throw new Error('details do not begin with their record');
    return Buffer.from(json.slice(head.length));
  }

  return async ({ userId, recordId }) => {
    const record = await desk.records.find(recordId);
    if (!record || record.userId !== userId) return null;
    const content = await desk.readContent(db.query, record.examId, record.version);
    const layout = await desk.records.layout(db.query, record);
    let rest = layout === null ? rests.get(content) : undefined;
    if (rest === undefined) {
      rest = restOf(content, layout);
      if (layout === null) rests.set(content, rest);
    }
    return { json: [Buffer.from(`{"recordId":${recordId},`), rest] };
  };
}

/** What a record holds, for a window that opens or reopens it. `now` is server time. */
export async function cacheOf(
  db: Db,
  desk: Desk,
  asked: { userId: number; recordId: number; windowId?: string | undefined; now: number },
): Promise<Cache | null> {
  const record = await findRecord(db, asked.userId, asked.recordId);
  if (!record) return null;
  const answers = await readAnswers(db.query, asked.recordId);
  const content = await desk.readContent(db.query, record.examId, record.version);
  const layout = await desk.records.layout(db.query, { id: record.recordId, shuffled: record.shuffled });
  // Nothing derived from correctness before grading: open, only questions whose key was shown have a state.
  const closed = record.submittedAt !== null;
  const graded = closed ? (await readGraded(db.query, [record.recordId])).get(record.recordId) : undefined;
  const tells = closed || answers.some((one) => one.shownAt !== null);
  const inOpenExam = tells ? await readInOpenExam(db.query, asked.userId) : new Map<number, number>();
  const stateOf = (questionId: number, answer: string | null, shownAt: number | null): Graded['state'] => {
    if (inOpenExam.has(questionId)) return 0;
    if (closed) return graded?.get(questionId)?.state ?? 0;
    const question = content.byId.get(questionId);
    return question && shownAt !== null ? gradeAnswer(question, answer, content.partial).state : 0;
  };
  return {
    ...recordOut(record),
    now: asked.now,
    remaining: closed ? 0 : timeLeft(record, asked.now),
    mayReveal: mayReveal(record),
    ownsWindow: !closed && record.windowId === (asked.windowId ?? null),
    lastSeq: answers.reduce((most, one) => Math.max(most, one.seq), 0),
    totalTime: answers.reduce((most, one) => Math.max(most, one.totalTime), record.totalTime),
    answers: answers.flatMap((one) => {
      const question = content.byId.get(one.questionId);
      if (!question) return [];
      const permutation = question.letters === '' ? undefined : permutationOf(layout, question);
      return {
        questionId: one.questionId,
        answer: toShown(one.answer ?? '', permutation),
        seq: one.seq,
        flag: one.flag,
        showAnswerFlag: one.shownAt === null ? 0 : 1,
        state: stateOf(one.questionId, one.answer, one.shownAt),
      };
    }),
  };
}
