/**
 * Makes docs/calls.md from the code: of each call what it says, the file that declares it, the one that binds it, those that
 * do its work, the stores and the rules that they use (served-by.ts), where the web app sends it and shows its reply
 * (shown-by.ts); and docs/pages.md, of each address its page and what that shows (pages-table.ts). Checks that they are fresh,
 * that each call is served exactly once, and that docs/spec-map.md names every call. `--write` writes them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls, sockets } from '#contract/all.ts';
import { refusals } from '#contract/envelope.ts';
import { root } from './code.ts';
import { pagesText } from './pages-table.ts';
import { signposts } from './signposts.ts';

const faults: string[] = [];
const found = signposts();
const { callFiles } = found;
faults.push(...found.faults);

/** Names of files, without the folder that the heading names. */
function named(files: readonly string[], folder: string): string {
  return files.map((file) => `\`${file.startsWith(folder) ? file.slice(folder.length) : file}\``).join(', ');
}

/** At most so many of a cell; what is further away says how much it is. */
function nearest(files: readonly string[], most: number, folder: string): string {
  const rest = files.length - most;
  return named(files.slice(0, most), folder) + (rest > 0 ? ` and ${rest} more` : '');
}

const lines = [
  '# Calls',
  '',
  'Made from the code by `npm run check -- --fix`; the full schemas are at `/docs` and `/openapi.json` of a running server. Every answer is',
  '`{ code, msg, data }`. The first table of a feature leads to the files, in each cell the one to open first before those further away. The',
  'route loads and replies; the work is in the file named after the call where there is one, then in those between it and the stores that',
  'decide something (`course/access.ts`: asked before the handler of a call for the enrolled). Of a reply that no component takes as a',
  'value or by its type, those stand there that send the call or use what sends it. From an address: [pages.md](pages.md).',
];
for (const feature of new Set(calls.map((one) => one.feature))) {
  const own = calls.filter((one) => one.feature === feature);
  const folder = `server/${feature}/`;
  lines.push(
    '',
    `## ${feature}`,
    '',
    `Contracts in \`contract/\`; routes, work and stores in \`${folder}\` (those of another feature from \`server/\`), rules in \`rules/\`, the rest in \`web/\`.`,
    '',
  );
  lines.push(
    '| call | contract | route | work | stores | decided by | sent from | shown in |',
    `|${' --- |'.repeat(8)}`,
  );
  for (const { call } of own) {
    const files = callFiles.get(call.name);
    if (!files) continue;
    const onServer = (list: readonly string[]) =>
      list.map((file) => (file.startsWith(folder) ? file : file.slice('server/'.length)));
    const cells = [
      named([files.contract], 'contract/'),
      named(onServer([files.route]), folder),
      nearest(onServer(files.works), 5, folder),
      nearest(onServer(files.stores), 7, folder),
      nearest(files.rules, 6, 'rules/'),
      files.senders.length === 0 ? 'not sent' : named(files.senders, 'web/'),
      files.senders.length === 0 ? '' : named(files.components.slice(0, 4), 'web/'),
    ];
    lines.push(`| \`${call.name}\` | ${cells.join(' | ')} |`);
  }
  lines.push('', '| call | who | says | refuses | source |', `|${' --- |'.repeat(5)}`);
  for (const { call } of own)
    lines.push(`| \`${call.name}\` | ${call.who} | ${call.says} | ${call.refuses.join(', ')} | ${call.source} |`);
}
lines.push(
  '',
  '## Sockets',
  '',
  'Declared in `contract/` by `socket(…)` and bound by `serveSocket`; refused before they open, with the envelope of a call.',
  '',
  '| socket | who | says | open at once | opened a minute | may wait to be sent | source |',
  `|${' --- |'.repeat(7)}`,
);
for (const { socket } of sockets) {
  const { open, opensPerMinute, waiting } = socket.limits;
  lines.push(
    `| \`${socket.path}\` | ${socket.who} | ${socket.says} | ${open} | ${opensPerMinute} | ${waiting / 1024} KB | ${socket.source} |`,
  );
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
const pages = pagesText(found);
faults.push(...pages.faults);
const texts = { 'docs/calls.md': text, 'docs/pages.md': pages.text };
for (const [file, made] of Object.entries(texts)) {
  if (process.argv.includes('--write')) writeFileSync(join(root, file), made);
  if (read(join(root, file)) !== made) faults.push(`${file} is not what the code says: npm run check -- --fix`);
}
const map = read(join(root, 'docs/spec-map.md'));
for (const { call } of calls) if (!map.includes(call.path)) faults.push(`docs/spec-map.md does not name ${call.name}`);
for (const { socket } of sockets)
  if (!map.includes(socket.path)) faults.push(`docs/spec-map.md does not name ${socket.path}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${calls.length} calls, docs fresh`);
