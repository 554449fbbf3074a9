// What takes the time of a test run, so that what grows is seen.

/** The files that took longest, slowest first, and the sum of all, as lines to print. @param most how many files */
export function timeByFile(times, most = 15) {
  const byFile = new Map();
  for (const { file, milliseconds } of times) byFile.set(file, (byFile.get(file) ?? 0) + milliseconds);
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s`;
  const sum = [...byFile.values()].reduce((all, milliseconds) => all + milliseconds, 0);
  const slowest = [...byFile].sort((a, b) => b[1] - a[1]).slice(0, most);
  return [
    ...slowest.map(([file, milliseconds]) => `${seconds(milliseconds)}  ${file}`),
    `${seconds(sum)}  ${byFile.size} files together (some ran at the same time)`,
  ];
}
