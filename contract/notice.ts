import { Type } from 'typebox';
import { call, HEAVY, Id, Millis, Nullable, OneOf, Page, PageNum, PageSize } from './call.ts';
import { noticeKinds } from './values/notice.ts';

export const ListNotices = call('GET /app/common/notice', {
  says: 'What the school has told the caller, newest first.',
  source: 'spec §3 Notice; decisions §2; docs/decisions/025-notices.md',
  who: 'user',
  input: Type.Object({ pageNum: PageNum, pageSize: PageSize }),
  data: Page(
    Type.Object({
      id: Id,
      name: Type.String({ description: 'the heading, in Chinese' }),
      content: Type.String({ description: 'plain text, in Chinese' }),
      kind: OneOf(noticeKinds, { description: 'which words of contract/values/notice.ts it has, for other languages' }),
      words: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'what the words are filled with',
      }),
      recordId: Nullable(Id),
      qaId: Nullable(Type.Integer({ description: 'the question of Q&A that it is about; null: none' })),
      createdAt: Millis,
      unread: Type.Boolean(),
    }),
  ),
  limits: HEAVY,
});

export const CountUnreadNotices = call('GET /app/common/notice_unread', {
  says: 'How many notices the caller has not looked at.',
  source: 'docs/decisions/025-notices.md',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ count: Type.Integer() }),
});

export const SeeNotices = call('POST /app/common/notice_seen', {
  says: 'Says which notices the caller has looked at.',
  source: 'docs/decisions/025-notices.md',
  who: 'user',
  input: Type.Object({ noticeIds: Type.Array(Id, { minItems: 1, maxItems: 200 }) }),
  data: Type.Object({ count: Type.Integer({ description: 'still unread' }) }),
});
