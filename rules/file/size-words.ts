const UNITS = ['KB', 'MB', 'GB'] as const;

/**
 * The size of a file in words (fileSizeStr, spec §3): three digits at most, from 1 KB up; a file that is not empty never says 0.
 * @param bytes 0 or more
 */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let size = bytes / 1024;
  let unit = 0;
  // 999.5 would be written as 1000.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const words = size < 9.95 ? size.toFixed(1) : String(Math.round(size));
  return `${words} ${UNITS[unit] ?? ''}`;
}
