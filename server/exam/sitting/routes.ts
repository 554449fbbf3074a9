import {
  ExamCache,
  ExamDetails,
  FlagQuestion,
  GuessQuestion,
  NoteTimeSpent,
  ReciteExam,
  SaveQuestion,
  ShowAnswer,
  StartExam,
  SubmitExam,
  TakeOver,
} from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import { textsOf } from '../paper/question-texts.ts';
import type { ExamParts } from '../parts.ts';
import { recordState } from '../record/state.ts';
import { readSnapshot } from './cache.ts';
import { detailsReader } from './details.ts';
import { markSaver } from './mark.ts';
import { recite } from './recite.ts';
import { answerSaver } from './save-question.ts';
import { showAnswer } from './show-answer.ts';
import { handInTaker } from './submit.ts';
import { takeOver } from './take-over.ts';
import { starter } from './test-start.ts';
import { noteTimeSpent } from './time-spent.ts';
import { announceClosed, announceTakeOver, serveWatch } from './watch.ts';

/** Binds the calls of sitting an exam, from its start to its hand-in. */
export function sittingRoutes(serve: Serve, serveSocket: ServeSocket, exam: ExamParts): void {
  const { bus, records } = exam;
  const start = starter(exam);
  const details = detailsReader(exam);
  const save = answerSaver(exam);
  const flag = markSaver(exam, 'flag');
  const guess = markSaver(exam, 'guess');
  const handIn = handInTaker(exam);

  serve(StartExam, async ({ input: { examId, windowId }, user: { userId }, arrivedAt }) => {
    const started = await start({ userId, examId, windowId, arrivedAt });
    if (!started.ok) return refuse(started.why);
    if (started.closed) await announceClosed(bus, [started.closed]);
    if (started.tookOver) await announceTakeOver(bus, started.recordId, windowId ?? null);
    const record = await records.find(userId, started.recordId);
    if (!record) return refuse('notFound');
    // Not waited for, and where it fails the details say so.
    details.prepare(examId, record.version).catch(() => undefined);
    return { ...recordState(record), resumed: started.resumed };
  });
  serve(TakeOver, async ({ input, user }) => {
    const taken = await takeOver(exam, { ...input, userId: user.userId });
    return taken.ok ? {} : refuse(taken.why);
  });
  serve(NoteTimeSpent, async ({ input, user, arrivedAt }) => {
    const noted = await noteTimeSpent(exam, { ...input, userId: user.userId, arrivedAt });
    return noted.ok ? { totalTime: noted.totalTime } : refuse(noted.why);
  });
  serve(
    ExamDetails,
    async ({ input, user }) => (await details.read({ ...input, userId: user.userId })) ?? refuse('notFound'),
  );
  serve(ExamCache, async ({ input, user, arrivedAt }) => {
    const snapshot = await readSnapshot(exam, { ...input, userId: user.userId, now: arrivedAt });
    return snapshot ?? refuse('notFound');
  });
  serve(SaveQuestion, async ({ input, user, arrivedAt }) => {
    const saved = await save({ ...input, totalTime: seconds(input.totalTime), userId: user.userId, arrivedAt });
    return saved.ok
      ? saved
      : refuse(saved.why, saved.why === 'badInput' || saved.why === 'seqTaken' ? 'seq' : undefined);
  });
  serve(FlagQuestion, async ({ input, user, arrivedAt }) => {
    const marked = await flag({ ...input, value: yesNo(input.flag), userId: user.userId, arrivedAt });
    return marked.ok ? { flag: marked.value } : refuse(marked.why);
  });
  serve(GuessQuestion, async ({ input, user, arrivedAt }) => {
    const marked = await guess({ ...input, value: yesNo(input.guess), userId: user.userId, arrivedAt });
    return marked.ok ? { guess: marked.value } : refuse(marked.why);
  });
  serve(ShowAnswer, async ({ input, user, arrivedAt }) => {
    const shown = await showAnswer(exam, { ...input, userId: user.userId, now: arrivedAt });
    if (!shown.ok) return refuse(shown.why);
    const { question, state } = shown;
    const { formulas } = await exam.setFormulas(textsOf([question]));
    return { question, state, showAnswerFlag: 1, formulas };
  });
  serve(ReciteExam, async ({ input, user }) => {
    const recited = await recite(exam, { ...input, userId: user.userId });
    if (!recited.ok) return refuse(recited.why);
    const { questions, hidden, formulas } = recited;
    return { questions, hidden, formulas };
  });
  serve(SubmitExam, async ({ input, user: { userId }, arrivedAt }) => {
    const done = await handIn({
      ...input,
      totalTime: seconds(input.totalTime),
      answers: input.answers ?? [],
      userId,
      arrivedAt,
    });
    if (!done.ok) return refuse(done.why, done.field, done.at);
    if (done.closedNow) await announceClosed(bus, [done.closedNow]);
    const record = await records.find(userId, input.recordId);
    const result = record && (await exam.gradesFor(exam.db.query, userId).result(record));
    return result ? { ...result, late: done.late } : refuse('notFound');
  });
  serveWatch(serveSocket, exam);
}

const yesNo = (sent: number | undefined) => (sent === undefined ? undefined : sent === 1 ? 1 : 0);

/** What is stored is in whole seconds; a client may count finer. */
const seconds = (sent: number | undefined) => (sent === undefined ? undefined : Math.floor(sent));
