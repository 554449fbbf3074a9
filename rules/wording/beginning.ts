/** The beginning of a text on one line, for a notice. */
export function beginningOf(text: string, longest = 30): string {
  const points = [...text.replace(/\s+/g, ' ').trim()];
  return points.length <= longest ? points.join('') : `${points.slice(0, longest - 1).join('')}…`;
}
