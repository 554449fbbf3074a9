/** What the course play page tells a collector of the school's, with what it says beside (spec §2, §4). */
interface PlayEvents {
  /** A folder of the directory was opened or closed. */
  play_chapter_change: { id: number; level: number; expanded: boolean };
  /** Another lesson was opened. */
  play_lesson_change: { packId: number; lessonId: number; kind: string };
  /** A lesson was finished. */
  play_lesson_finished: { packId: number; lessonId: number };
  /** A locked lesson was asked for. */
  play_locked: { packId: number; lessonId: number };
  /** The last lesson has no next one. */
  play_last_video: { packId: number; lessonId: number };
  /** A tab of the side panel was opened. */
  play_tab_change: { tab: number };
}

type Collector = <N extends keyof PlayEvents>(name: N, detail: PlayEvents[N]) => void;

let collector: Collector | null = null;

/** Points all events at a school's own collector; null: nobody collects them, which is so until somebody does. */
export function setCollector(collect: Collector | null): void {
  collector = collect;
}

/**
 * Tells that something happened. Scripts of the school that are loaded beside this page hear it as `lixue:play` on `window`.
 * A collector that fails disturbs nobody.
 */
export const track: Collector = (name, detail) => {
  try {
    window.dispatchEvent(new CustomEvent('lixue:play', { detail: { name, ...detail } }));
    collector?.(name, detail);
  } catch (error) {
    console.warn(error);
  }
};
