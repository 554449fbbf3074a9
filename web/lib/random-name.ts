/** A name that nothing else has: of a window, of the press of a button. */
export function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).reduce((id, part) => id + part.toString(36).padStart(7, '0'), '');
}
