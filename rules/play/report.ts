import { type NodeState, nodeState } from '#contract/values/play.ts';
import { type Opening, takeNumber } from './opening.ts';
import { coverOf, lastOf, type Place, tidyPlaces } from './places.ts';
import { SLACK } from './study-clock.ts';

/** What decides of a lesson how it is finished. */
export interface LessonFacts {
  /** Milliseconds of its media; 0: it has none. */
  length: number;
  /** It waits for its media, or has neither media nor text: nothing that is said of it finishes it. */
  unready: boolean;
  elective: boolean;
  /** The share of its media that has to be seen, 0 to 1: the school's setting. */
  share: number;
}

/** What is kept of one student's playing of a lesson. */
export interface Seen {
  /** Milliseconds. */
  position: number;
  places: readonly Place[];
  /** Believed milliseconds of media, repeated ones too. */
  watched: number;
  reachedEnd: boolean;
  finished: boolean;
  /** The openings of the player whose numbers are known, the one that said where the student is first. */
  openings: readonly Opening[];
}

/** Nothing was played yet. */
export const NOTHING_SEEN: Seen = {
  position: 0,
  places: [],
  watched: 0,
  reachedEnd: false,
  finished: false,
  openings: [],
};

/** What a player says, in milliseconds. */
export interface Report {
  position: number;
  /** Media that was played. */
  duration: number;
  /** Null: it did not say. */
  rate: number | null;
  /** Null: the `duration` before `position`. */
  places: readonly Place[] | null;
  playId: string | null;
  seq: number | null;
  /** For how long it was kept before it was sent; null: that is not known. */
  ago: number | null;
  ended: boolean;
}

/** Within this of the end one is there: lengths differ by fractions (decisions §4). Milliseconds. */
const END = 2000;
/** The fastest playing that is believed. */
const FASTEST = 2;
/** What stands of a lesson when a report of it comes. */
interface Standing {
  seen: Seen;
  /** When what stands was said (`saidAt`), by any opening; null: nothing was. */
  lastAt: number | null;
}

type ReportOutcome =
  /** `spentUntil` null: it says nothing of the person's time. */
  | { ok: true; seen: Seen; spentUntil: number | null; believed: number; replayed: boolean }
  | { ok: false; why: 'beyondEnd' };

/**
 * What a report of playing changes (decisions §4). It is believed as far as the person's clock allows: of the time since
 * `paidFrom`, which belongs to the person and not to a window, every millisecond pays for `rate` milliseconds of media, at
 * most 2. What is not believed is forgotten; the place is kept all the same. A report of a place alone, of nothing played, spends no time: it may belong to
 * what plays in another window. A report that came before changes nothing; one that its browser kept while its student went on elsewhere leaves the place.
 * Within the opening that spoke last the number says which came later, whenever they arrived.
 * @param paidFrom not after `now` (study-clock.ts `paysFrom`)
 */
export function takeReport(
  lesson: LessonFacts,
  { seen, lastAt }: Standing,
  report: Report,
  paidFrom: number,
  now: number,
): ReportOutcome {
  if (isBeyond(lesson, report.position)) return { ok: false, why: 'beyondEnd' };
  const { replayed, late, openings } = takeNumber(seen.openings, report);
  if (replayed) return { ok: true, seen, spentUntil: null, believed: 0, replayed: true };
  const rate = Math.min(report.rate ?? FASTEST, FASTEST);
  const places = tidyPlaces(report.places ?? [[report.position - report.duration, report.position]], lesson.length);
  const claimed = lesson.length === 0 ? 0 : Math.max(report.duration, coverOf(places));
  const believed = Math.min(claimed, (now - paidFrom) * rate);
  const covered = tidyPlaces([...seen.places, ...lastOf(places, believed)], lesson.length);
  const [first] = seen.openings;
  const hasPlace = report.seq !== null && report.playId !== null && first?.playId === report.playId;
  // A report that comes late says where the student was, not where they are.
  const isOld = late || (!hasPlace && isOvertaken(report, lastAt, now));
  const next = {
    ...seen,
    openings: isOld && !late && first !== undefined ? behind(first, openings) : openings,
    places: covered,
    watched: seen.watched + Math.round(believed),
    position: isOld ? seen.position : placeIn(lesson, report.position),
  };
  return {
    ok: true,
    seen: finish(lesson, next, report),
    spentUntil: claimed === 0 ? null : Math.ceil(paidFrom + believed / rate),
    believed,
    replayed: false,
  };
}

/** What a saved position changes: the place, and whether the end was reached; nothing is seen by it. */
export function takePosition(
  lesson: LessonFacts,
  seen: Seen,
  { position, ended }: Pick<Report, 'position' | 'ended'>,
): { ok: true; seen: Seen } | { ok: false; why: 'beyondEnd' } {
  if (isBeyond(lesson, position)) return { ok: false, why: 'beyondEnd' };
  return { ok: true, seen: finish(lesson, { ...seen, position: placeIn(lesson, position) }, { position, ended }) };
}

/** Openings with the one in front that has the place: another one, whose reports came late, spoke before it. */
const behind = (first: Opening, openings: readonly Opening[]) => [
  first,
  ...openings.filter(({ playId }) => playId !== first.playId),
];

/** Whether a place (milliseconds) lies behind the end of a lesson; one without media has no end. */
export const isBeyond = ({ length }: Pick<LessonFacts, 'length'>, position: number) =>
  length > 0 && position > length + END;
const placeIn = ({ length }: Pick<LessonFacts, 'length'>, position: number) => Math.min(position, length);

/**
 * A lesson is finished when its end was reached and as much of it was seen as the school wants (decisions §4); an elective one, and one without media, by
 * reaching the end; none whose media is still to come, though somebody says that it ended. What is finished stays so.
 */
function finish(lesson: LessonFacts, seen: Seen, { position, ended }: Pick<Report, 'position' | 'ended'>): Seen {
  if (lesson.unready) return seen;
  const atEnd = ended || (lesson.length > 0 && position >= lesson.length - END);
  const reachedEnd = seen.reachedEnd || atEnd;
  const enough = lesson.elective || lesson.length === 0 || coverOf(seen.places) >= lesson.length * lesson.share;
  return { ...seen, reachedEnd, finished: seen.finished || (reachedEnd && enough) };
}

/** When a report was made, which its browser may have kept (`Report.ago`). */
export const saidAt = (ago: number | null, arrivedAt: number): number => arrivedAt - Math.min(ago ?? 0, arrivedAt);

/** When something was said of a lesson last, by what is stored; null: nothing was that is known. What lies ahead was said before the clock was set back. */
export const lastSaid = (lastAt: number | null, now: number): number | null =>
  lastAt !== null && lastAt > now + SLACK ? null : lastAt;

/** Whether something was said of a lesson after a report of it was made. The clock of its browser decides about the place alone. */
const isOvertaken = ({ ago }: Pick<Report, 'ago'>, lastAt: number | null, now: number) =>
  ago !== null && lastAt !== null && saidAt(ago, now) < lastAt;

/** nodeState of a lesson; `seen` null: it was never opened. */
export function nodeStateOf(seen: Pick<Seen, 'finished'> | null): NodeState {
  if (seen === null) return nodeState.notStarted;
  return seen.finished ? nodeState.finished : nodeState.inProgress;
}

/** The share of the media that was seen, 0 to 1. */
export function shareOf({ length }: Pick<LessonFacts, 'length'>, { places }: Pick<Seen, 'places'>): number {
  return length === 0 ? 0 : Math.min(1, coverOf(places) / length);
}

/** Where to begin a lesson (milliseconds): where the student was; anew, when they were at the end or have finished it. */
export function startOf(
  { length }: Pick<LessonFacts, 'length'>,
  seen: Pick<Seen, 'finished' | 'position'> | null,
): number {
  if (seen === null || seen.finished || seen.position >= length - END) return 0;
  return seen.position;
}
