/** Pixels. */
interface Size {
  width: number;
  height: number;
}

/** Pixels, from the corner of the stage. */
interface Box extends Size {
  left: number;
  top: number;
}

/** Where a watermark is in the picture, pixels from its corner, and which way it goes. */
export interface Drift {
  x: number;
  y: number;
  right: boolean;
  down: boolean;
}

/** Pixels a sixtieth of a second (spec §9), and how much of that goes across: the rest goes up or down. */
const SPEED = 0.3;
const ACROSS = 0.9;

/**
 * Where `object-fit: contain` paints a film on its stage: as large as it fits, in the middle.
 * @param film its own size; without one (nothing has come, a sound) all of the stage
 */
export function pictureOn(stage: Size, film: Size): Box {
  if (!(film.width > 0 && film.height > 0)) return { left: 0, top: 0, ...stage };
  const scale = Math.min(stage.width / film.width, stage.height / film.height);
  const [width, height] = [film.width * scale, film.height * scale];
  return { left: (stage.width - width) / 2, top: (stage.height - height) / 2, width, height };
}

/**
 * A step of the watermark: slantwise, whole inside of the picture, and back where that ends. A picture that became smaller takes it
 * along; where it has no room in one direction it stands at that edge.
 * @param milliseconds since the step before
 */
export function driftOn(drift: Drift, mark: Size, picture: Size, milliseconds: number): Drift {
  const way = (milliseconds * SPEED * 60) / 1000;
  const across = turned(drift.x, drift.right, way * ACROSS, picture.width - mark.width);
  const along = turned(drift.y, drift.down, way * Math.sqrt(1 - ACROSS ** 2), picture.height - mark.height);
  return { x: across.at, y: along.at, right: across.onward, down: along.onward };
}

/** Goes on between 0 and an edge, and turns there. */
function turned(from: number, onward: boolean, by: number, edge: number): { at: number; onward: boolean } {
  const most = Math.max(0, edge);
  const at = Math.min(from, most) + (onward ? by : -by);
  if (at > most) return { at: Math.max(0, 2 * most - at), onward: false };
  return at < 0 ? { at: Math.min(most, -at), onward: true } : { at, onward };
}
