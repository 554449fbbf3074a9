// `npm run check`: format, lint, types, pure rules, walls, owners of tables, classes of style sheets, translations
// complete, docs and the spreadsheet template fresh. Every step runs, all faults are shown.
import { install, run } from './prepare.mjs';

install();
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
  ['translations', ['tools/translations.ts']],
  ['docs', ['tools/calls-table.ts', ...(fix ? ['--write'] : [])]],
  ['template', ['tools/question-template.ts', ...(fix ? ['--write'] : [])]],
];
const failed = [];
for (const [name, args] of steps) {
  process.stdout.write(`— ${name}\n`);
  if (run(args) !== 0) failed.push(name);
}
if (failed.length > 0) {
  process.stderr.write(
    `check failed: ${failed.join(', ')} (npm run check -- --fix mends format and what is generated)\n`,
  );
  process.exit(1);
}
process.stdout.write('check: all well\n');
