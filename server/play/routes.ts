import {
  DeleteNote,
  ExamOptions,
  ListNotes,
  MyCredits,
  PlayChapters,
  ReadLesson,
  ReportDuration,
  SaveNote,
  SavePosition,
  SetLessonMedia,
  TaughtLessons,
} from '#contract/play.ts';
import type { Place } from '#rules/play/places.ts';
import type { PackAccess } from '#server/course/access.ts';
import type { EnrolmentStore } from '#server/course/enrolment-store.ts';
import type { SetFormulasOf } from '#server/formulas.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { readCredits, readDirectory, readExamOptions, readLesson } from './lesson.ts';
import { readTaughtLessons, setLessonMedia } from './lesson-media.ts';
import { listNotes, saveNote } from './note.ts';
import { deleteNote } from './note-store.ts';
import { progressStore } from './progress-store.ts';
import { reportTaker } from './report.ts';

const ms = (seconds: number) => Math.round(seconds * 1000);

/** A page that stood open, or what a browser kept, told of by the session of who signed in there since: it is nothing that they watched. */
const isOfAnother = ({ studentId }: { studentId?: number | undefined }, userId: number) =>
  studentId !== undefined && studentId !== userId;

/**
 * Binds the calls of contract/play.ts.
 * @param notedSince since when rights to play are noted (right-store.ts)
 * @param setFormulas sets those of a lesson's texts, so that its page needs no library for them (decision 074)
 */
export function playRoutes(
  serve: Serve,
  { db, lessonShare }: Pick<Parts, 'db' | 'lessonShare'>,
  access: PackAccess,
  enrolments: EnrolmentStore,
  notedSince: number,
  setFormulas: SetFormulasOf,
): void {
  const parts = { db, access };
  const take = reportTaker({ db, access, progress: progressStore(db), enrolments, lessonShare, notedSince });

  serve(PlayChapters, async ({ input, user }) => (await readDirectory(parts, user, input)) ?? refuse('notFound'));
  serve(ReadLesson, async ({ input, user }) => {
    const read = await readLesson(parts, user, input);
    if (!read.ok) return refuse(read.why);
    const { profile, text } = read.lesson;
    const { formulas } = await setFormulas([profile, text]);
    return { ...read.lesson, shareNeeded: lessonShare, formulas };
  });
  serve(ExamOptions, async ({ input, user }) => {
    const read = await readExamOptions(parts, user.userId, input);
    return read.ok ? read.options : refuse(read.why);
  });
  serve(SavePosition, async ({ input, user: { userId }, arrivedAt }) => {
    if (isOfAnother(input, userId)) return refuse('notSignedIn');
    const { packId, firstVideoId, position, ended } = input;
    const report = { position: ms(position), ended: ended === 1 };
    const told = await take({ userId, packId, lessonId: firstVideoId, report, arrivedAt });
    return told.ok ? told.progress : refuse(told.why);
  });
  serve(ReportDuration, async ({ input, user: { userId }, arrivedAt }) => {
    if (isOfAnother(input, userId)) return refuse('notSignedIn');
    const { packId, firstVideoId, duration, position, rate, places, playId, seq, ago, ended } = input;
    const report = {
      position: ms(position),
      duration: ms(duration),
      rate: rate ?? null,
      places: places?.map(({ from, to }): Place => [ms(from), ms(to)]) ?? null,
      playId: playId ?? null,
      seq: seq ?? null,
      ago: ago ?? null,
      ended: ended === 1,
    };
    const told = await take({ userId, packId, lessonId: firstVideoId, report, arrivedAt });
    return told.ok ? told.progress : refuse(told.why);
  });
  serve(
    MyCredits,
    async ({ input, user }) => (await readCredits(parts, user.userId, input.packId)) ?? refuse('notFound'),
  );
  serve(ListNotes, ({ input, user }) => listNotes(db, user.userId, input));
  serve(SaveNote, async ({ input, user, arrivedAt }) => {
    const saved = await saveNote(parts, { ...input, userId: user.userId, now: arrivedAt });
    return saved.ok ? saved.note : refuse(saved.why);
  });
  serve(DeleteNote, async ({ input: { packId, id }, user: { userId } }) => {
    await deleteNote(db.query, { id, userId, packId });
    return {};
  });
  serve(TaughtLessons, async ({ input }) => (await readTaughtLessons(db, input)) ?? refuse('notFound'));
  serve(SetLessonMedia, async ({ input }) => {
    const given = await setLessonMedia(db, input);
    return given.ok ? { waits: given.waits } : refuse(given.why);
  });
}
