import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import type { LessonsOfMedia } from './lessons-of-media.ts';
import { deleteForgotten } from './manage.ts';
import { holdReleased, readReleased, releaseMedia } from './store.ts';

const DAY = 24 * 60 * 60_000;
/** How long media stays that its pack has replaced and nobody shows: an import that was a mistake is undone by the next one. */
const KEPT_FOR = 7 * DAY;

/**
 * Media of packs that name them no more are forgotten after a week in which nobody showed them; their files then belong to
 * nothing, and go the way of those (server/forgotten-files.ts).
 */
export function mediaChores(
  { db }: Pick<Parts, 'db'>,
  lessons: Pick<LessonsOfMedia, 'used' | 'gone'>,
): readonly Chore[] {
  return [
    {
      name: 'media: forget what packs replaced',
      every: DAY,
      run: async (now) => {
        const released = await readReleased(db.query, now - KEPT_FOR);
        const used = await lessons.used(db.query, 'too');
        await db.transaction(async (trx) => {
          await releaseMedia(
            trx,
            released.filter((id) => used.has(id)),
            now,
          );
          const gone = await holdReleased(
            trx,
            released.filter((id) => !used.has(id)),
            now - KEPT_FOR,
          );
          for (const id of gone) await deleteForgotten(trx, lessons, id, now);
        });
      },
    },
  ];
}
