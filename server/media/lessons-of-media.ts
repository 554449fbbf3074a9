import type { LessonUse, MediaKind } from '#contract/values/media.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** A lesson that uses a media. */
export interface LessonUsing {
  firstVideoId: number;
  firstVideoName: string;
  packId: number;
  packName: string;
  courseName: string;
  use: LessonUse;
}

/** What lessons have to do with media: no lesson is known here, `app.ts` passes in those of course play. */
export interface LessonsOfMedia {
  /** The lessons on offer that use these media. */
  of(query: Query, mediaIds: readonly number[]): Promise<ReadonlyMap<number, readonly LessonUsing[]>>;
  /** Every media that a lesson uses. @param archived whether lessons count that are no longer on offer, and may be again */
  used(query: Query, archived: 'too' | 'not'): Promise<ReadonlySet<number>>;
  /** Every media that one lesson on offer uses. */
  usedBy(query: Query, lessonId: number): Promise<ReadonlySet<number>>;
  /** A media can be played, or was made anew: lessons that wait for it show it from now on. @param media `duration` in milliseconds */
  ready(trx: Trx, media: { mediaId: number; kind: MediaKind; duration: number }): Promise<void>;
  /** A media is deleted: lessons that are no longer on offer forget it. */
  gone(trx: Trx, mediaId: number): Promise<void>;
}

/** All that media are used for: by lessons, and as replays of live ones. */
export interface UsesOfMedia extends LessonsOfMedia {
  /** Titles of the live lessons whose replays these media are. */
  replays(query: Query, mediaIds: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>;
}
