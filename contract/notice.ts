import { Type } from 'typebox';
import { ClientId, call, HEAVY, Id, Millis, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { socket } from './socket.ts';
import { announcementStates, noticeKinds, noticeTopics } from './values/notice.ts';

const SOURCE = 'docs/decisions/044-notices.md';
const unread = {
  count: Type.Integer({ description: 'notices that the caller has not looked at, what the school announces too' }),
  announced: Type.Integer({ description: 'of these, what the school announces: shown in the notice dialog' }),
};

export const ListNotices = call('GET /app/common/notice', {
  says: 'What the school has told the caller, newest first.',
  source: 'spec §3 Notice; decisions §2; docs/decisions/025-notices.md',
  who: 'user',
  input: Type.Object({
    pageNum: PageNum,
    pageSize: PageSize,
    beforeAt: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'only what was told before this moment is listed and counted, so that pages stay as they are while one reads',
      }),
    ),
  }),
  data: Type.Object({
    ...Page(
      Type.Object({
        id: Id,
        name: Type.String({ description: 'the heading, in Chinese' }),
        content: Type.String({ description: 'plain text, in Chinese' }),
        kind: OneOf(noticeKinds, {
          description: 'which words of contract/values/notice.ts it has, for other languages',
        }),
        words: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
          description: 'what the words are filled with',
        }),
        recordId: Nullable(Id),
        qaId: Nullable(Type.Integer({ description: 'the question of Q&A that it is about; null: none' })),
        createdAt: Millis,
        unread: Type.Boolean(),
      }),
    ).properties,
    beforeAt: Type.Integer({ description: 'to be sent with the next page' }),
  }),
  limits: HEAVY,
});

export const CountUnreadNotices = call('GET /app/common/notice_unread', {
  says: 'How many notices the caller has not looked at.',
  source: 'docs/decisions/025-notices.md',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object(unread),
});

export const SeeNotices = call('POST /app/common/notice_seen', {
  says: 'Says which notices the caller has looked at; answers what is still unread.',
  source: 'docs/decisions/025-notices.md',
  who: 'user',
  input: Type.Object({ noticeIds: Type.Array(Id, { minItems: 1, maxItems: 200 }) }),
  data: Type.Object(unread),
});

export const WatchNotices = socket('/app/common/notice_watch', {
  says: 'Says what is unread, at once and whenever it changes.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({}),
  message: Type.Object(unread),
});

export const ListUnseenAnnouncements = call('GET /app/common/announcement', {
  says: 'What the school announces now and the caller has not read, the oldest first: for the notice dialog.',
  source: `spec §4 Notice dialog; ${SOURCE}`,
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(
      Type.Object({ id: Id, name: Type.String(), content: Type.String({ description: 'plain text' }), fromAt: Millis }),
    ),
  }),
});

const Topic = OneOf(noticeTopics, { description: 'kinds of notices that a person may want or not' });

export const ListNoticeTopics = call('GET /app/common/notice_topics', {
  says: 'What the caller is told of, of that which they may choose.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Type.Object({ topic: Topic, wanted: YesNo })) }),
});

export const ChooseNoticeTopic = call('POST /app/common/notice_topic', {
  says: 'Says whether the caller wants to be told of something from now on.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({ topic: Topic, wanted: YesNo }),
  data: Type.Object({ topic: Topic, wanted: YesNo }),
});

// ---- what a school announces ----

const Moment = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'epoch milliseconds' });

const Announcement = Type.Object({
  id: Id,
  name: Type.String(),
  content: Type.String(),
  packId: Nullable(Type.Integer({ description: 'its students are told; null: everybody' })),
  packName: Type.String({ description: 'empty: everybody' }),
  fromAt: Millis,
  untilAt: Millis,
  createdAt: Millis,
  userName: Type.String({ description: 'the teacher who announced it; empty: a command did' }),
  state: OneOf(announcementStates),
  withdrawnAt: Nullable(Millis),
  withdrawnBy: Type.String({ description: 'the teacher who withdrew it; empty: none, or a command' }),
  readers: Type.Integer({ description: 'how many people have read it' }),
});

export const ListAnnouncements = call('GET /app/common/announcement_list', {
  says: 'What the school has announced, the newest first, and for whom it can announce something.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Type.Object({
    ...Page(Announcement).properties,
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String() })),
  }),
  limits: HEAVY,
});

export const Announce = call('POST /app/common/announce', {
  says: 'Tells everybody, or the students of a pack, something for a time. The same `clientId` sent again is the same announcement.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({
    name: Type.String({ maxLength: 1000, description: 'at most 50 characters' }),
    content: Type.String({ maxLength: 10_000, description: 'plain text of at most 2,000 characters' }),
    packId: Type.Optional(Type.Integer({ ...Id, description: 'left out: everybody' })),
    fromAt: Type.Optional(Type.Integer({ ...Moment, description: 'epoch milliseconds; left out: now' })),
    untilAt: Moment,
    clientId: ClientId,
  }),
  data: Announcement,
  refuses: ['announceNoName', 'announceNoContent', 'announceTimes', 'textTooLong', 'notFound'],
});

export const WithdrawAnnouncement = call('POST /app/common/announce_withdraw', {
  says: 'Takes back what was announced: nobody sees it any more. Twice is the same as once.',
  source: SOURCE,
  who: 'teacher',
  input: Type.Object({ id: Id }),
  data: Announcement,
  refuses: ['notFound'],
});
