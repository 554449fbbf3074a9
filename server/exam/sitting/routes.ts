import { ExamCache, ExamDetails, FlagQuestion, SaveQuestion, StartExam, SubmitExam, TakeOver } from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import type { ExamParts } from '../parts.ts';
import { recordState } from '../record/state.ts';
import { readResult } from '../record/visible-result.ts';
import { readSnapshot } from './cache.ts';
import { detailsReader } from './details.ts';
import { flagSaver } from './flag.ts';
import { answerSaver } from './save-question.ts';
import { handInTaker } from './submit.ts';
import { starter } from './test-start.ts';
import { announceClosed, announceTakeOver, serveWatch } from './watch.ts';

/** Binds the calls of sitting an exam, from its start to its hand-in. */
export function sittingRoutes(serve: Serve, serveSocket: ServeSocket, exam: ExamParts): void {
  const { db, bus, records } = exam;
  const start = starter(exam);
  const readDetails = detailsReader(exam);
  const save = answerSaver(exam);
  const flag = flagSaver(exam);
  const handIn = handInTaker(exam);

  serve(StartExam, async ({ input: { examId, windowId }, user: { userId }, arrivedAt }) => {
    const started = await start({ userId, examId, windowId, arrivedAt });
    if (!started.ok) return refuse(started.why);
    if (started.closed) await announceClosed(bus, [started.closed]);
    if (started.tookOver) await announceTakeOver(bus, started.recordId, windowId ?? null);
    const record = await records.find(userId, started.recordId);
    return record ? { ...recordState(record), resumed: started.resumed } : refuse('notFound');
  });
  serve(TakeOver, async ({ input: { recordId, windowId }, user: { userId } }) => {
    const record = await records.find(userId, recordId);
    if (!record) return refuse('notFound');
    if (!(await records.takeWindow(db.query, userId, recordId, windowId))) return refuse('alreadySubmitted');
    await announceTakeOver(bus, recordId, windowId);
    return {};
  });
  serve(
    ExamDetails,
    async ({ input, user }) => (await readDetails({ ...input, userId: user.userId })) ?? refuse('notFound'),
  );
  serve(ExamCache, async ({ input, user, arrivedAt }) => {
    const snapshot = await readSnapshot(exam, { ...input, userId: user.userId, now: arrivedAt });
    return snapshot ?? refuse('notFound');
  });
  serve(SaveQuestion, async ({ input, user, arrivedAt }) => {
    const saved = await save({ ...input, userId: user.userId, arrivedAt });
    return saved.ok ? saved : refuse(saved.why, saved.why === 'badInput' ? 'seq' : undefined);
  });
  serve(FlagQuestion, async ({ input, user, arrivedAt }) => {
    const flagged = input.flag === undefined ? undefined : input.flag === 1 ? 1 : 0;
    const marked = await flag({ ...input, flag: flagged, userId: user.userId, arrivedAt });
    return marked.ok ? marked : refuse(marked.why);
  });
  serve(SubmitExam, async ({ input, user: { userId }, arrivedAt }) => {
    const done = await handIn({ ...input, answers: input.answers ?? [], userId, arrivedAt });
    if (!done.ok) return refuse(done.why, done.field, done.at);
    if (done.closedNow) await announceClosed(bus, [done.closedNow]);
    const result = await readResult(exam, userId, input.recordId);
    return result ? { ...result, late: done.late } : refuse('notFound');
  });
  serveWatch(serveSocket, exam);
}
