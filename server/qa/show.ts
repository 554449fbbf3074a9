import type { DataOf } from '#contract/call.ts';
import type { QaQueue, QuestionComments, QuestionDetails } from '#contract/qa.ts';
import { mayFollowUp } from '#rules/qa/follow-up.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import { readCourseNames, readPackNames } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import { readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { readLessonNames } from '#server/play/lesson-store.ts';
import { readPeople } from '#server/user/store.ts';
import { readTags } from './find-store.ts';
import {
  readChildren,
  readEntries,
  readFlagged,
  readImages,
  readUseful,
  type StoredEntry,
  type StoredThread,
} from './store.ts';

/** Who looks, and the exam questions of which nothing may be told to them now. */
export interface Viewer {
  userId: number;
  /** Teachers see what is hidden and held, in every pack. */
  teacher: boolean;
  hidden: ReadonlySet<number>;
}

type Question = DataOf<typeof QuestionDetails>;
type Child = DataOf<typeof QuestionComments>['list'][number];
type Taught = DataOf<typeof QaQueue>['list'][number];
type People = Awaited<ReturnType<typeof readPeople>>;

/** Whether answers and state of a question are withheld from somebody: they sit its exam question in a scored exam. */
export function isWithheld({ question_id: questionId }: Pick<StoredThread, 'question_id'>, viewer: Viewer): boolean {
  return !viewer.teacher && questionId !== null && viewer.hidden.has(questionId);
}

/** Whether somebody may see a question at all; their pack is asked for elsewhere. */
export function isVisible(thread: StoredThread, viewer: Viewer): boolean {
  return viewer.teacher || thread.listed === 1 || thread.user_id === viewer.userId;
}

/** Whether somebody who may see a question may see this under it. */
export const isShown = (entry: StoredEntry, { teacher, userId }: Viewer) =>
  teacher || entry.user_id === userId || (entry.hidden === 0 && entry.held_words === '');

/** What every entry shows. Words for which it is held are told to its author and to teachers. */
function entryFields(entry: StoredEntry, viewer: Viewer, people: People, files: readonly string[] = []) {
  const [feedbackImg = '', feedbackImg2 = '', feedbackImg3 = ''] = files.map(fileAddress);
  const person = people.get(entry.user_id);
  const byTeacher = entry.by_teacher === 1;
  const mine = entry.user_id === viewer.userId;
  const held = entry.held_words !== '' && (mine || viewer.teacher);
  return {
    ...{ id: entry.id, feedbackDesc: entry.feedback_desc, feedbackImg, feedbackImg2, feedbackImg3 },
    userName: byTeacher ? person?.nickname || '老师' : '',
    nickname: person?.nickname ?? '',
    avatarUrl: person?.avatarUrl ?? '',
    createTime: entry.created_at,
    platform: entry.platform,
    studentId: byTeacher ? 0 : entry.user_id,
    mine,
    hidden: entry.hidden === 1,
    held,
    heldWords: held ? (JSON.parse(entry.held_words) as string[]) : [],
  };
}

/** Entries under questions as they are shown; those that the viewer may not see are left out. */
export async function showChildren(query: Query, entries: readonly StoredEntry[], viewer: Viewer): Promise<Child[]> {
  const shown = entries.filter((entry) => isShown(entry, viewer));
  const images = await readImages(
    query,
    shown.map(({ id }) => id),
  );
  const replied = await readEntries(
    query,
    shown.flatMap(({ kind, parent_id, thread_id }) =>
      kind === 'comment' && parent_id !== null && parent_id !== thread_id ? parent_id : [],
    ),
  );
  const people = await readPeople(
    query,
    [...shown, ...replied.values()].map(({ user_id }) => user_id),
  );
  /** Who is replied to, while that comment is there for the viewer. */
  const repliedTo = ({ parent_id }: StoredEntry) => {
    const parent = replied.get(parent_id ?? 0);
    const there = parent !== undefined && parent.deleted_at === null && isShown(parent, viewer);
    return there ? (people.get(parent.user_id)?.nickname ?? '') : '';
  };
  return shown.map((entry) => ({
    ...childOf(entry, viewer, people, images.get(entry.id)),
    replyTo: repliedTo(entry),
  }));
}

const childOf = (
  entry: StoredEntry,
  viewer: Viewer,
  people: People,
  files: readonly string[] | undefined,
  useful?: ReadonlySet<number>,
): Child => ({
  ...entryFields(entry, viewer, people, files),
  flag: useful?.has(entry.id) ? 1 : 0,
  flagCount: entry.useful_count,
  replyTo: '',
  kind: entry.kind,
  parentId: entry.parent_id ?? entry.thread_id ?? entry.id,
  editedAt: entry.edited_at,
  mayFollowUp:
    !viewer.teacher && mayFollowUp({ kind: entry.kind, userId: entry.user_id, answered: false }, viewer.userId),
});

/** Questions as they are shown to somebody who may see them, in the order given. */
export async function showThreads(query: Query, threads: readonly StoredThread[], viewer: Viewer): Promise<Question[]> {
  const ids = threads.map(({ id }) => id);
  const entries = await readEntries(query, ids);
  const open = threads.filter((thread) => !isWithheld(thread, viewer)).map(({ id }) => id);
  const children = (await readChildren(query, open)).filter((entry) => isShown(entry, viewer));
  const images = await readImages(query, [...ids, ...children.map(({ id }) => id)]);
  const people = await readPeople(
    query,
    [...threads, ...children].map(({ user_id }) => user_id),
  );
  const lessons = await readLessonNames(
    query,
    threads.flatMap(({ lesson_id }) => lesson_id ?? []),
  );
  // The words of an exam question are shown to whom has met it: its author, who has a record with it, and teachers.
  const topics = await readQuestions(
    query,
    threads.flatMap((thread) => (hasMet(thread, viewer) ? (thread.question_id ?? []) : [])),
  );
  const tags = await readTags(query, ids);
  const flagged = await readFlagged(query, viewer.userId, ids);
  const useful = await readUseful(
    query,
    viewer.userId,
    children.filter(({ kind }) => kind === 'answer').map(({ id }) => id),
  );
  const byThread = Map.groupBy(children, ({ thread_id }) => thread_id);
  return threads.flatMap((thread) => {
    const entry = entries.get(thread.id);
    if (!entry) return [];
    const withheld = isWithheld(thread, viewer);
    const own = thread.user_id === viewer.userId;
    const fields = entryFields(entry, viewer, people, images.get(thread.id));
    const answered = thread.answered_by !== null;
    const waits = thread.waiting === 1 && !withheld;
    return {
      ...fields,
      feedbackType: thread.feedback_type,
      packId: thread.pack_id,
      courseId: thread.course_id,
      firstVideoId: thread.lesson_id,
      firstVideoName: lessons.get(thread.lesson_id ?? 0)?.name ?? '',
      position: thread.position,
      questionId: thread.question_id,
      recordId: own ? thread.record_id : null,
      topic: hasMet(thread, viewer) ? (topics.get(thread.question_id ?? 0)?.topic ?? '') : '',
      state: withheld ? 0 : thread.state,
      withheld,
      waiting: waits,
      promisedAt: waits && (own || viewer.teacher) ? thread.promised_at : null,
      tags: withheld ? [] : (tags.get(thread.id) ?? []),
      flag: flagged.has(thread.id) ? 1 : 0,
      flagCount: thread.flag_count,
      commentCount: withheld ? 0 : thread.comment_count,
      mayFollowUp:
        !withheld &&
        !viewer.teacher &&
        mayFollowUp({ kind: 'question', userId: thread.user_id, answered }, viewer.userId),
      mayDelete: own && !answered && !withheld,
      childList: (byThread.get(thread.id) ?? []).map((child) =>
        childOf(child, viewer, people, images.get(child.id), useful),
      ),
    };
  });
}

const hasMet = (thread: StoredThread, viewer: Viewer) =>
  viewer.teacher || (thread.user_id === viewer.userId && thread.record_id !== null);

/** Questions as teachers see them. */
export async function showTaught(
  query: Query,
  threads: readonly StoredThread[],
  { teacherId, now }: { teacherId: number; now: number },
): Promise<Taught[]> {
  const viewer = { userId: teacherId, teacher: true, hidden: new Set<number>() };
  const shown = new Map((await showThreads(query, threads, viewer)).map((question) => [question.id, question]));
  const packs = await readPackNames(
    query,
    threads.map(({ pack_id }) => pack_id),
  );
  const courses = await readCourseNames(
    query,
    threads.map(({ course_id }) => course_id),
  );
  const people = await readPeople(
    query,
    threads.flatMap(({ user_id, teacher_id }) => [user_id, ...(teacher_id === null ? [] : [teacher_id])]),
  );
  return threads.flatMap((thread) => {
    const question = shown.get(thread.id);
    if (!question) return [];
    return {
      ...question,
      packName: packs.get(thread.pack_id) ?? '',
      courseName: courses.get(thread.course_id) ?? '',
      validPhoneExt: people.get(thread.user_id)?.validPhoneExt ?? '',
      version: thread.version,
      teacherId: thread.teacher_id,
      teacherName: people.get(thread.teacher_id ?? 0)?.nickname ?? '',
      overdue: thread.waiting === 1 && thread.promised_at !== null && thread.promised_at < now,
    };
  });
}
