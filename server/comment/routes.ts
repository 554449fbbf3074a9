import {
  DeleteComment,
  HideComment,
  ListComments,
  ManageComments,
  PackComment,
  PinComment,
  PraiseComment,
  ReplyComment,
  SaveComment,
} from '#contract/comment.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import {
  type CommentParts,
  changeByTeacher,
  deleteComment,
  listComments,
  listPackComments,
  manageComments,
  praiseComment,
  replyComment,
  saveComment,
} from './comment.ts';

const flag = (value: number): 0 | 1 => (value === 1 ? 1 : 0);

/** Binds the calls of contract/comment.ts. */
export function commentRoutes(serve: Serve, parts: CommentParts): void {
  serve(
    ListComments,
    async ({ input, user }) => (await listComments(parts.db, user.userId, input)) ?? refuse('notFound'),
  );
  serve(PackComment, async ({ input, user }) => {
    return (await listPackComments(parts.db, user?.userId ?? null, input)) ?? refuse('notFound');
  });
  serve(SaveComment, async ({ input, user, arrivedAt }) => {
    const saved = await saveComment(parts, { ...input, userId: user.userId, now: arrivedAt });
    return saved.ok ? saved.comment : refuse(saved.why);
  });
  serve(PraiseComment, async ({ input: { id, praiseState = 1 }, user: { userId }, arrivedAt }) => {
    const done = await praiseComment(parts, { userId, id, praised: praiseState === 1, now: arrivedAt });
    return done.ok ? { praiseState, praiseCount: done.praiseCount } : refuse(done.why);
  });
  serve(DeleteComment, async ({ input: { id }, user: { userId }, arrivedAt }) =>
    (await deleteComment(parts, { id, userId, now: arrivedAt })) ? {} : refuse('notFound'),
  );
  serve(ManageComments, ({ input }) => manageComments(parts.db, input));
  serve(ReplyComment, async ({ input, user, arrivedAt }) => {
    const replied = await replyComment(parts, { ...input, teacherId: user.userId, now: arrivedAt });
    return replied.ok ? replied.comment : refuse(replied.why);
  });
  serve(PinComment, async ({ input: { id, pinned }, arrivedAt: now }) => {
    const changed = await changeByTeacher(parts, { id, now }, { pinned: flag(pinned) });
    return changed.ok ? changed.comment : refuse(changed.why);
  });
  serve(HideComment, async ({ input: { id, hidden }, arrivedAt: now }) => {
    const changed = await changeByTeacher(parts, { id, now }, { hidden: flag(hidden) });
    return changed.ok ? changed.comment : refuse(changed.why);
  });
}
