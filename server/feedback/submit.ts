import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { SubmitExamFeedback, SubmitVideoFeedback } from '#contract/feedback.ts';
import { SAME_REPORT } from '#contract/values/feedback.ts';
import { imageOpt } from '#contract/values/image.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { courseOfChapter } from '#server/course/chapter-store.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import { isCourseOf } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import { noteReports } from '#server/exam/grading/quality-report-store.ts';
import { readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { readSeenQuestion } from '#server/exam/record/seen-question.ts';
import { ImageNotYours, namedImages, takeImages, takenFor } from '#server/image/take.ts';
import { findLesson } from '#server/play/lesson-store.ts';
import { findLastOpened } from '#server/play/progress-store.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import type { FeedbackParts } from './parts.ts';
import { countUndecided, findReport, findSame, saveExamFeedback, saveFeedbackImages } from './store.ts';

/** Reports of one student: more than anyone needs, fewer than a script likes. */
const LIMIT = [{ most: 30, within: 60 * 60 * 1000 }];

type Asked = InputOf<typeof SubmitExamFeedback> & { userId: number; now: number };
type Submitted = { ok: true; saved: DataOf<typeof SubmitExamFeedback> } | { ok: false; why: Why; field?: string };

/**
 * Stores what a student reports, with the version of the question that they saw. Sent again, since its answer was lost, it is the one that is there: its
 * pictures tell, and without any its words within some minutes (`SAME_REPORT`).
 */
export async function submitReport(parts: FeedbackParts, asked: Asked): Promise<Submitted> {
  const { packId, resourceId, questionId, recordId, userId, now } = asked;
  const { query } = parts.db;
  // Course and question belong to the pack; one of them is named.
  if (resourceId !== undefined && !(await isCourseOf(query, packId, resourceId))) return { ok: false, why: 'notFound' };
  const question = questionId === undefined ? null : (await readQuestions(query, [questionId])).get(questionId);
  if (questionId !== undefined && question?.packId !== packId) return { ok: false, why: 'notFound' };
  const seen =
    questionId === undefined || recordId === undefined
      ? null
      : await readSeenQuestion(parts, { userId, recordId, questionId });
  if (recordId !== undefined && seen === null) return { ok: false, why: 'notFound' };
  if (questionId !== undefined && recordId === undefined) {
    const kept = await parts.gradesFor(query, userId).keptBack([{ questionId, packId }]);
    if (kept.size > 0) return { ok: false, why: 'notFound' };
  }
  // What is reported is always stored with the course of the question: a paper may go across courses.
  const courseId = question ? await courseOfChapter(query, question.chapterId) : (resourceId ?? null);
  if (courseId === null) return { ok: false, why: 'badInput', field: 'resourceId' };
  const text = tidyText(asked.feedbackDesc);
  if (text === '') return { ok: false, why: 'reportEmpty', field: 'feedbackDesc' };
  const images = namedImages(asked);
  const report = {
    user_id: userId,
    pack_id: packId,
    resource_id: courseId,
    question_id: questionId ?? null,
    record_id: recordId ?? null,
    key_version: (seen?.question ?? question)?.keyVersion ?? null,
    feedback_type: asked.feedbackType,
    feedback_desc: text,
    created_at: now,
    answered_by: null,
    answered_at: null,
    lesson_id: null,
  };
  const done =
    images.length === 0
      ? await findSame(query, report, now - SAME_REPORT)
      : await sentBefore(query, { ...asked, text, images });
  if (done !== null) return { ok: true, saved: { id: done } };
  const counted = await countEvent(query, `feedback:${userId}`, LIMIT, now);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  try {
    const { id, before } = await parts.db.transaction(async (trx) => {
      const save = async () => {
        // Of two that are sent at once the second finds the first, since the question is held.
        const before = images.length === 0 ? await findSame(trx, report, now - SAME_REPORT) : null;
        if (before !== null) return { id: before, before: true };
        const saved = await saveExamFeedback(trx, report);
        const taking = { userId, opt: imageOpt.feedback, fileNames: images, takenFor: TAKEN_FOR + saved };
        await saveFeedbackImages(trx, saved, await takeImages(trx, taking));
        return { id: saved, before: false };
      };
      if (questionId === undefined) return save();
      let saved = { id: 0, before: false };
      await noteReports(trx, questionId, async () => {
        saved = await save();
        return countUndecided(trx, questionId);
      });
      return saved;
    });
    if (before) await counted.undo();
    return { ok: true, saved: { id } };
  } catch (error) {
    if (!(error instanceof ImageNotYours)) throw error;
    await counted.undo();
    return { ok: false, why: 'imageNotYours' };
  }
}

/** What pictures say that belongs to a report, before its id. */
const TAKEN_FOR = 'feedback:';

/** The report that this call has stored already, when its answer was lost: its pictures tell. @returns its id, or null */
async function sentBefore(
  query: Query,
  { userId, images, feedbackType, questionId, text }: Asked & { images: readonly string[]; text: string },
): Promise<number | null> {
  const taken = await takenFor(query, userId, images);
  if (!taken?.startsWith(TAKEN_FOR)) return null;
  const report = await findReport(query, Number(taken.slice(TAKEN_FOR.length)));
  const isSame =
    report?.feedback_type === feedbackType &&
    report.feedback_desc === text &&
    report.question_id === (questionId ?? null);
  return isSame ? report.id : null;
}

/** Reports of films by one student: a film that does not play is tried, and told of, a few times. */
const VIDEO_LIMIT = [
  { most: 3, within: 60 * 1000 },
  { most: 20, within: 60 * 60 * 1000 },
];

/** Stores that a film does not play, with its lesson: the one that is named, or the one that its student opened last. */
export async function submitVideoReport(
  { db }: Pick<FeedbackParts, 'db'>,
  asked: InputOf<typeof SubmitVideoFeedback> & { userId: number; now: number },
): Promise<Submitted> {
  const { userId, now } = asked;
  const { query } = db;
  const text = tidyText(asked.feedbackDesc);
  if (text === '') return { ok: false, why: 'badInput', field: 'feedbackDesc' };
  const { packId, resourceId } = asked;
  const isNamed = packId !== undefined && resourceId !== undefined;
  // The report shows the names of pack and lesson: those of what is no longer on offer are told to nobody who only guesses its ids.
  if (isNamed && !(await findStudiedPack(query, packId))) return { ok: false, why: 'notFound', field: 'packId' };
  const named = isNamed ? { packId, lessonId: resourceId } : await findLastOpened(query, userId);
  const lesson = named && (await findLesson(query, named.packId, named.lessonId));
  if (!lesson) return { ok: false, why: 'notFound', field: 'resourceId' };
  const counted = await countEvent(query, `feedback:video:${userId}`, VIDEO_LIMIT, now);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  const id = await saveExamFeedback(query, {
    user_id: userId,
    pack_id: lesson.pack_id,
    resource_id: lesson.course_id,
    question_id: null,
    record_id: null,
    key_version: null,
    feedback_type: asked.feedbackType,
    feedback_desc: text,
    created_at: now,
    answered_by: null,
    answered_at: null,
    lesson_id: lesson.id,
    device_name: tidyText(asked.deviceName),
  });
  return { ok: true, saved: { id } };
}
