/** One quality of a video: its picture and how many bits a second it may take. */
export interface Rung {
  /** The shorter side, e.g. `720`: what people call it. */
  name: string;
  width: number;
  height: number;
  /** Bits a second at most, of the picture. */
  videoRate: number;
  audioRate: number;
}

/** The picture of a source as it is seen: turned upright, with square pixels. */
export interface Picture {
  width: number;
  height: number;
  frameRate: number;
}

const RUNGS = [
  { side: 360, videoRate: 800_000, audioRate: 96_000 },
  { side: 540, videoRate: 1_500_000, audioRate: 128_000 },
  { side: 720, videoRate: 2_800_000, audioRate: 128_000 },
] as const;

/** Sides that an encoder takes. */
const SMALLEST = 16;
const LARGEST = 8192;
/** Longer than this, a picture is a strip: its other side would have no pixels left. */
const LONGEST_SHAPE = 10;

/** Frames a second that lessons are sent with at most: twice as many would take twice as long and twice the line. */
const MOST_FRAMES = 30;

const even = (length: number) => Math.max(2, Math.round(length / 2) * 2);
const evenBelow = (length: number) => Math.max(2, Math.floor(length / 2) * 2);

/**
 * The qualities that a picture is sent in: 360, 540 and 720 lines on its shorter side, none above the source; a smaller
 * source is sent as it is. Sides are even, as the encoder wants them.
 */
export function ladderOf({
  width,
  height,
}: Picture): { ok: true; rungs: Rung[] } | { ok: false; why: 'tooSmall' | 'tooLarge' | 'tooLong' } {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < SMALLEST) return { ok: false, why: 'tooSmall' };
  if (long > LARGEST) return { ok: false, why: 'tooLarge' };
  if (long / short > LONGEST_SHAPE) return { ok: false, why: 'tooLong' };
  const fitting = RUNGS.filter(({ side }) => side <= short);
  const chosen = fitting.length > 0 ? fitting : [{ ...RUNGS[0], side: evenBelow(short) }];
  const rungs = chosen.map(({ side, videoRate, audioRate }) => {
    const other = even((long * side) / short);
    return {
      name: String(side),
      ...(width <= height ? { width: side, height: other } : { width: other, height: side }),
      ...{ videoRate, audioRate },
    };
  });
  return { ok: true, rungs };
}

/** A rate below this is the average of pictures that stand for seconds each. Sent at that rate each would come late, and a segment might have none. */
const FEW_FRAMES = 5;
const LEAST_FRAMES = 10;

/** The even frame rate that a source is sent with; one that is unknown or nonsense counts as many. */
export function frameRateOf(frameRate: number): number {
  if (frameRate > 0 && frameRate < FEW_FRAMES) return LEAST_FRAMES;
  return frameRate > 0 && frameRate < MOST_FRAMES + 0.01 ? frameRate : MOST_FRAMES;
}

/** How the small pictures of the seek bar lie in their one file: at most 100 of them, of equal distance. */
export interface ThumbnailGrid {
  /** Milliseconds from one to the next. */
  every: number;
  count: number;
  columns: number;
  rows: number;
  width: number;
  height: number;
}

const MOST_THUMBNAILS = 100;
const COLUMNS = 10;
const THUMBNAIL_WIDTH = 160;

/** The small pictures of a video of this length (milliseconds), one a second at most. */
export function thumbnailGrid({ width, height }: Pick<Picture, 'width' | 'height'>, duration: number): ThumbnailGrid {
  const every = Math.max(1, Math.ceil(duration / 1000 / MOST_THUMBNAILS)) * 1000;
  const count = Math.min(MOST_THUMBNAILS, Math.max(1, Math.ceil(duration / every)));
  const scale = Math.min(THUMBNAIL_WIDTH / width, THUMBNAIL_WIDTH / height);
  return {
    ...{ every, count, columns: Math.min(COLUMNS, count), rows: Math.ceil(count / COLUMNS) },
    ...{ width: even(width * scale), height: even(height * scale) },
  };
}
