import { Type } from 'typebox';
import { After, ClientId, call, HEAVY, Id, Next, Nothing, Nullable, Page, PageNum, PageSize, YesNo } from './call.ts';
import { COMMENT_LONGEST } from './values/comment.ts';

const Text = Type.String({
  maxLength: 2 * COMMENT_LONGEST,
  description: `plain text, at most ${COMMENT_LONGEST} code points with CRLF as LF (textTooLong); blank: 请输入内容`,
});
const CreateTime = Type.Integer({ description: 'seconds (spec §9)' });
const CommentId = Type.Integer({ ...Id, description: 'a comment' });
const BeforeId = Type.Integer({
  ...Id,
  description:
    'only older comments than this one are listed and counted, so that pages stay as they are while one reads',
});

const Comment = {
  id: Id,
  avatarUrl: Type.String({ description: 'empty: the default avatar' }),
  nickname: Type.String(),
  comment: Type.String(),
  createTime: CreateTime,
  praiseState: YesNo,
  praiseCount: Type.Integer(),
  pinned: Type.Boolean(),
  mine: Type.Boolean({ description: 'the caller wrote it, and may delete it' }),
  hidden: Type.Boolean({ description: 'out of sight, by a teacher or as it is held; only its author still sees it' }),
  held: Type.Boolean({ description: 'waits for a teacher because of `heldWords`' }),
  heldWords: Type.Array(Type.String(), { description: 'told to its author and teachers alone' }),
  firstVideoId: Nullable(Type.Integer({ description: 'the lesson; null: on the course as a whole' })),
  childes: Type.Array(
    Type.Object({ id: Id, nickname: Type.String(), comment: Type.String(), createTime: CreateTime }),
    { description: 'what teachers replied, oldest first' },
  ),
};

export const ListComments = call('GET /app/comment/list', {
  says: 'Comments on a course, or on one lesson of it: those that are pinned first, then the newest.',
  source: 'spec §7 Course play, §3 Comment; decisions §2',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    courseId: Type.Optional(Id),
    firstVideoId: Type.Optional(Type.Integer({ ...Id, description: 'the lesson' })),
    page: PageNum,
    pageSize: PageSize,
    beforeId: Type.Optional(BeforeId),
    after: After,
  }),
  data: Type.Object({
    ...Page(Type.Object(Comment)).properties,
    beforeId: Nullable(Type.Integer({ description: 'to be sent with the next page; null: there is no comment' })),
    next: Next,
  }),
  refuses: ['notFound', 'notEnrolled'],
});

export const PackComment = call('GET /api/common/pack_comment', {
  says: 'Comments on a pack and its lessons as everybody reads them before joining: those that are pinned first, then the newest.',
  source: 'spec §7 Courses and orders; docs/decisions/045-market.md',
  who: 'visitor',
  input: Type.Object({
    packId: Id,
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: Type.Optional(BeforeId),
    after: After,
  }),
  data: Type.Object({
    ...Page(Type.Object(Comment)).properties,
    beforeId: Nullable(Type.Integer({ description: 'to be sent with the next page; null: there is no comment' })),
    next: Next,
  }),
  refuses: ['notFound'],
});

export const SaveComment = call('POST /app/comment/save', {
  says: 'Writes a comment on a course or on a lesson of it.',
  source: 'spec §5, §2 Course play page; decisions §2',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    courseId: Type.Optional(Id),
    firstVideoId: Type.Optional(Type.Integer({ ...Id, description: 'the lesson' })),
    comment: Text,
    clientId: ClientId,
  }),
  data: Type.Object(Comment),
  refuses: ['notFound', 'notEnrolled', 'commentEmpty', 'textTooLong', 'tooMany'],
});

export const PraiseComment = call('POST /app/comment/praise', {
  says: 'Likes a comment, or takes the like back with `praiseState` 0; twice is the same as once.',
  source: 'spec §2 Course play page; decisions §2',
  who: 'user',
  input: Type.Object({ id: CommentId, praiseState: Type.Optional(YesNo) }),
  data: Type.Object({ praiseState: YesNo, praiseCount: Type.Integer() }),
  refuses: ['notFound', 'notEnrolled'],
});

export const DeleteComment = call('POST /app/comment/delete', {
  says: 'Deletes an own comment with the replies to it; deleting it twice is the same as once.',
  source: 'docs/decisions/031-course-play.md',
  who: 'user',
  input: Type.Object({ id: CommentId }),
  data: Nothing,
  refuses: ['notFound'],
});

// ---- for teachers ----

const TaughtComment = Type.Object({
  ...Comment,
  packId: Id,
  packName: Type.String(),
  firstVideoName: Type.String({ description: 'empty: on the course as a whole' }),
  validPhoneExt: Type.String({ description: 'masked' }),
});

export const ManageComments = call('GET /app/comment/manage', {
  says: 'Comments of all packs for teachers, the newest first; hidden ones too.',
  source: 'docs/decisions/031-course-play.md',
  who: 'teacher',
  input: Type.Object({
    packId: Type.Optional(Id),
    unanswered: Type.Optional(YesNo),
    pageNum: PageNum,
    pageSize: PageSize,
    beforeId: Type.Optional(BeforeId),
    after: After,
  }),
  data: Type.Object({
    ...Page(TaughtComment).properties,
    beforeId: Nullable(Type.Integer({ description: 'to be sent with the next page; null: there is no comment' })),
    next: Next,
  }),
  limits: HEAVY,
});

export const ReplyComment = call('POST /app/comment/reply', {
  says: 'Replies to a comment as a teacher.',
  source: 'spec §6; docs/decisions/031-course-play.md',
  who: 'teacher',
  input: Type.Object({ id: CommentId, comment: Text, clientId: ClientId }),
  data: TaughtComment,
  refuses: ['notFound', 'commentEmpty', 'textTooLong'],
});

export const PinComment = call('POST /app/comment/pin', {
  says: 'Pins a comment above the others of its lesson, or lets it go.',
  source: 'docs/decisions/031-course-play.md',
  who: 'teacher',
  input: Type.Object({ id: CommentId, pinned: YesNo }),
  data: TaughtComment,
  refuses: ['notFound'],
});

export const HideComment = call('POST /app/comment/hide', {
  says: 'Takes a comment or a reply out of sight, or shows it again. Its author still sees it.',
  source: 'docs/decisions/031-course-play.md',
  who: 'teacher',
  input: Type.Object({ id: CommentId, hidden: YesNo }),
  data: TaughtComment,
  refuses: ['notFound'],
});
