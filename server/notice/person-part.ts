import type { Db } from '#server/db/open.ts';
import type { PersonPart } from '#server/person-part.ts';
import { deleteNoticesOf, readNotices } from './store.ts';
import { onTheWire } from './worded.ts';

const AT_ONCE = 200;

/**
 * Of a person: what the school told them.
 * @param hiddenFrom the questions of which nothing may be told to somebody now
 */
export function noticePart({ query }: Db, hiddenFrom: (userId: number) => Promise<ReadonlySet<number>>): PersonPart {
  return {
    name: '通知',
    async *rows(userId) {
      const reader = { userId, hidden: await hiddenFrom(userId) };
      for (let offset = 0; ; offset += AT_ONCE) {
        const { notices } = await readNotices(query, reader, { limit: AT_ONCE, offset });
        for (const notice of notices) {
          const { name, content, createdAt } = onTheWire(notice);
          yield { name, content, createdAt };
        }
        if (notices.length < AT_ONCE) return;
      }
    },
    forget: deleteNoticesOf,
  };
}
