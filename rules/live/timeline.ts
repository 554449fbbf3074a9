/** The two kinds of frames of a stream, each with a clock of its own that started at any number. */
export type Track = 'video' | 'audio';

interface Clock {
  /** The last time that its encoder said: 32 bits, milliseconds. */
  said: number;
  /** What became of it, which may go back a little. */
  made: number;
  /** The latest time that was handed out for it. */
  handed: number;
}

/** How the clocks of an encoder are brought onto one that begins at 0 and only goes forward. */
export interface Timeline {
  readonly video: Clock | null;
  readonly audio: Clock | null;
  /** The latest time that was handed out; null: none yet. */
  readonly latest: number | null;
  /** When the last frame came, by our own clock. */
  readonly cameAt: number;
  /** A moment by our own clock at which the encoder was not behind it: its beginning, or its last jump. */
  readonly since: { readonly at: number; readonly time: number };
}

export const NEW_TIMELINE: Timeline = { video: null, audio: null, latest: null, cameAt: 0, since: { at: 0, time: 0 } };

/** How far a track may go back without having jumped: frames of two tracks come interleaved. */
const BACK = 1000;
/** How far a track may go at once beyond what passed by our own clock (milliseconds), also counted from the beginning: after a stall a backlog comes. */
const AHEAD = 3000;
/** How far two tracks of one encoder are from each other at most. */
const APART = 2000;
/** What a jump becomes: what passed by our clock, within these. */
const SHORTEST_STEP = 20;
const LONGEST_STEP = 1000;

/** The way from one time of 32 bits to another, the shorter way round. */
const stepOf = (from: number, to: number) => (to - from) | 0;

/**
 * The time of the next frame on a clock that begins at 0 and never goes back on its track, whatever the encoder's does
 * (absolute times, steps back, steps of an hour, the wrap at 2^32; incidents: ossrs/srs#1163, [lab] 3 600 s became 7 205 s).
 * @param said the encoder's time, 32 bits
 * @param now our own clock, milliseconds
 * @returns `jumped`: the encoder's clock made a step that is left out
 */
export function nextTime(
  line: Timeline,
  track: Track,
  said: number,
  now: number,
): { line: Timeline; time: number; jumped: boolean } {
  const own = line[track];
  const other = line[track === 'video' ? 'audio' : 'video'];
  const passed = Math.max(0, now - line.cameAt);
  const latest = line.latest ?? 0;
  const step = own ? stepOf(own.said, said) : 0;
  const byOther = other ? other.made + stepOf(other.said, said) : null;
  const furthest = Math.max(latest + passed, line.since.time + now - line.since.at) + AHEAD;
  let made: number;
  let jumped = false;
  if (own && step >= -BACK && own.made + step <= furthest) made = own.made + step;
  else if (byOther !== null && Math.abs(byOther - latest) <= APART) made = byOther;
  else if (line.latest === null) made = 0;
  else if (!own && !other) made = latest + SHORTEST_STEP;
  else {
    jumped = own !== null;
    made = latest + Math.min(Math.max(passed, SHORTEST_STEP), LONGEST_STEP);
  }
  const time = Math.max(made, own?.handed ?? 0, 0);
  const clock = { said, made, handed: time };
  const begins = jumped || (!own && !other);
  const since = begins ? { at: now, time } : line.since;
  return {
    line: { ...line, [track]: clock, latest: Math.max(latest, time), cameAt: now, since },
    time,
    jumped,
  };
}

/** The same clock for the next encoder of the stream: it goes on where the last one ended. */
export function goOn({ latest, cameAt, since }: Timeline): Timeline {
  return { video: null, audio: null, latest, cameAt, since };
}
