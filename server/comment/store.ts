import type { Selectable } from 'kysely';
import type { Place } from '#rules/paging/place.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { Comments } from '#server/db/schema.ts';

/** A comment or a reply as it is stored. */
export type StoredComment = Selectable<Comments>;

/** Which comments are listed. */
interface CommentFilter {
  packId?: number | undefined;
  courseId?: number | undefined;
  lessonId?: number | undefined;
  /** Only older ones. */
  beforeId?: number | undefined;
  /** Only those without a reply that their writer sees. */
  unanswered?: boolean | undefined;
  /** Who looks: hidden ones are seen by their author alone; null: a teacher, who sees all. */
  viewerId: number | null;
}

interface PageBounds {
  limit: number;
  offset: number;
  /** Those above all others; they are the part of a place that waits. */
  pinnedFirst: boolean;
}

/**
 * A page of comments.
 * @param after only what comes behind this place, from which on `total` counts too
 * @returns `next`: the place of the last one; null: none comes behind it
 */
export async function readComments(
  query: Query,
  filter: CommentFilter,
  { limit, offset, pinnedFirst }: PageBounds,
  after: Place | null,
): Promise<{ comments: StoredComment[]; total: number; newestId: number | null; next: Place | null }> {
  let rows = query.selectFrom('comments').where('parent_id', 'is', null).where('deleted_at', 'is', null);
  const { packId, courseId, lessonId, beforeId, viewerId, unanswered } = filter;
  if (packId !== undefined) rows = rows.where('pack_id', '=', packId);
  if (courseId !== undefined) rows = rows.where('course_id', '=', courseId);
  if (lessonId !== undefined) rows = rows.where('lesson_id', '=', lessonId);
  if (beforeId !== undefined) rows = rows.where('id', '<', beforeId);
  if (viewerId !== null) rows = rows.where((is) => is.or([is('hidden', '=', 0), is('user_id', '=', viewerId)]));
  if (unanswered)
    rows = rows.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('comments as replies')
            .select('replies.id')
            .whereRef('replies.parent_id', '=', 'comments.id')
            .where('replies.hidden', '=', 0)
            .where('replies.deleted_at', 'is', null),
        ),
      ),
    );
  let behind = rows;
  if (after !== null) {
    behind = behind.where((is) =>
      after.waits ? is.or([is('pinned', '=', 0), is('id', '<', after.id)]) : is('id', '<', after.id),
    );
    if (pinnedFirst && !after.waits) behind = behind.where('pinned', '=', 0);
  }
  const count = (counted: typeof rows) =>
    counted
      .select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('id').as('newest')])
      .executeTakeFirstOrThrow();
  const all = await count(rows);
  const total = Number((after === null ? all : await count(behind)).total);
  const ordered = pinnedFirst ? behind.orderBy('pinned', 'desc').orderBy('id', 'desc') : behind.orderBy('id', 'desc');
  const comments = await ordered.selectAll().limit(limit).offset(offset).execute();
  const last = comments.at(-1);
  return {
    comments,
    total,
    newestId: all.newest === null ? null : Number(all.newest),
    next:
      last === undefined || offset + comments.length >= total
        ? null
        : { waits: pinnedFirst && last.pinned === 1, at: 0, id: last.id },
  };
}

/** A comment or a reply that was not deleted. */
export async function findComment(query: Query, id: number): Promise<StoredComment | undefined> {
  return query
    .selectFrom('comments')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** As `findComment`, and nobody deletes it until this transaction ends. */
export async function lockComment(trx: Trx, id: number): Promise<StoredComment | undefined> {
  // An update of nothing holds the row on both databases.
  return trx
    .updateTable('comments')
    .set(({ ref }) => ({ pinned: ref('pinned') }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** The replies to comments, oldest first. `hiddenToo`: for teachers. */
export async function readReplies(query: Query, ids: readonly number[], hiddenToo: boolean): Promise<StoredComment[]> {
  if (ids.length === 0) return [];
  let rows = query
    .selectFrom('comments')
    .selectAll()
    .where('parent_id', 'in', padded(ids))
    .where('deleted_at', 'is', null);
  if (!hiddenToo) rows = rows.where('hidden', '=', 0);
  return rows.orderBy('id').execute();
}

/** Those of these comments that somebody likes. */
export async function readPraised(query: Query, userId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await query
    .selectFrom('comment_praises')
    .select('comment_id')
    .where('comment_id', 'in', padded(ids))
    .where('user_id', '=', userId)
    .execute();
  return new Set(rows.map(({ comment_id }) => comment_id));
}

/** Some of the comments that somebody likes, by the comment's id. */
export async function readPraisesOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; praisedAt: number }[]> {
  return query
    .selectFrom('comment_praises')
    .select(['comment_id as id', 'created_at as praisedAt'])
    .where('user_id', '=', userId)
    .where('comment_id', '>', after)
    .orderBy('comment_id')
    .limit(limit)
    .execute();
}

interface NewComment {
  userId: number;
  packId: number;
  courseId: number;
  lessonId: number | null;
  /** The comment that is replied to. */
  parentId: number | null;
  comment: string;
  clientId: string | null;
  /** The words for which it is hidden until a teacher shows it. */
  heldWords: readonly string[];
  now: number;
}

/** What a person has sent under this name, deleted or not; undefined: nothing yet. */
export async function findSent(query: Query, userId: number, clientId: string): Promise<StoredComment | undefined> {
  return query
    .selectFrom('comments')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** Writes a comment or a reply. @returns it, and whether it is new: of one `clientId` a person has one, however often it is sent */
export async function addComment(
  query: Query,
  comment: NewComment,
): Promise<{ comment: StoredComment; added: boolean }> {
  const added = await query
    .insertInto('comments')
    .values({
      user_id: comment.userId,
      pack_id: comment.packId,
      course_id: comment.courseId,
      lesson_id: comment.lessonId,
      parent_id: comment.parentId,
      comment: comment.comment,
      created_at: comment.now,
      deleted_at: null,
      client_id: comment.clientId,
      hidden: comment.heldWords.length > 0 ? 1 : 0,
      held_words: comment.heldWords.length > 0 ? JSON.stringify(comment.heldWords) : '',
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (added) return { comment: added, added: true };
  const before = await findSent(query, comment.userId, comment.clientId ?? '');
  if (!before) throw new Error('a comment was neither stored nor there');
  return { comment: before, added: false };
}

/**
 * Likes a comment or takes the like back, once however often it is asked: the count changes with the like itself.
 * @returns the count after it
 */
export async function setPraise(
  trx: Trx,
  { commentId, userId, praised, now }: { commentId: number; userId: number; praised: boolean; now: number },
): Promise<number> {
  const changed = praised
    ? await trx
        .insertInto('comment_praises')
        .values({ comment_id: commentId, user_id: userId, created_at: now })
        .onConflict((conflict) => conflict.columns(['comment_id', 'user_id']).doNothing())
        .returning('comment_id')
        .execute()
    : await trx
        .deleteFrom('comment_praises')
        .where('comment_id', '=', commentId)
        .where('user_id', '=', userId)
        .returning('comment_id')
        .execute();
  const { praise_count } = await trx
    .updateTable('comments')
    .set(({ eb }) => ({ praise_count: eb('praise_count', '+', changed.length * (praised ? 1 : -1)) }))
    .where('id', '=', commentId)
    .returning('praise_count')
    .executeTakeFirstOrThrow();
  return praise_count;
}

/** Deletes a comment or a reply of this person. What is left of its text is gone; replies go with it. @returns what it replied to, and the replies that went; null: it is not theirs */
export async function deleteOwn(
  trx: Trx,
  { id, userId, now }: { id: number; userId: number; now: number },
): Promise<{ parentId: number | null; replies: number[] } | null> {
  const [own] = await trx
    .updateTable('comments')
    .set(({ eb }) => ({ deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)), comment: '', held_words: '' }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('parent_id')
    .execute();
  if (!own) return null;
  const replies = await trx
    .updateTable('comments')
    .set({ deleted_at: now })
    .where('parent_id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return { parentId: own.parent_id, replies: replies.map((reply) => reply.id) };
}

/** Changes what teachers decide of a comment. */
export async function changeComment(
  query: Query,
  id: number,
  change: { pinned?: 0 | 1; hidden?: 0 | 1 },
): Promise<void> {
  // Hidden or shown by a teacher, it is held no more.
  const decided = change.hidden === undefined ? {} : { held_words: '' };
  await query
    .updateTable('comments')
    .set({ ...change, ...decided })
    .where('id', '=', id)
    .execute();
}

/** Some of what somebody wrote and did not delete, by its id. */
export async function readCommentsOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; packId: number; courseId: number; comment: string; createdAt: number }[]> {
  return query
    .selectFrom('comments')
    .select(['id', 'pack_id as packId', 'course_id as courseId', 'comment', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
