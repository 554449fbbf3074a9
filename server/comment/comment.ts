import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListComments, ManageComments, PackComment, ReplyComment, SaveComment } from '#contract/comment.ts';
import type { Why } from '#contract/envelope.ts';
import { COMMENT_LONGEST } from '#contract/values/comment.ts';
import { pagesFrom, placeOf, placeText } from '#rules/paging/place.ts';
import { checkText } from '#rules/qa/text.ts';
import { beginningOf } from '#rules/wording/beginning.ts';
import type { PackAccess } from '#server/course/access.ts';
import { findStudiedPack } from '#server/course/pack-store.ts';
import { isCourseOf, listCourses, readPackNames } from '#server/course/store.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { deleteNoticesOfEvents, saveNotices } from '#server/notice/store.ts';
import type { Parts } from '#server/parts.ts';
import { findLesson, readLessonNames } from '#server/play/lesson-store.ts';
import { countEvent, oneAtATime } from '#server/user/rate-limit.ts';
import { readPeople } from '#server/user/store.ts';
import {
  addComment,
  changeComment,
  deleteOwn,
  findComment,
  findSent,
  lockComment,
  readComments,
  readPraised,
  readReplies,
  type StoredComment,
  setPraise,
} from './store.ts';

/** What the calls of comments share. */
export interface CommentParts extends Pick<Parts, 'db' | 'random'> {
  access: PackAccess;
  /** The words of the school's list that a text has: it waits for a teacher then. */
  heldWordsIn(text: string): Promise<string[]>;
}

type Comment = DataOf<typeof SaveComment>;
type Taught = DataOf<typeof ManageComments>['list'][number];
type Refusal = { ok: false; why: Why };

/** Comments of one student: more than anyone writes, fewer than a script likes. */
const LIMIT = [
  { most: 6, within: 60_000 },
  { most: 60, within: 60 * 60_000 },
  { most: 150, within: 24 * 60 * 60_000 },
];

/** Comments as students see them, or (`viewerId` null) teachers. */
async function shown(query: Query, comments: readonly StoredComment[], viewerId: number | null): Promise<Comment[]> {
  const ids = comments.map(({ id }) => id);
  const replies = Map.groupBy(await readReplies(query, ids, viewerId === null), ({ parent_id }) => parent_id);
  const people = await readPeople(
    query,
    [...comments, ...[...replies.values()].flat()].map(({ user_id }) => user_id),
  );
  const praised = viewerId === null ? new Set<number>() : await readPraised(query, viewerId, ids);
  const common = ({ id, user_id, comment, created_at }: StoredComment) => ({
    id,
    nickname: people.get(user_id)?.nickname ?? '',
    comment,
    createTime: Math.floor(created_at / 1000),
  });
  return comments.map((row) => ({
    ...common(row),
    avatarUrl: people.get(row.user_id)?.avatarUrl ?? '',
    praiseState: praised.has(row.id) ? 1 : 0,
    praiseCount: row.praise_count,
    pinned: row.pinned === 1,
    mine: row.user_id === viewerId,
    hidden: row.hidden === 1,
    ...heldOf(row, viewerId),
    firstVideoId: row.lesson_id,
    childes: (replies.get(row.id) ?? []).map(common),
  }));
}

/** Why it is held is told to its writer and to teachers (`viewerId` null). */
function heldOf({ held_words: words, user_id: by }: StoredComment, viewerId: number | null) {
  const told = words !== '' && (viewerId === null || by === viewerId);
  return { held: told, heldWords: told ? (JSON.parse(words) as string[]) : [] };
}

/** The id before which a reader who began now goes on reading. */
const boundOf = (asked: number | undefined, newestId: number | null) =>
  asked ?? (newestId === null ? null : newestId + 1);

interface PageAsked {
  pageNum: number;
  pageSize: number;
  beforeId?: number | undefined;
  after?: string | undefined;
}

/** A page as its reader asked for it: by its number, or behind the last comment that they read. */
async function readPage(
  query: Query,
  filter: Omit<Parameters<typeof readComments>[1], 'beforeId'>,
  { pageNum, pageSize, beforeId, after: from }: PageAsked,
  pinnedFirst: boolean,
) {
  const after = from === undefined ? null : placeOf(from);
  const offset = after === null ? (pageNum - 1) * pageSize : 0;
  const bounds = { limit: pageSize, offset, pinnedFirst };
  const { comments, total, newestId, next } = await readComments(query, { ...filter, beforeId }, bounds, after);
  const pages = after === null ? Math.ceil(total / pageSize) : pagesFrom(pageNum, total, pageSize);
  return {
    comments,
    page: { total, pages, pageNum, beforeId: boundOf(beforeId, newestId), next: next && placeText(next) },
  };
}

/** A page of the comments on a pack, a course or a lesson of it; null: the pack has no such course or lesson. */
export async function listComments(
  { query }: Pick<Db, 'query'>,
  viewerId: number,
  asked: InputOf<typeof ListComments>,
): Promise<DataOf<typeof ListComments> | null> {
  const { courseId, firstVideoId } = asked;
  const isOfOne = courseId !== undefined || firstVideoId !== undefined;
  return isOfOne && (await courseOf(query, asked)) === null ? null : listOf(query, viewerId, asked);
}

async function listOf(
  query: Query,
  viewerId: number,
  { packId, courseId, firstVideoId, page: pageNum, ...asked }: InputOf<typeof ListComments>,
): Promise<DataOf<typeof ListComments>> {
  const filter = { packId, courseId, lessonId: firstVideoId, viewerId };
  const { comments, page } = await readPage(query, filter, { pageNum, ...asked }, true);
  return { list: await shown(query, comments, viewerId), ...page };
}

/** A page of the comments on a pack and its lessons for anybody who considers it; null: it is not on offer. */
export async function listPackComments(
  { query }: Pick<Db, 'query'>,
  viewerId: number | null,
  { pageNum, ...asked }: InputOf<typeof PackComment>,
): Promise<DataOf<typeof PackComment> | null> {
  if (!(await findStudiedPack(query, asked.packId))) return null;
  // No person has the id 0: a visitor wrote none of them.
  return listOf(query, viewerId ?? 0, { page: pageNum, ...asked });
}

type Said = InputOf<typeof SaveComment> & { userId: number; now: number };

/** Writes a comment of a student. */
export function saveComment(parts: CommentParts, said: Said): Promise<{ ok: true; comment: Comment } | Refusal> {
  const { userId, clientId } = said;
  const write = () => writeComment(parts, said);
  return clientId === undefined ? write() : oneAtATime(`comment ${userId} ${clientId}`, write);
}

async function writeComment(
  { db: { query }, heldWordsIn }: CommentParts,
  { userId, now, ...asked }: Said,
): Promise<{ ok: true; comment: Comment } | Refusal> {
  const checked = checkText(asked.comment, COMMENT_LONGEST);
  if (!checked.ok) return checked;
  const asShown = async (row: StoredComment): Promise<{ ok: true; comment: Comment } | Refusal> => {
    const [own] = row.deleted_at === null ? await shown(query, [row], userId) : [];
    return own ? { ok: true, comment: own } : { ok: false, why: 'notFound' };
  };
  const { clientId } = asked;
  const sent = clientId === undefined ? undefined : await findSent(query, userId, clientId);
  if (sent) return asShown(sent);
  const courseId = await courseOf(query, asked);
  if (courseId === null) return { ok: false, why: 'notFound' };
  const counted = await countEvent(query, `comment:${userId}`, LIMIT, now);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  const { packId, firstVideoId } = asked;
  const { comment, added } = await addComment(query, {
    userId,
    packId,
    courseId,
    lessonId: firstVideoId ?? null,
    parentId: null,
    comment: checked.text,
    clientId: clientId ?? null,
    heldWords: await heldWordsIn(checked.text),
    now,
  });
  if (!added) await counted.undo();
  return asShown(comment);
}

/** The course that is commented on: of the lesson, or the one that is named, or the first of the pack; null: there is none. */
async function courseOf(
  query: Query,
  { packId, courseId, firstVideoId }: Pick<InputOf<typeof SaveComment>, 'packId' | 'courseId' | 'firstVideoId'>,
): Promise<number | null> {
  if (firstVideoId !== undefined) {
    const lesson = await findLesson(query, packId, firstVideoId);
    return lesson && (courseId === undefined || courseId === lesson.course_id) ? lesson.course_id : null;
  }
  if (courseId !== undefined) return (await isCourseOf(query, packId, courseId)) ? courseId : null;
  return (await listCourses(query, packId))[0]?.id ?? null;
}

/** Likes a comment that the student can see, or takes the like back. */
export async function praiseComment(
  { db, access }: CommentParts,
  { userId, id, praised, now }: { userId: number; id: number; praised: boolean; now: number },
): Promise<{ ok: true; praiseCount: number } | Refusal> {
  const row = await findComment(db.query, id);
  if (!row || row.parent_id !== null || (row.hidden === 1 && row.user_id !== userId))
    return { ok: false, why: 'notFound' };
  const may = await access.mayOpen(userId, row.pack_id);
  if (!may.ok) return may;
  // Liking twice is the same as once.
  const praiseCount = await db.transaction((trx) => setPraise(trx, { commentId: id, userId, praised, now }), {
    idempotent: () => true,
  });
  return { ok: true, praiseCount };
}

const replyEvent = (replyId: number) => `commentReply:${replyId}`;

/** What the writer of a comment was told of a reply that is out of sight goes with it. */
async function untellReplied(trx: Trx, { id, parentId }: { id: number; parentId: number }): Promise<void> {
  const replied = await findComment(trx, parentId);
  if (replied) await deleteNoticesOfEvents(trx, replied.user_id, [replyEvent(id)]);
}

/** Deletes an own comment, and what its writer was told of it, which says its words. */
export async function deleteComment(
  { db }: CommentParts,
  own: { userId: number; id: number; now: number },
): Promise<boolean> {
  return db.transaction(
    async (trx) => {
      const gone = await deleteOwn(trx, own);
      if (gone === null) return false;
      await deleteNoticesOfEvents(trx, own.userId, gone.replies.map(replyEvent));
      if (gone.parentId !== null) await untellReplied(trx, { id: own.id, parentId: gone.parentId });
      return true;
    },
    { idempotent: () => true },
  );
}

// ---- for teachers ----

async function taught(query: Query, rows: readonly StoredComment[]): Promise<Taught[]> {
  const comments = await shown(query, rows, null);
  const packs = await readPackNames(
    query,
    rows.map(({ pack_id }) => pack_id),
  );
  const lessons = await readLessonNames(
    query,
    rows.flatMap(({ lesson_id }) => lesson_id ?? []),
  );
  const people = await readPeople(
    query,
    rows.map(({ user_id }) => user_id),
  );
  return rows.flatMap((row, at) => {
    const comment = comments[at];
    if (!comment) return [];
    return {
      ...comment,
      packId: row.pack_id,
      packName: packs.get(row.pack_id) ?? '',
      firstVideoName: lessons.get(row.lesson_id ?? 0)?.name ?? '',
      validPhoneExt: people.get(row.user_id)?.validPhoneExt ?? '',
    };
  });
}

/** A page of the comments of all packs. */
export async function manageComments(
  { query }: Db,
  { packId, unanswered, ...asked }: InputOf<typeof ManageComments>,
): Promise<DataOf<typeof ManageComments>> {
  const filter = { packId, unanswered: unanswered === 1, viewerId: null };
  const { comments, page } = await readPage(query, filter, asked, false);
  return { list: await taught(query, comments), ...page };
}

type Changed = { ok: true; comment: Taught } | Refusal;

/** Replies to a comment, whose writer is told; a reply to a reply stands under the same comment. */
export async function replyComment(
  { db, random }: CommentParts,
  { id, comment: typed, clientId, teacherId, now }: InputOf<typeof ReplyComment> & { teacherId: number; now: number },
): Promise<Changed> {
  const { query } = db;
  const checked = checkText(typed, COMMENT_LONGEST);
  if (!checked.ok) return checked;
  const top = await topComment(query, id);
  if (!top) return { ok: false, why: 'notFound' };
  await db.transaction(async (trx) => {
    const row = await lockComment(trx, top.id);
    // Deleted since: nothing is left to reply to, and its writer is not told words that are gone.
    if (!row) return;
    const { comment: reply, added } = await addComment(trx, {
      userId: teacherId,
      ...{ packId: row.pack_id, courseId: row.course_id, lessonId: row.lesson_id, parentId: row.id },
      comment: checked.text,
      clientId: clientId ?? null,
      heldWords: [],
      now,
    });
    if (added) await tellReplied(trx, random, now, { row, reply });
  });
  return reread(query, top.id);
}

/** Tells the writer of a comment of a reply to it. */
async function tellReplied(
  trx: Trx,
  random: CommentParts['random'],
  now: number,
  { row, reply }: { row: StoredComment; reply: StoredComment },
): Promise<void> {
  if (row.user_id === reply.user_id) return;
  const teacher = (await readPeople(trx, [reply.user_id])).get(reply.user_id)?.nickname || '老师';
  const words = {
    ...{ teacher, comment: beginningOf(row.comment) },
    ...{ packId: row.pack_id, courseId: row.course_id, lessonId: row.lesson_id ?? 0 },
  };
  await saveNotices(trx, random, now, [
    { userId: row.user_id, event: replyEvent(reply.id), kind: 'commentReplied', words },
  ]);
}

/** Pins or hides a comment, or hides a reply: its notice goes with it, and comes again when it is shown again. */
export async function changeByTeacher(
  { db, random }: CommentParts,
  { id, now }: { id: number; now: number },
  change: { pinned?: 0 | 1; hidden?: 0 | 1 },
): Promise<Changed> {
  const found = await findComment(db.query, id);
  if (!found || (change.pinned !== undefined && found.parent_id !== null)) return { ok: false, why: 'notFound' };
  await db.transaction(
    async (trx) => {
      const reply = await lockComment(trx, id);
      if (!reply) return;
      await changeComment(trx, id, change);
      if (reply.parent_id === null || change.hidden === undefined || change.hidden === reply.hidden) return;
      if (change.hidden === 1) return untellReplied(trx, { id, parentId: reply.parent_id });
      const row = await findComment(trx, reply.parent_id);
      if (row) await tellReplied(trx, random, now, { row, reply });
    },
    { idempotent: () => true },
  );
  return reread(db.query, found.parent_id ?? found.id);
}

async function topComment(query: Query, id: number): Promise<StoredComment | undefined> {
  const row = await findComment(query, id);
  return row?.parent_id == null ? row : findComment(query, row.parent_id);
}

async function reread(query: Query, id: number): Promise<Changed> {
  const row = await findComment(query, id);
  const [comment] = row ? await taught(query, [row]) : [];
  return comment ? { ok: true, comment } : { ok: false, why: 'notFound' };
}
