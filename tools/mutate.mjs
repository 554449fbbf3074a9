// `npm run mutate -- rules/exam`: makes small faults in the code of a folder or a file (StrykerJS), one after the other, and
// says which of them no test notices. The tests that run are those of the same folders. Nothing to run with every change: it
// takes minutes. The tool has packages of its own (tools/mutate/), which are installed the first time it is asked for.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, install, root, run } from './prepare.mjs';

install();
const places = process.argv.slice(2).map((place) => place.replace(/\/+$/, ''));
if (places.length === 0) places.push('rules');
for (const place of places) if (!existsSync(join(root, place))) fail(`There is no ${place}.`);

const home = join(root, 'tools/mutate');
if (!existsSync(join(home, 'node_modules/@stryker-mutator/core'))) {
  process.stdout.write('Installing the mutation tool …\n');
  const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: home,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) fail('Installing the mutation tool failed: see the lines above.');
}

const isFolder = (place) => statSync(join(root, place)).isDirectory();
const folders = [...new Set(places.map((place) => (isFolder(place) ? place : dirname(place))))];
const results = join(root, 'test-results/mutation');
mkdirSync(results, { recursive: true });
const name = places.join('+').replaceAll('/', '-');

const vitest = join(results, 'vitest.config.mjs');
const tests = folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);
writeFileSync(
  vitest,
  `export default ${JSON.stringify({ test: { include: tests, environment: 'node', testTimeout: 20_000 } }, null, 2)};\n`,
);
const settings = join(results, 'stryker.config.json');
writeFileSync(
  settings,
  JSON.stringify(
    {
      testRunner: 'vitest',
      vitest: { configFile: vitest },
      plugins: [join(home, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
      mutate: places
        .map((place) => (isFolder(place) ? `${place}/**/*.ts` : place))
        .concat('!**/*.test.ts', '!**/*.test-kit.ts'),
      ignorePatterns: ['/dist', '/data', '/bench', '/docs', '/e2e', '/tools', '/test-results'],
      coverageAnalysis: 'perTest',
      concurrency: 1,
      tempDirName: '.cache/mutation',
      reporters: ['clear-text', 'html'],
      clearTextReporter: { allowColor: false, logTests: false, reportMutants: true, reportTests: false },
      htmlReporter: { fileName: join('test-results/mutation', `${name}.html`) },
      timeoutMS: 10_000,
      allowConsoleColors: false,
      disableTypeChecks: false,
      allowEmpty: false,
    },
    null,
    2,
  ),
);
process.exit(run(['tools/mutate/node_modules/@stryker-mutator/core/bin/stryker.js', 'run', settings]));
