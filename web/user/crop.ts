/** What a person has chosen of a picture: how much larger than it has to be, and where the middle of the square lies (0 to 1). */
export interface Crop {
  /** 1: the square reaches from edge to edge. */
  zoom: number;
  x: number;
  y: number;
}

export const wholeCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const MOST_ZOOM = 4;

interface Size {
  width: number;
  height: number;
}

/** The square of a picture, in its pixels. */
export function cropBox({ width, height }: Size, { zoom, x, y }: Crop): { left: number; top: number; side: number } {
  const side = Math.min(width, height) / zoom;
  return { left: x * width - side / 2, top: y * height - side / 2, side };
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** Moves the square by a share of its own side and brings it to another zoom; it never leaves the picture. */
export function cropMoved(
  { width, height }: Size,
  crop: Crop,
  by: { right?: number; down?: number; zoom?: number },
): Crop {
  const zoom = within(by.zoom ?? crop.zoom, 1, MOST_ZOOM);
  const side = Math.min(width, height) / zoom;
  const half = { x: side / 2 / width, y: side / 2 / height };
  return {
    zoom,
    x: within(crop.x + ((by.right ?? 0) * side) / width, half.x, 1 - half.x),
    y: within(crop.y + ((by.down ?? 0) * side) / height, half.y, 1 - half.y),
  };
}
