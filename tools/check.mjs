// `npm run check`: format, lint, types, pure rules, walls, owners of tables, classes of style sheets, nothing
// that nobody calls, translations complete, docs and the spreadsheet template fresh. Every step runs, all faults are shown.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { install, node, root, run } from './prepare.mjs';

install();
/** What takes longest, the longest last. */
const SLOW = ['walls', 'types', 'docs', 'tables'];
const fix = process.argv.includes('--fix');
const steps = [
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', ...(fix ? ['--write'] : []), '.']],
  ['types', ['node_modules/typescript7/bin/tsc', '-p', '.']],
  ['pure rules', ['tools/pure.ts']],
  [
    'walls',
    [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      'tools/walls.config.mjs',
      'contract',
      'rules',
      'server',
      'web',
      'ui',
      'content',
    ],
  ],
  ['tables', ['tools/table-access.ts']],
  ['styles', ['tools/style-names.ts']],
  ['unused', ['tools/unused.ts']],
  ['translations', ['tools/translations.ts']],
  ['docs', ['tools/calls-table.ts', ...(fix ? ['--write'] : [])]],
  ['template', ['tools/question-template.ts', ...(fix ? ['--write'] : [])]],
];
const failed = [];

/** Runs a step and keeps what it says, for its turn. */
function said(args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
    }
    child.on('error', (error) => resolve({ code: 1, text: `${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

if (fix) {
  // One after the other: each may mend what the next one reads.
  for (const [name, args] of steps) {
    process.stdout.write(`— ${name}\n`);
    if (run(args) !== 0) failed.push(name);
  }
} else {
  // Most of them keep one core busy: as many at once as there are, what takes longest first.
  const waiting = steps.map(([name, args], at) => ({ args, at, slow: SLOW.indexOf(name) }));
  waiting.sort((a, b) => b.slow - a.slow);
  const found = [];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) found[step.at] = await said(step.args);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  for (const [at, [name]] of steps.entries()) {
    process.stdout.write(`— ${name}\n${found[at].text}`);
    if (found[at].code !== 0) failed.push(name);
  }
}
if (failed.length > 0) {
  process.stderr.write(
    `check failed: ${failed.join(', ')} (npm run check -- --fix mends format and what is generated)\n`,
  );
  process.exit(1);
}
process.stdout.write('check: all well\n');
