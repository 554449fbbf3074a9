import {
  BeforeStart,
  ChapterQuestions,
  ChapterTree,
  ExamHistory,
  ListExams,
  ListExamYears,
  MyExams,
  TestHistory,
} from '#contract/exam.ts';
import { MakeRandomPaper, PrintPaper, RandomOptions } from '#contract/exam-paper.ts';
import { TIMED_TEST } from '#contract/values/exam.ts';
import { readPackNames } from '#server/course/store.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { readBeforeStart } from './before-start.ts';
import { readExamList } from './exam-list.ts';
import { readHistory } from './history.ts';
import { readPrint } from './print.ts';
import { readChapterTree } from './question-index.ts';
import { readQuestionList } from './question-list.ts';
import { makeRandomPaper, readRandomOptions } from './random-paper.ts';
import { readUserExamList } from './user-exam-list.ts';
import { readYearList } from './year-list.ts';

/** Binds the calls by which a student finds an exam, and their earlier records. */
export function findingRoutes(serve: Serve, exam: ExamParts): void {
  const { db } = exam;
  serve(ChapterTree, async ({ input, user: { userId } }) => {
    const { packId, courseId } = input;
    const packName = (await readPackNames(db.query, [packId])).get(packId) ?? '';
    const courses = await readChapterTree(exam, { ...input, userId });
    if (courseId !== undefined && courses.length === 0) return refuse('notFound');
    return { packName, courses };
  });
  serve(ChapterQuestions, async ({ input }) => (await readQuestionList(db.query, input)) ?? refuse('notFound'));
  serve(ListExams, async ({ input, user: { userId } }) => ({ list: await readExamList(exam, userId, input) }));
  serve(BeforeStart, async ({ input: { examId }, user: { userId } }) => {
    const found = await readBeforeStart(exam, userId, examId);
    return found.ok ? found.paper : refuse(found.why);
  });
  serve(ListExamYears, ({ input: { packId } }) => readYearList(db.query, packId));
  serve(MyExams, ({ input: { pageNum, pageSize, ...filter }, user: { userId } }) =>
    readUserExamList(exam, { ...filter, userId }, pageNum, pageSize),
  );
  serve(ExamHistory, async ({ input: { examId }, user: { userId } }) => {
    const history = await readHistory(exam, { userId, examId });
    return history.ok ? { list: history.list } : refuse(history.why);
  });
  serve(TestHistory, async ({ input: { examId }, user: { userId } }) => {
    const history = await readHistory(exam, { userId, examId, testType: TIMED_TEST });
    return history.ok ? { list: history.list } : refuse(history.why);
  });
  serve(RandomOptions, ({ input: { packId }, user }) => readRandomOptions(exam, user.userId, packId));
  serve(MakeRandomPaper, async ({ input, user: { userId }, arrivedAt }) => {
    const made = await makeRandomPaper(exam, { ...input, userId, now: arrivedAt });
    return made.ok ? made.paper : refuse(made.why, made.field, made.at);
  });
  serve(PrintPaper, async ({ input, user: { userId, role } }) => {
    const found = await readPrint(exam, { ...input, userId, role });
    return found.ok ? found.paper : refuse(found.why);
  });
}
