import type { DataOf } from '#contract/call.ts';
import type { ExamCache } from '#contract/exam.ts';
import { timeLeft } from '#rules/exam/attempt.ts';
import { mayReveal } from '#rules/exam/reveal.ts';
import { type Graded, gradeAnswer } from '#rules/exam/scoring.ts';
import { type ContentQuestion, ownAnswer } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import type { AnswerView } from '../record/answer-store.ts';
import { lastReason } from '../record/given-time-store.ts';
import { recordState } from '../record/state.ts';

/** What the server stores of a record and its answers, for a window that opens or reopens it. */
type RecordSnapshot = DataOf<typeof ExamCache>;

/** Reads the snapshot of a record; null when there is none or it is another's. `now` is server time. */
export async function readSnapshot(
  { db, records, answers, readContent, gradesFor }: ExamParts,
  asked: { userId: number; recordId: number; windowId?: string | undefined; now: number },
): Promise<RecordSnapshot | null> {
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return null;
  const stored = await answers.readRecord(db.query, record.id);
  const content = await readContent(db.query, record.examId, record.version);
  const layout = await records.layout(db.query, record);
  // Nothing derived from correctness before grading: open, only questions whose key was shown have a verdict.
  const closed = record.submittedAt !== null;
  const grades = gradesFor(db.query, asked.userId);
  const verdicts = closed ? await grades.verdicts(record) : null;
  const tells = stored.some((answer) => answer.shownAt !== null);
  const hidden = tells || closed ? await grades.hidden() : new Set<number>();
  const gradedOf = (question: ContentQuestion, { answer, shownAt }: AnswerView): Graded | undefined => {
    if (verdicts) return verdicts.get(question.questionId);
    if (hidden.has(question.questionId)) return undefined;
    return shownAt === null ? undefined : gradeAnswer(question, answer, content.partial);
  };
  return {
    ...recordState(record),
    now: asked.now,
    remaining: closed ? 0 : timeLeft(record, asked.now),
    mayReveal: mayReveal(record),
    extraReason: await lastReason(db.query, record),
    ownsWindow: !closed && record.windowId === (asked.windowId ?? null),
    lastSeq: stored.reduce((highest, answer) => Math.max(highest, answer.seq), 0),
    savedAt: stored.reduce<number | null>(
      (newest, { answer, savedAt }) => (answer === null ? newest : Math.max(newest ?? 0, savedAt)),
      null,
    ),
    place: record.place,
    answers: stored.flatMap((answer) => {
      const question = content.byId.get(answer.questionId);
      if (!question) return [];
      const verdict = gradedOf(question, answer);
      return {
        questionId: answer.questionId,
        answer: ownAnswer(layout, question, answer.answer ?? '', closed && hidden.has(question.questionId)),
        seq: answer.seq,
        flag: answer.flag,
        guess: answer.guess,
        showAnswerFlag: answer.shownAt === null ? 0 : 1,
        state: verdict?.state ?? 0,
        isSubmit: closed || answer.shownAt !== null ? 1 : 0,
        myScore: verdict?.earned ?? null,
        judgeFlag: verdict?.judgeFlag ?? null,
      };
    }),
  };
}
