/** One piece of a live stream as HLS. */
interface Segment {
  number: number;
  seconds: number;
  /** What came before it has other codecs or another clock. */
  anew: boolean;
  bytes: number;
}

/** The newest segments of a live stream: what a player is told of, and some older ones that it may still fetch (RFC 8216 §6.2.2). */
export interface SlidingList {
  /** The number of the next segment. */
  readonly next: number;
  /** Breaks in what is no longer listed (RFC 8216 §4.3.3.3). */
  readonly breaksGone: number;
  /** Whole seconds of the longest segment so far: what a list says of that never becomes less. */
  readonly longest: number;
  /** The oldest first. */
  readonly segments: readonly Segment[];
}

/** How long a segment becomes where key frames allow it (seconds): a little less than two, so that a key frame each two seconds is one segment. */
export const SEGMENT_SECONDS = 1.8;
/** Segments that players are told of, and that are kept. */
const LISTED = 6;
const KEPT = 12;
/** Bytes that are kept, but for the newest few. */
const MOST_BYTES = 48 * 1024 * 1024;
const LEAST_KEPT = 3;
/** Segments that stand in a list before anybody is given it: a player begins three from the end, and one that has less runs dry at once. */
const ENOUGH = 3;
const SHORTEST_TARGET = 2;

/**
 * A list that begins now. Its numbers follow the clock, a second each, so that they go on from those of an earlier list of the same lesson
 * also after a restart: a player that kept an old one sees them grow.
 */
export function newList(now: number): SlidingList {
  const first = Math.floor(now / 1000);
  return { next: first, breaksGone: first, longest: SHORTEST_TARGET, segments: [] };
}

/** Puts a segment to the end and forgets old ones. */
export function slide(list: SlidingList, made: Omit<Segment, 'number'>): SlidingList {
  const segments = [...list.segments, { ...made, number: list.next }];
  let sum = segments.reduce((all, { bytes }) => all + bytes, 0);
  while (segments.length > KEPT || (sum > MOST_BYTES && segments.length > LEAST_KEPT))
    sum -= segments.shift()?.bytes ?? 0;
  const wasListed = listed(list);
  const next = { ...list, segments, next: list.next + 1, longest: Math.max(list.longest, Math.round(made.seconds)) };
  const stays = new Set(listed(next).map(({ number }) => number));
  const gone = wasListed.filter(({ number, anew }) => anew && !stays.has(number)).length;
  return { ...next, breaksGone: list.breaksGone + gone };
}

const listed = ({ segments }: SlidingList) => segments.slice(-LISTED);

/** Whether a player can begin with it. */
export const isEnough = ({ segments }: SlidingList): boolean => segments.length >= ENOUGH;

/** The playlist (RFC 8216): no end, since only the page knows whether a lesson is over or its teacher away. */
export function playlistOf(list: SlidingList): string {
  const shown = listed(list);
  const lines = shown.flatMap(({ number, seconds, anew }) => [
    ...(anew ? ['#EXT-X-DISCONTINUITY'] : []),
    `#EXTINF:${seconds.toFixed(3)},`,
    `${number}.ts`,
  ]);
  return [
    ...['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-INDEPENDENT-SEGMENTS', `#EXT-X-TARGETDURATION:${list.longest}`],
    `#EXT-X-MEDIA-SEQUENCE:${shown[0]?.number ?? list.next}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${list.breaksGone}`,
    ...[...lines, ''],
  ].join('\n');
}

/** The name of the playlist below the address of a lesson. */
export const LIVE_PLAYLIST = 'live.m3u8';

/** What the rest of an address asks for; null: nothing that there is. */
export function livePartOf(part: string): { what: 'playlist' } | { what: 'segment'; number: number } | null {
  if (part === LIVE_PLAYLIST) return { what: 'playlist' };
  const [, number] = /^(\d{1,12})\.ts$/.exec(part) ?? [];
  return number === undefined ? null : { what: 'segment', number: Number(number) };
}

/**
 * Reads a playlist of FFmpeg's, which it writes anew after each segment, line by line: when a segment is named that was not before.
 * @param last the number of the last one that was named; -1: none
 */
export function readMade(
  line: string,
  state: { last: number; seconds: number | null },
): { state: typeof state; made: { number: number; seconds: number } | null } {
  const [, seconds] = /^#EXTINF:(\d+(?:\.\d+)?)/.exec(line) ?? [];
  if (seconds !== undefined) return { state: { ...state, seconds: Number(seconds) }, made: null };
  const [, name] = /^(\d{1,9})\.ts$/.exec(line) ?? [];
  const number = Number(name ?? -1);
  if (name === undefined || state.seconds === null || number <= state.last) return { state, made: null };
  return { state: { last: number, seconds: null }, made: { number, seconds: state.seconds } };
}
