// Runs the browser journeys; those that failed run once more, one after the other. A journey that passes only then does not
// fail the run, but it is told by name: it hangs on how busy the machine is, or a fault shows only now and then.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { node, root } from './prepare.mjs';

/** What a runner wrote as JSON; null: it did not. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** What Playwright says of one journey: a test that it left out on purpose carries the reason as an annotation. */
function verdictOf(test) {
  if (test.status === 'expected') return 'passed';
  if (test.status !== 'skipped') return 'failed';
  return test.annotations.some(({ type }) => type === 'skip' || type === 'fixme') ? 'skipped' : 'did not run';
}

/** The journeys of a Playwright JSON report, those in nested suites too. */
function journeysOf(report) {
  const found = [];
  const walk = (suite, titles) => {
    for (const { file, title, tests } of suite.specs ?? []) {
      for (const test of tests) {
        found.push({
          file,
          name: `${[file, ...titles, title].join(' › ')}${test.projectName ? ` (${test.projectName})` : ''}`,
          verdict: verdictOf(test),
          milliseconds: test.results.reduce((sum, { duration }) => sum + duration, 0),
        });
      }
    }
    for (const inner of suite.suites ?? []) walk(inner, [...titles, inner.title]);
  };
  for (const suite of report?.suites ?? []) walk(suite, []);
  return found;
}

/**
 * Runs all journeys of a Playwright configuration, then the failed ones again.
 * @param results folder for what they leave; the second run has one of its own, so that the first failure can be looked at
 * @returns counts of final verdicts, `again`: both verdicts of each journey that ran twice, `times`: milliseconds by journey
 */
export function runJourneys({ config, results, env = {}, quiet = false }) {
  const run = (name, args) => {
    const file = join(results, `${name}.json`);
    rmSync(file, { force: true });
    const output = join(results, name);
    const done = spawnSync(
      node,
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        '--config',
        config,
        '--output',
        output,
        '--reporter=list,json',
        ...args,
      ],
      {
        cwd: root,
        stdio: quiet ? 'ignore' : 'inherit',
        env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      },
    );
    return {
      ended: done.status === 0,
      journeys: journeysOf(readReport(file)),
      lastRun: join(output, '.last-run.json'),
    };
  };

  const first = run('journeys', []);
  const failed = first.journeys.filter(({ verdict }) => verdict === 'failed');
  let second = { ended: true, journeys: [] };
  if (failed.length > 0) {
    if (!quiet) process.stdout.write(`\n== ${failed.length} failed: once more, one after the other\n`);
    second = run('journeys-again', ['--last-failed', '--last-failed-file', first.lastRun, '--workers=1']);
  }
  // By name: Playwright's id of a journey is another one when it runs in one project only.
  const later = new Map(second.journeys.map(({ name, verdict }) => [name, verdict]));
  const again = failed.map(({ name, verdict }) => ({ name, first: verdict, second: later.get(name) ?? 'did not run' }));
  const count = (verdict) => first.journeys.filter((journey) => journey.verdict === verdict).length;
  const mended = again.filter((journey) => journey.second === 'passed').length;
  return {
    passed: count('passed') + mended,
    failed: count('failed') + count('did not run') - mended,
    skipped: count('skipped'),
    again,
    times: [...first.journeys, ...second.journeys].map(({ file, milliseconds }) => ({ file, milliseconds })),
    // Playwright itself can fail too, with no journey to blame: no server, no browser, a file that cannot be read.
    ended: second.ended && (first.ended || failed.length > 0),
  };
}

/** Both verdicts of each journey that ran twice, as lines to print. */
export function tellAgain(again) {
  return [
    ...again.map(({ name, first, second }) => `${first}, then ${second}: ${name}`),
    ...again.filter(({ second }) => second === 'passed').map(({ name }) => `needed a second run: ${name}`),
  ];
}
