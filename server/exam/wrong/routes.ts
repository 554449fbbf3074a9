import {
  CollectedOfRecord,
  CollectQuestion,
  DailyReview,
  DailyReviews,
  ListCollected,
  ListWrong,
  ListWrongOfChapter,
  MakeOwnPaper,
  QuestionHistory,
  RemoveWrong,
  RestoreWrong,
  SaveReview,
  SaveStudySettings,
  StartDailyReview,
  WrongIndex,
  WrongOptions,
  WrongPacks,
  WrongTypes,
} from '#contract/exam-wrong.ts';
import { leaveAfters } from '#contract/values/exam.ts';
import { dayFrom, mayBeExamDay } from '#rules/exam/schedule.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ExamParts } from '../parts.ts';
import { readCollectedOfRecord, readCollection, saveCollected } from './collection.ts';
import { readDailyReview, readDailyReviews, startDailyReview } from './daily-review.ts';
import { readErrorIndex, readErrorOptions, readErrorPacks, readErrorTypes } from './error-index.ts';
import { readErrorList } from './error-list.ts';
import { makeOwnPaper } from './own-paper.ts';
import { readQuestionHistory } from './question-history.ts';
import { saveReview } from './save-review.ts';
import { saveSettings } from './study-settings-store.ts';

/** Binds the calls by which a student works off what went wrong. */
export function wrongRoutes(serve: Serve, exam: ExamParts): void {
  const { db, gradesFor } = exam;
  serve(WrongPacks, ({ user }) => readErrorPacks(exam, user.userId));
  serve(WrongIndex, ({ input: { packId }, user }) => readErrorIndex(exam, user.userId, packId));
  serve(WrongTypes, ({ input: { packId }, user }) => readErrorTypes(exam, user.userId, packId));
  serve(WrongOptions, ({ input, user }) => readErrorOptions(exam, user.userId, input));
  serve(
    ListWrong,
    async ({ input, user }) => (await readErrorList(exam, user.userId, input)) ?? refuse('notFound', 'chapterId'),
  );
  serve(
    ListWrongOfChapter,
    async ({ input, user }) => (await readErrorList(exam, user.userId, input)) ?? refuse('notFound', 'chapterId'),
  );
  serve(RemoveWrong, async ({ input: { id, ids }, user }) => {
    const meant = [...new Set([...(ids ?? []), ...(id === undefined ? [] : [id])])];
    if (meant.length === 0) return refuse('badInput', 'id');
    const count = await gradesFor(db.query, user.userId).moveWrong(meant, 'removed');
    return count > 0 ? { count } : refuse('notFound');
  });
  serve(RestoreWrong, async ({ input: { ids }, user }) => {
    const count = await gradesFor(db.query, user.userId).moveWrong(ids, 'in');
    return count > 0 ? { count } : refuse('notFound');
  });
  serve(SaveStudySettings, async ({ input: { packId, leaveAfter: sent, ...settings }, user, arrivedAt }) => {
    const leaveAfter = leaveAfters.find((after) => after === sent);
    if (settings.examDate != null) {
      const examDay = dayFrom(settings.examDate);
      if (examDay === null) return refuse('badInput', 'examDate');
      if (!mayBeExamDay(examDay, arrivedAt)) return refuse('examDatePast', 'examDate');
    }
    await saveSettings(db.query, user.userId, packId, { ...settings, leaveAfter });
    return {};
  });
  serve(DailyReviews, ({ user, arrivedAt }) => readDailyReviews(exam, user.userId, arrivedAt));
  serve(DailyReview, ({ input: { packId }, user, arrivedAt }) =>
    readDailyReview(exam, user.userId, { packId, now: arrivedAt }),
  );
  serve(StartDailyReview, async ({ input, user: { userId }, arrivedAt }) => {
    const begun = await startDailyReview(exam, { ...input, userId, now: arrivedAt });
    return begun.ok ? begun.started : refuse(begun.why);
  });
  serve(SaveReview, async ({ input, user: { userId }, arrivedAt }) => {
    const saved = await saveReview(exam, { ...input, userId, now: arrivedAt });
    return saved.ok ? saved.reviewed : refuse(saved.why, saved.field);
  });
  serve(QuestionHistory, async ({ input: { questionId }, user }) => {
    const found = await readQuestionHistory(exam, user.userId, questionId);
    return found.ok ? { list: found.list } : refuse(found.why);
  });
  serve(MakeOwnPaper, async ({ input, user: { userId }, arrivedAt }) => {
    const made = await makeOwnPaper(exam, { ...input, userId, now: arrivedAt });
    return made.ok ? made.paper : refuse(made.why, made.field);
  });
  serve(CollectQuestion, async ({ input, user: { userId }, arrivedAt }) => {
    const saved = await saveCollected(exam, { ...input, userId, now: arrivedAt });
    return saved.ok ? saved.saved : refuse(saved.why);
  });
  serve(
    CollectedOfRecord,
    async ({ input: { recordId }, user }) =>
      (await readCollectedOfRecord(exam, user.userId, recordId)) ?? refuse('notFound'),
  );
  serve(
    ListCollected,
    async ({ input, user }) => (await readCollection(exam, user.userId, input)) ?? refuse('notFound', 'chapterId'),
  );
}
