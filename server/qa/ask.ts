import type { InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { FollowUp, SaveQuestionComment, SubmitQuestion } from '#contract/qa.ts';
import { imageOpt } from '#contract/values/image.ts';
import { QA_LONGEST, type QaPlatform, type QaType, qaType } from '#contract/values/qa.ts';
import { hasRoomForMore, mayFollowUp } from '#rules/qa/follow-up.ts';
import { termsOf } from '#rules/qa/terms.ts';
import { checkText } from '#rules/qa/text.ts';
import { addressKey, type Limit } from '#rules/user/limits.ts';
import { beginningOf } from '#rules/wording/beginning.ts';
import { courseOfChapter } from '#server/course/chapter-store.ts';
import { isCourseOf, listCourses } from '#server/course/store.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { readSeenQuestion } from '#server/exam/record/seen-question.ts';
import { ImageNotYours, namedImages, releaseImages, takeImages } from '#server/image/take.ts';
import { deleteNoticesAbout, deleteNoticesOfEvents, type Notice, saveNotices } from '#server/notice/store.ts';
import { findLesson } from '#server/play/lesson-store.ts';
import { countEvent, oneAtATime } from '#server/user/rate-limit.ts';
import { readPeople } from '#server/user/store.ts';
import { tagsSeenBy } from './find.ts';
import { addTerms, deleteTerms, setTags } from './find-store.ts';
import { findVisible, type Person } from './look.ts';
import { heldWordsIn, type QaParts, takenForEntry } from './parts.ts';
import { promisedAtOf } from './promise.ts';
import { isShown, isWithheld, type Viewer } from './show.ts';
import {
  addEntry,
  addThread,
  changeEntry,
  changeThread,
  findEntry,
  findSent,
  forgetImages,
  lockThread,
  raiseVersion,
  readBuried,
  readChildren,
  readEntries,
  readReplies,
  restand,
  type StoredEntry,
  type StoredThread,
  saveImages,
  setFlag,
  setUseful,
  wroteBefore,
} from './store.ts';

type Refusal = { ok: false; why: Why; field?: string };
/** What was written, by the question it stands under and its own id. */
type Written = { ok: true; threadId: number; entryId: number } | Refusal;

/** Where and when somebody writes. */
interface Writing {
  person: Person;
  now: number;
  ip: string;
  platform: QaPlatform;
}

const [MINUTE, HOUR, DAY] = [60_000, 60 * 60_000, 24 * 60 * 60_000];
/** What one student writes: more than anyone does, fewer than a script likes. */
const LIMIT: Limit = [
  { most: 5, within: MINUTE },
  { most: 40, within: HOUR },
  { most: 150, within: DAY },
];
/** What people write from one address who have written nothing before today: a campus may share one (decisions §7). */
const NEWCOMERS: Limit = [
  { most: 120, within: MINUTE },
  { most: 1500, within: HOUR },
];

/** Counts what somebody writes: first by the person; by their address only while they are new here. */
async function countWriting(
  query: Query,
  { person: { userId }, ip, now }: Writing,
): Promise<{ ok: true; undo(): Promise<void> } | Refusal> {
  const own = await countEvent(query, `qa:${userId}`, LIMIT, now);
  if (!own.ok) return { ok: false, why: 'tooMany' };
  if (await wroteBefore(query, userId, now - DAY)) return own;
  const shared = await countEvent(query, `qaAddress:${addressKey(ip)}`, NEWCOMERS, now);
  if (shared.ok) return own;
  await own.undo();
  return { ok: false, why: 'tooMany' };
}

/** Runs what stores an entry; pictures that are not to be had take all of it back. */
export async function orImageNotYours<T>(work: () => Promise<T>): Promise<T | { ok: false; why: 'imageNotYours' }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImageNotYours) return { ok: false, why: 'imageNotYours' };
    throw error;
  }
}

/** Writes what a call names, or finds it written. */
function writtenOnce(
  query: Query,
  { person: { userId } }: Writing,
  clientId: string | undefined,
  write: () => Promise<Written>,
): Promise<Written> {
  if (clientId === undefined) return write();
  return oneAtATime(`qa ${userId} ${clientId}`, async () => (await sentBefore(query, userId, clientId)) ?? write());
}

/** Asks a question, or with `parentId` follows up on one. */
export function submitQuestion(
  parts: QaParts,
  writing: Writing,
  asked: InputOf<typeof SubmitQuestion>,
): Promise<Written> {
  const { parentId } = asked;
  if (parentId !== undefined) return followUp(parts, writing, { ...asked, parentId });
  return writtenOnce(parts.db.query, writing, asked.clientId, () => writeQuestion(parts, writing, asked));
}

async function writeQuestion(
  parts: QaParts,
  writing: Writing,
  asked: InputOf<typeof SubmitQuestion>,
): Promise<Written> {
  const { query } = parts.db;
  const { userId } = writing.person;
  const images = namedImages(asked);
  const checked = checkText(asked.feedbackDesc, QA_LONGEST);
  if (!checked.ok) return { ...checked, field: 'feedbackDesc' };
  const place = await placeOf(parts, userId, asked);
  if (!place.ok) return place;
  const counted = await countWriting(query, writing);
  if (!counted.ok) return counted;
  const feedbackType = asked.feedbackType as QaType;
  const held = await heldWords(query, feedbackType, checked.text);
  const promisedAt = await promisedAtOf(parts.db.query, writing.now);
  const tags = await tagsAmong(parts, writing.person, asked.tags);
  const written = await orImageNotYours(() =>
    parts.db.transaction(async (trx): Promise<Written & { added?: boolean }> => {
      const { entry, added } = await addEntry(trx, {
        ...entryOf(writing, asked.clientId, checked.text, held),
        ...{ thread_id: null, parent_id: null, kind: 'question' },
      });
      if (!added) return { ok: true, ...idsOf(entry), added };
      const listed = feedbackType === qaType.teaching && held.length === 0;
      await addThread(trx, {
        id: entry.id,
        user_id: userId,
        pack_id: asked.packId,
        ...place.place,
        feedback_type: feedbackType,
        promised_at: promisedAt,
        due_at: promisedAt ?? writing.now,
        teacher_id: null,
        answered_by: null,
        listed: listed ? 1 : 0,
        held: held.length > 0 ? 1 : 0,
        created_at: writing.now,
      });
      // What is not listed is found by teachers.
      await addTerms(trx, asked.packId, entry.id, termsOf(checked.text));
      if (tags.length > 0) await setTags(trx, entry.id, tags, false);
      await saveImages(
        trx,
        entry.id,
        await takeImages(trx, { userId, opt: imageOpt.qa, fileNames: images, takenFor: takenForEntry(entry.id) }),
      );
      return { ok: true, ...idsOf(entry), added };
    }),
  );
  if (!written.ok || ('added' in written && !written.added)) await counted.undo();
  return written;
}

/** Of these tags those that somebody may choose: nothing tells whether others, of packs that they cannot open, are there. */
async function tagsAmong(parts: QaParts, person: Person, names: readonly string[] = []): Promise<string[]> {
  if (names.length === 0) return [];
  const seen = await tagsSeenBy(parts, person, undefined);
  const known = new Set(seen.ok ? seen.tags.map(({ tag }) => tag) : []);
  return names.filter((name) => known.has(name));
}

/** The words of the school's list for which a text is held. What teachers alone see is held from nobody. */
async function heldWords(query: Query, type: QaType, text: string): Promise<string[]> {
  return type === qaType.teaching ? heldWordsIn(query, text) : [];
}

const idsOf = ({ id, thread_id }: StoredEntry) => ({ threadId: thread_id ?? id, entryId: id });

/** What a call has stored already, when its answer was lost. */
async function sentBefore(query: Query, userId: number, clientId: string | undefined): Promise<Written | null> {
  const sent = clientId === undefined ? undefined : await findSent(query, userId, clientId);
  if (!sent) return null;
  return sent.deleted_at === null ? { ok: true, ...idsOf(sent) } : { ok: false, why: 'notFound' };
}

const entryOf = (
  { person, platform, now }: Writing,
  clientId: string | undefined,
  text: string,
  held: readonly string[],
) => ({
  user_id: person.userId,
  feedback_desc: text,
  platform,
  state: null,
  created_at: now,
  edited_at: null,
  deleted_at: null,
  held_words: held.length > 0 ? JSON.stringify(held) : '',
  client_id: clientId ?? null,
});

type Place = Pick<StoredThread, 'course_id' | 'lesson_id' | 'position' | 'question_id' | 'record_id'>;

/** What a question is about: all that is named has to belong together. */
async function placeOf(
  parts: QaParts,
  userId: number,
  { packId, resourceId, firstVideoId, position, questionId, recordId }: InputOf<typeof SubmitQuestion>,
): Promise<{ ok: true; place: Place } | Refusal> {
  const { query } = parts.db;
  const no = (field: string): Refusal => ({ ok: false, why: 'notFound', field });
  if (resourceId !== undefined && !(await isCourseOf(query, packId, resourceId))) return no('resourceId');
  const place: Place = {
    course_id: resourceId ?? 0,
    lesson_id: null,
    position: null,
    question_id: null,
    record_id: null,
  };
  if (firstVideoId !== undefined) {
    const lesson = await findLesson(query, packId, firstVideoId);
    if (!lesson || (resourceId !== undefined && lesson.course_id !== resourceId)) return no('firstVideoId');
    place.course_id = lesson.course_id;
    place.lesson_id = lesson.id;
    // Whole seconds, within the length where that is known.
    if (position !== undefined)
      place.position = Math.floor(lesson.duration > 0 ? Math.min(position, lesson.duration) : position);
  }
  if (questionId !== undefined) {
    const question = (await readQuestions(query, [questionId])).get(questionId);
    if (question?.packId !== packId) return no('questionId');
    if (recordId === undefined) {
      const kept = await parts.gradesFor(query, userId).keptBack([{ questionId, packId }]);
      if (kept.size > 0) return no('questionId');
    } else if (!(await readSeenQuestion(parts, { userId, recordId, questionId }))) return no('recordId');
    place.question_id = questionId;
    place.record_id = recordId ?? null;
    place.course_id ||= (await courseOfChapter(query, question.chapterId)) ?? 0;
  } else if (recordId !== undefined) return no('questionId');
  place.course_id ||= (await listCourses(query, packId))[0]?.id ?? 0;
  return place.course_id === 0 ? no('resourceId') : { ok: true, place };
}

/** Follows up on an own entry, where 追问 is offered. */
export function followUp(parts: QaParts, writing: Writing, asked: InputOf<typeof FollowUp>): Promise<Written> {
  return writtenOnce(parts.db.query, writing, asked.clientId, () => writeFollowUp(parts, writing, asked));
}

async function writeFollowUp(parts: QaParts, writing: Writing, asked: InputOf<typeof FollowUp>): Promise<Written> {
  const { query } = parts.db;
  const { person, now } = writing;
  const checked = checkText(asked.feedbackDesc, QA_LONGEST);
  if (!checked.ok) return { ...checked, field: 'feedbackDesc' };
  const none: Refusal = { ok: false, why: 'notFound', field: 'parentId' };
  const parent = await findEntry(query, asked.parentId);
  if (!parent) return none;
  const own = parent.user_id === person.userId;
  const found = await findVisible(parts, person, parent.thread_id ?? parent.id);
  const isWithheldNow = found.ok ? isWithheld(found.thread, found.viewer) : found.why === 'keyHidden';
  // Nothing says that somebody wrote below it: the id of an answer is refused like one that was never given.
  if (isWithheldNow) return own || parent.kind === 'question' ? { ok: false, why: 'keyHidden' } : none;
  if (!found.ok) return found.why === 'notFound' ? none : found;
  const { thread } = found;
  // What is not shown to them is not there for them.
  if (!own && (parent.hidden === 1 || parent.held_words !== '')) return none;
  const follows = { kind: parent.kind, userId: parent.user_id, answered: thread.answered_by !== null };
  if (thread.user_id !== person.userId || !mayFollowUp(follows, person.userId)) return { ok: false, why: 'notAllowed' };
  const counted = await countWriting(query, writing);
  if (!counted.ok) return counted;
  const held = await heldWords(query, thread.feedback_type, checked.text);
  const promisedAt = await promisedAtOf(parts.db.query, now);
  const written = await orImageNotYours(() =>
    parts.db.transaction(async (trx): Promise<Written & { added?: boolean }> => {
      const standing = await lockThread(trx, thread.id);
      if (!standing) return { ok: false, why: 'notFound' };
      const sent = await sentBefore(trx, person.userId, asked.clientId);
      if (sent) return sent.ok ? { ...sent, added: false } : sent;
      if (!hasRoomForMore(await readChildren(trx, [thread.id]))) return { ok: false, why: 'followUpsFull' };
      const { entry, added } = await addEntry(trx, {
        ...entryOf(writing, asked.clientId, checked.text, held),
        ...{ thread_id: thread.id, parent_id: parent.id, kind: 'followUp' },
      });
      if (!added) return { ok: true, ...idsOf(entry), added };
      const takenFor = takenForEntry(entry.id);
      const fileNames = namedImages(asked);
      await saveImages(
        trx,
        entry.id,
        await takeImages(trx, { userId: person.userId, opt: imageOpt.qa, fileNames, takenFor }),
      );
      // One that waits already keeps its promise.
      if (standing.waiting === 0)
        await changeThread(trx, thread.id, { promised_at: promisedAt, due_at: promisedAt ?? now });
      await raiseVersion(trx, thread.id);
      await restand(trx, standing);
      const teacherId = standing.teacher_id ?? standing.answered_by;
      if (teacherId !== null && held.length === 0)
        await saveNotices(trx, parts.random, now, [await followedUp(trx, entry.id, teacherId, thread.id)]);
      return { ok: true, ...idsOf(entry), added };
    }),
  );
  if (!written.ok || ('added' in written && !written.added)) await counted.undo();
  return written;
}

/** What a teacher is told of a follow-up: which question has one. */
export async function followedUp(trx: Trx, entryId: number, teacherId: number, qaId: number): Promise<Notice> {
  const question = (await readEntries(trx, [qaId])).get(qaId)?.feedback_desc ?? '';
  return {
    userId: teacherId,
    event: `qaFollowUp:${entryId}`,
    kind: 'qaFollowedUp',
    words: { question: beginningOf(question) },
    qaId,
  };
}

/** Says something under a question that other students see. */
export function saveComment(
  parts: QaParts,
  writing: Writing,
  said: InputOf<typeof SaveQuestionComment>,
): Promise<Written> {
  return writtenOnce(parts.db.query, writing, said.clientId, () => writeComment(parts, writing, said));
}

async function writeComment(
  parts: QaParts,
  writing: Writing,
  { id, parentId, comment, clientId }: InputOf<typeof SaveQuestionComment>,
): Promise<Written> {
  const { query } = parts.db;
  const { person } = writing;
  const checked = checkText(comment, QA_LONGEST);
  if (!checked.ok) return { ...checked, field: 'comment' };
  const found = await findVisible(parts, person, id);
  if (!found.ok) return found;
  const { thread, viewer } = found;
  if (thread.question_id !== null && viewer.hidden.has(thread.question_id)) return { ok: false, why: 'keyHidden' };
  // Under what nobody else sees there is nobody to talk to.
  if (thread.listed === 0) return { ok: false, why: 'notFound', field: 'id' };
  const repliedIn = (within: Query) => findRepliedTo(within, { threadId: id, parentId, viewer });
  const before = await repliedIn(query);
  if (!before.ok) return before;
  // A teacher answers many in a row, and releases what is held.
  const byTeacher = person.role === 'teacher';
  const counted = byTeacher ? null : await countWriting(query, writing);
  if (counted?.ok === false) return counted;
  const held = byTeacher ? [] : await heldWordsIn(query, checked.text);
  const { added, ...written } = await parts.db.transaction(async (trx): Promise<Written & { added: boolean }> => {
    const standing = await lockThread(trx, id);
    if (!standing || standing.listed === 0) return { ok: false, why: 'notFound', added: false };
    // Deleted or hidden since: its author is not told words that are gone.
    const there = await repliedIn(trx);
    if (!there.ok) return { ...there, added: false };
    const { replied } = there;
    const { entry, added } = await addEntry(trx, {
      ...entryOf(writing, clientId, checked.text, held),
      ...{ thread_id: id, parent_id: parentId ?? id, kind: 'comment', by_teacher: byTeacher ? 1 : 0 },
    });
    if (added) await changeThread(trx, id, commentCounted(standing, held.length === 0));
    if (added && byTeacher && replied && replied.user_id !== person.userId)
      await saveNotices(trx, parts.random, writing.now, [await repliedTo(trx, { entry, replied, thread: standing })]);
    return { ok: true, ...idsOf(entry), added };
  });
  if (!added) await counted?.undo();
  return written;
}

/** The comment that is replied to, which all see who see the reply; null: nothing is named, the question itself is meant. */
async function findRepliedTo(
  query: Query,
  { threadId, parentId, viewer }: { threadId: number; parentId: number | undefined; viewer: Viewer },
): Promise<{ ok: true; replied: StoredEntry | null } | Refusal> {
  if (parentId === undefined) return { ok: true, replied: null };
  const replied = await findEntry(query, parentId);
  const isThere = replied?.kind === 'comment' && replied.thread_id === threadId && isShown(replied, viewer);
  const isBuried = async (viewerId: number) => (await readBuried(query, threadId, viewerId)).includes(parentId);
  if (!isThere || (!viewer.teacher && (await isBuried(viewer.userId))))
    return { ok: false, why: 'notFound', field: 'parentId' };
  const isUnseen = replied.hidden === 1 || replied.held_words !== '' || (await isBuried(0));
  return isUnseen ? { ok: false, why: 'commentUnseen', field: 'parentId' } : { ok: true, replied };
}

/** What the author of a comment is told of a teacher's reply. */
export async function repliedTo(
  trx: Trx,
  { entry, replied, thread }: { entry: StoredEntry; replied: StoredEntry; thread: StoredThread },
): Promise<Notice> {
  const teacher = (await readPeople(trx, [entry.user_id])).get(entry.user_id)?.nickname || '老师';
  return {
    userId: replied.user_id,
    event: replyEvent(entry.id),
    kind: 'qaCommentReplied',
    words: { teacher, comment: beginningOf(replied.feedback_desc) },
    qaId: thread.id,
    ...(thread.question_id === null ? {} : { questionId: thread.question_id }),
  };
}

/** That a teacher replied to a comment. */
export const replyEvent = (replyId: number) => `qaCommentReply:${replyId}`;

/** What somebody was told of a comment of theirs: replies to it, and that it was hidden or shown. */
async function eventsOfComment(trx: Trx, id: number): Promise<string[]> {
  return [
    ...(await readReplies(trx, id)).map(replyEvent),
    visibilityEvent(id, true, ''),
    visibilityEvent(id, false, ''),
  ];
}

/** That an entry is taken out of sight or shown. @param moment '': at any time */
export const visibilityEvent = (id: number, hidden: boolean, moment: number | '') =>
  `${hidden ? 'qaHide' : 'qaShow'}:${id}:${moment}`;

const commentCounted = ({ comment_count, held }: StoredThread, shown: boolean) =>
  shown ? { comment_count: comment_count + 1 } : { held: held + 1 };

/** Asks the same as somebody else (同问), or finds an answer useful (有用); or takes that back. */
export async function flagEntry(
  parts: QaParts,
  { person, now }: Pick<Writing, 'person' | 'now'>,
  { id, flag }: { id: number; flag: boolean },
): Promise<{ ok: true; flagCount: number } | Refusal> {
  const { userId } = person;
  const entry = await findEntry(parts.db.query, id);
  if (entry?.kind === 'answer') return flagAnswer(parts, { person, now }, { entry, flag });
  const found = await findVisible(parts, person, id);
  // What one sits now can be let go of, too.
  if (!found.ok && (flag || found.why !== 'keyHidden')) return found;
  if (found.ok && found.thread.listed === 0) return { ok: false, why: 'notFound', field: 'id' };
  const flagCount = await parts.db.transaction((trx) => setFlag(trx, { threadId: id, userId, flag, now }), {
    idempotent: () => true,
  });
  return { ok: true, flagCount };
}

async function flagAnswer(
  parts: QaParts,
  { person, now }: Pick<Writing, 'person' | 'now'>,
  { entry, flag }: { entry: StoredEntry; flag: boolean },
): Promise<{ ok: true; flagCount: number } | Refusal> {
  const none: Refusal = { ok: false, why: 'notFound', field: 'id' };
  const found = await findVisible(parts, person, entry.thread_id ?? 0);
  // Nothing says that there is an answer to who may not see it: not even that it is withheld.
  if (!found.ok) return found.why === 'keyHidden' ? none : found;
  if (isWithheld(found.thread, found.viewer) || !isShown(entry, found.viewer)) return none;
  const given = { entryId: entry.id, userId: person.userId, useful: flag, now };
  const flagCount = await parts.db.transaction((trx) => setUseful(trx, given), { idempotent: () => true });
  return { ok: true, flagCount };
}

/** Deletes an own question that nobody has answered, or an own comment. What was written is gone, and so are its pictures. */
export async function deleteEntry(
  parts: QaParts,
  { userId, id, now }: { userId: number; id: number; now: number },
): Promise<{ ok: true } | Refusal> {
  return parts.db.transaction(
    async (trx): Promise<{ ok: true } | Refusal> => {
      const entry = await findEntry(trx, id);
      if (!entry) {
        // Deleted before: twice is the same as once.
        const own = (await readEntries(trx, [id])).get(id)?.user_id === userId;
        return own ? { ok: true } : { ok: false, why: 'notFound' };
      }
      if (entry.user_id !== userId) return { ok: false, why: 'notFound' };
      if (entry.kind !== 'question' && entry.kind !== 'comment') return { ok: false, why: 'notAllowed' };
      const thread = await lockThread(trx, entry.thread_id ?? entry.id);
      // Deleted by the same call beside this one.
      if ((await findEntry(trx, id)) === undefined) return { ok: true };
      if (!thread) return { ok: false, why: 'notFound' };
      if (entry.kind === 'question') {
        // That it cannot be deleted any more would tell who sits its exam question that it was answered.
        const hidden = await parts.gradesFor(trx, userId).hidden();
        if (thread.question_id !== null && hidden.has(thread.question_id)) return { ok: false, why: 'keyHidden' };
        if (thread.answered_by !== null) return { ok: false, why: 'notAllowed' };
      }
      await changeEntry(trx, id, { deleted_at: now, feedback_desc: '', held_words: '' });
      await forgetImages(trx, id);
      await releaseImages(trx, takenForEntry(id));
      await restand(trx, thread);
      if (entry.kind === 'question') {
        await deleteTerms(trx, thread.pack_id, thread.id, termsOf(entry.feedback_desc));
        await setTags(trx, id, [], false);
        await deleteNoticesAbout(trx, id);
      } else {
        await deleteNoticesOfEvents(trx, userId, await eventsOfComment(trx, id));
        if (entry.by_teacher === 1) await deleteNoticesAbout(trx, thread.id, { event: replyEvent(id) });
      }
      return { ok: true };
    },
    { idempotent: () => true },
  );
}
