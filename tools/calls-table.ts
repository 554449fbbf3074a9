/**
 * Makes docs/calls.md from the contract, and checks that it is fresh and that docs/spec-map.md names every call.
 * `--write` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '#contract/all.ts';
import { refusals } from '#contract/envelope.ts';

const root = join(import.meta.dirname, '..');
const path = join(root, 'docs/calls.md');

const lines = [
  '# Calls',
  '',
  'Made from `contract/` by `npm run check -- --fix`; the full schemas are at `/docs` and `/openapi.json` of a running server.',
  'Every answer is `{ code, msg, data }`.',
];
let feature = '';
for (const one of calls) {
  if (one.feature !== feature) {
    feature = one.feature;
    lines.push('', `## ${feature}`, '', '| call | who | says | refuses | source |', '| --- | --- | --- | --- | --- |');
  }
  const { call } = one;
  lines.push(`| \`${call.name}\` | ${call.who} | ${call.says} | ${call.refuses.join(', ')} | ${call.source} |`);
}
lines.push('', '## Refusals', '', '| why | status | sentence |', '| --- | --- | --- |');
for (const [why, { code, msg }] of Object.entries(refusals)) lines.push(`| ${why} | ${code} | ${msg} |`);
const text = `${lines.join('\n')}\n`;

const read = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
if (process.argv.includes('--write')) writeFileSync(path, text);
const faults: string[] = [];
if (read(path) !== text) faults.push('docs/calls.md is not what the contract says: npm run check -- --fix');
const map = read(join(root, 'docs/spec-map.md'));
for (const { call } of calls) if (!map.includes(call.path)) faults.push(`docs/spec-map.md does not name ${call.name}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${calls.length} calls, docs fresh`);
