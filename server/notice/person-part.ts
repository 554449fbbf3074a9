import type { PersonPart } from '#server/person-part.ts';
import { deleteChoicesOf, readUnwanted } from './announcement-store.ts';
import type { NoticeParts } from './parts.ts';
import { deleteNoticesOf, readNotices } from './store.ts';
import { readerOf } from './unread.ts';
import { onTheWire } from './worded.ts';

const AT_ONCE = 200;

/** Of a person: what the school told them, and of what they do not want to be told. */
export function noticePart(parts: NoticeParts): PersonPart {
  const { clock, db } = parts;
  return {
    name: '通知',
    async *rows(userId) {
      const unwanted = (await readUnwanted(db.query, [userId])).get(userId);
      if (unwanted) yield { unwanted: [...unwanted] };
      const reader = await readerOf(parts, userId, clock());
      for (let offset = 0; ; offset += AT_ONCE) {
        const { list } = await readNotices(db.query, reader, { limit: AT_ONCE, offset });
        for (const told of list) {
          if ('announcement' in told) {
            const { name, content, from_at: createdAt } = told.announcement;
            yield { name, content, createdAt };
          } else {
            const { name, content, createdAt } = onTheWire(told.notice);
            yield { name, content, createdAt };
          }
        }
        if (list.length < AT_ONCE) return;
      }
    },
    async forget(trx, userId) {
      await deleteNoticesOf(trx, userId);
      await deleteChoicesOf(trx, userId);
    },
  };
}
