import { readSite } from '#web/lib/site.ts';

/** What the course play page tells a collector of the school's, with what it says beside (spec §2, §4: the names in words are the spec's). */
interface PlayEvents {
  /** A folder of the directory was opened or closed. */
  play_chapter_change: { id: number; level: number; expanded: boolean };
  /** A lesson was chosen: a sound, or anything else. */
  'audio selected': { packId: number; lessonId: number };
  'video selected': { packId: number; lessonId: number };
  /** A locked lesson was asked for. */
  'video locked': { packId: number; lessonId: number };
  /** The last lesson has no next one. */
  'last video': { packId: number; lessonId: number };
  /** A lesson was finished. */
  play_lesson_finished: { packId: number; lessonId: number };
  /** A tab of the side panel was opened. */
  play_tab_change: { tab: number };
}

type Collector = <N extends keyof PlayEvents>(name: N, detail: PlayEvents[N]) => void;

/** Where the school collects events (PLAY_COLLECTOR_URL); null: nowhere, which is so until it says where. */
let address: string | null | undefined;

/**
 * Tells that something happened: to the school's own collector where a setting names one, and to scripts that the school loads beside this
 * page, as `lixue:play` on `window`. Nothing in it says who did it. A collector that fails disturbs nobody.
 */
export const track: Collector = (name, detail) => {
  try {
    window.dispatchEvent(new CustomEvent('lixue:play', { detail: { name, ...detail } }));
    address ??= readSite().collector ?? null;
    if (address === null) return;
    const body = JSON.stringify({ name, at: Date.now(), ...detail });
    // As plain text it needs no leave of the other server's (CORS), and it outlives the page. A beacon would carry the cookies of the
    // collector's host: those of our session where that is this host at another port.
    fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'omit', keepalive: true, body }).catch(
      () => undefined,
    );
  } catch (error) {
    console.warn(error);
  }
};
