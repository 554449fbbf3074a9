/** Points with at most two decimals and none that say nothing: 12, 1.5, 0.67. */
export function formatScore(points: number): string {
  return String(Math.round(points * 100) / 100);
}
