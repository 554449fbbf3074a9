// Runs the unit and call tests; files in which some failed run once more, alone. A test that passes only then does not fail the
// run, but it is told by name, as a journey is (`journeys.mjs`).
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readReport } from './journeys.mjs';
import { node, root } from './prepare.mjs';

/** The tests of a Vitest JSON report. A file that could not be read has none: it stands there itself, as one that failed. */
function testsOf(report, folder) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(folder, name);
    const tests = assertionResults.map((test) => ({
      file,
      name: `${file} › ${test.fullName}`,
      // A test without an end (its hook failed) is `skipped` or `pending` to Vitest, as is one that was left out.
      verdict: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      reason: firstLine(test.failureMessages?.[0]),
    }));
    if (status !== 'failed' || tests.some(({ verdict }) => verdict === 'failed')) return tests;
    return [...tests, { file, name: file, verdict: 'failed', reason: firstLine(message) }];
  });
}

const firstLine = (text) => text?.split('\n', 1)[0]?.slice(0, 300) ?? '';

/**
 * Runs all tests of a folder with a Vitest configuration, then the files with failed ones again.
 * @param results folder for the two reports
 * @returns counts of final verdicts, `again`: both verdicts of each test that failed at first, `failures`: of each that failed at
 *   last its name and the first line of why, `times`: milliseconds by file, `ended`: false where Vitest itself failed, too
 */
export function runUnit({ folder = root, results, env = {}, quiet = false }) {
  const run = (name, args) => {
    const report = join(results, `${name}.json`);
    rmSync(report, { force: true });
    const done = spawnSync(
      node,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...args,
      ],
      { cwd: folder, stdio: quiet ? 'ignore' : 'inherit', env: { ...process.env, ...env } },
    );
    const read = readReport(report);
    return {
      ended: done.status === 0,
      tests: testsOf(read, folder),
      times: (read?.testResults ?? []).map(({ name: file, startTime, endTime }) => ({
        file: relative(folder, file),
        milliseconds: endTime - startTime,
      })),
    };
  };

  const first = run('unit', []);
  const failed = first.tests.filter(({ verdict }) => verdict === 'failed');
  const files = [...new Set(failed.map(({ file }) => file))];
  let second = { ended: true, tests: [], times: [] };
  if (files.length > 0) {
    if (!quiet) process.stdout.write(`\n== ${files.length} test files failed: once more, one after the other\n`);
    second = run('unit-again', ['--maxWorkers=1', ...files]);
  }
  const lasting = [...first.tests.filter(({ file }) => !files.includes(file)), ...second.tests];
  // A file that could not be read at first has its tests in the second run alone.
  const later = new Map(second.tests.map(({ name, verdict }) => [name, verdict]));
  const verdictOfFile = (file) =>
    !second.tests.some((test) => test.file === file)
      ? undefined
      : second.tests.some((test) => test.file === file && test.verdict === 'failed')
        ? 'failed'
        : 'passed';
  const count = (verdict) => lasting.filter((test) => test.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    failures: lasting.filter(({ verdict }) => verdict === 'failed').map(({ name, reason }) => ({ name, reason })),
    again: failed.map(({ file, name, reason }) => ({
      name,
      reason,
      first: 'failed',
      second: (name === file ? verdictOfFile(file) : later.get(name)) ?? 'did not run',
    })),
    times: [...first.times, ...second.times],
    // Vitest fails without a test to blame too: an error that nobody caught, a configuration that cannot be read.
    ended: second.ended && (first.ended || files.length > 0),
  };
}
