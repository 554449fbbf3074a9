import {
  ChapterQuestions,
  ChapterTree,
  ExamCache,
  ExamDetails,
  ExamHistory,
  FlagQuestion,
  ListExams,
  ListExamYears,
  MyExams,
  ReciteExam,
  ResultTip,
  ReviewExam,
  SaveQuestion,
  ScoreSubjective,
  ShowAnswer,
  StartExam,
  SubmitExam,
  TakeOver,
  TestHistory,
} from '#contract/exam.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import type { Parts } from '#server/parts.ts';
import { chapterWithBelow, readTree } from './chapters.ts';
import { examDesk } from './desk.ts';
import { flagSaver } from './mark.ts';
import { resultTipOf, reviewOf } from './outcome.ts';
import { listPapers, listQuestions, listYears } from './papers.ts';
import { recite, scoreOwn, showAnswer } from './practice.ts';
import { answerSaver } from './save.ts';
import { cacheOf, detailsReader } from './sitting.ts';
import { starter } from './start.ts';
import {
  countRecords,
  figuresOf,
  findRecord,
  listRecords,
  packAccess,
  readInOpenExam,
  recordLines,
  recordOut,
  resultOut,
  takeWindow,
} from './store.ts';
import { handInTaker } from './submit.ts';
import { announceClosed, announceTakeOver, serveWatch } from './watch.ts';

/** Earlier records of one exam that the history shows. */
const HISTORY = 200;

/** Binds the calls of contract/exam.ts. */
export function examRoutes(serve: Serve, serveSocket: ServeSocket, parts: Parts): void {
  const desk = examDesk(parts);
  sittingRoutes(serve, parts, desk);
  revealRoutes(serve, parts, desk);
  findingRoutes(serve, parts);
  serveWatch(serveSocket, parts, desk.records);
}

type Desk = ReturnType<typeof examDesk>;

/** The result of a record as its student may see it now. */
async function resultFor({ db }: Parts, userId: number, recordId: number) {
  const record = await findRecord(db, userId, recordId);
  if (!record) return null;
  const figures = await figuresOf(db.query, [record], await readInOpenExam(db.query, userId));
  const own = figures.get(recordId);
  return own ? resultOut(record, own) : null;
}

function sittingRoutes(serve: Serve, parts: Parts, desk: Desk): void {
  const { db, bus, random } = parts;
  const start = starter({ db, random, ...desk });
  const save = answerSaver({ db, ...desk });
  const flag = flagSaver({ db, ...desk });
  const handIn = handInTaker({ db, ...desk });
  const readDetails = detailsReader(db, desk);

  serve(StartExam, async ({ input: { examId, windowId }, user, arrivedAt }) => {
    const started = await start({ userId: user.userId, examId, windowId, arrivedAt });
    if (!started.ok) return refuse(started.why);
    if (started.closed) await announceClosed(bus, [started.closed]);
    if (started.tookOver) await announceTakeOver(bus, started.recordId, windowId ?? null);
    const record = await findRecord(db, user.userId, started.recordId);
    return record ? { ...recordOut(record), resumed: started.resumed } : refuse('notFound');
  });
  serve(TakeOver, async ({ input: { recordId, windowId }, user }) => {
    const record = await findRecord(db, user.userId, recordId);
    if (!record) return refuse('notFound');
    if (!(await takeWindow(db.query, user.userId, recordId, windowId))) return refuse('alreadySubmitted');
    await announceTakeOver(bus, recordId, windowId);
    return {};
  });
  serve(
    ExamDetails,
    async ({ input, user }) => (await readDetails({ ...input, userId: user.userId })) ?? refuse('notFound'),
  );
  serve(ExamCache, async ({ input, user, arrivedAt }) => {
    const held = await cacheOf(db, desk, { ...input, userId: user.userId, now: arrivedAt });
    return held ?? refuse('notFound');
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
  serve(SubmitExam, async ({ input, user, arrivedAt }) => {
    const { userId } = user;
    const done = await handIn({ ...input, answers: input.answers ?? [], userId, arrivedAt });
    if (!done.ok) return refuse(done.why, done.field, done.at);
    if (done.closedNow) await announceClosed(bus, [done.closedNow]);
    const result = await resultFor(parts, userId, input.recordId);
    return result ? { ...result, late: done.late } : refuse('notFound');
  });
}

function revealRoutes(serve: Serve, parts: Parts, desk: Desk): void {
  const { db } = parts;
  serve(ShowAnswer, async ({ input, user, arrivedAt }) => {
    const shown = await showAnswer(db, desk, { ...input, userId: user.userId, now: arrivedAt });
    return shown.ok ? { question: shown.question, state: shown.state, showAnswerFlag: 1 } : refuse(shown.why);
  });
  serve(ReciteExam, async ({ input, user }) => {
    const recited = await recite(db, desk, { ...input, userId: user.userId });
    return recited.ok ? { questions: recited.questions, hidden: recited.hidden } : refuse(recited.why);
  });
  serve(ReviewExam, async ({ input, user }) => {
    const found = await reviewOf(db, desk, { ...input, userId: user.userId });
    return found.ok ? found.review : refuse(found.why);
  });
  serve(ResultTip, async ({ input, user }) => {
    const found = await resultTipOf(db, desk, { ...input, userId: user.userId });
    return found.ok ? found.tip : refuse(found.why);
  });
  serve(ScoreSubjective, async ({ input, user }) => {
    const judgeFlag = input.judgeFlag === undefined ? undefined : input.judgeFlag === 1 ? 1 : 2;
    const scored = await scoreOwn(db, desk, { ...input, judgeFlag, userId: user.userId });
    if (!scored.ok) return refuse(scored.why, scored.why === 'scoreOutOfRange' ? 'myScore' : undefined);
    return (await resultFor(parts, user.userId, input.recordId)) ?? refuse('notFound');
  });
}

function findingRoutes(serve: Serve, parts: Parts): void {
  const { db } = parts;
  serve(ChapterTree, async ({ input, user: { userId } }) => {
    const access = await packAccess(db.query, userId, input.packId);
    if (access !== 'ok') return refuse(access);
    const pack = await db.query.selectFrom('packs').select('name').where('id', '=', input.packId).executeTakeFirst();
    const courses = await readTree(db.query, { ...input, userId }, await readInOpenExam(db.query, userId));
    if (input.courseId !== undefined && courses.length === 0) return refuse('notFound');
    return { packName: pack?.name ?? '', courses };
  });
  serve(ChapterQuestions, async ({ input, user }) => {
    const access = await packAccess(db.query, user.userId, input.packId);
    if (access !== 'ok') return refuse(access);
    const chapterIds = await chapterWithBelow(db.query, input.packId, input.chapterId);
    if (!chapterIds) return refuse('notFound');
    const { pageNum, pageSize, questionTypesId } = input;
    const page = await listQuestions(db.query, {
      chapterIds,
      questionTypesId,
      limit: pageSize,
      offset: (pageNum - 1) * pageSize,
    });
    return { ...page, pages: Math.ceil(page.total / pageSize), pageNum };
  });
  serve(ListExams, async ({ input, user: { userId } }) => {
    const access = await packAccess(db.query, userId, input.packId);
    if (access !== 'ok') return refuse(access);
    return { list: await listPapers(db.query, userId, input, await readInOpenExam(db.query, userId)) };
  });
  serve(ListExamYears, async ({ input, user }) => {
    const access = await packAccess(db.query, user.userId, input.packId);
    return access === 'ok' ? { list: await listYears(db.query, input.packId) } : refuse(access);
  });
  serve(MyExams, async ({ input: { pageNum, pageSize, ...filter }, user: { userId } }) => {
    const total = await countRecords(db.query, { ...filter, userId });
    const records = await listRecords(db.query, { ...filter, userId }, pageSize, (pageNum - 1) * pageSize);
    const list = await recordLines(db.query, records, await readInOpenExam(db.query, userId));
    return { list, total, pages: Math.ceil(total / pageSize), pageNum };
  });

  const history = async (userId: number, examId: number, testType?: number) => {
    const exam = await db.query
      .selectFrom('exams')
      .select(['pack_id', 'test_type'])
      .where('id', '=', examId)
      .executeTakeFirst();
    if (!exam || (testType !== undefined && exam.test_type !== testType)) return refuse('notFound');
    const records = await listRecords(db.query, { userId, examId }, HISTORY, 0);
    // Own records stay readable after an enrolment has ended; without any, the exam is none of the caller's business.
    if (records.length === 0) {
      const access = await packAccess(db.query, userId, exam.pack_id);
      if (access !== 'ok') return refuse(access);
    }
    return { list: await recordLines(db.query, records, await readInOpenExam(db.query, userId)) };
  };
  serve(ExamHistory, ({ input, user }) => history(user.userId, input.examId));
  // testType 11 is the timed special test (spec §3 Exam context).
  serve(TestHistory, ({ input, user }) => history(user.userId, input.examId, 11));
}
