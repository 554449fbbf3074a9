/**
 * Makes docs/calls.md from the contract and the server: of each call what it says, the file that declares it and the file
 * that serves it. Checks that it is fresh, that each call is served exactly once, and that docs/spec-map.md names every
 * call. `--write` writes it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { calls } from '#contract/all.ts';
import { refusals } from '#contract/envelope.ts';

const root = join(import.meta.dirname, '..');
const path = join(root, 'docs/calls.md');

/** The code of a room, parsed; tests left out. */
function sources(room: string): { file: string; source: ts.SourceFile }[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test(-kit)?\.ts$/.test(name))
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
    .map((file) => ({
      file,
      source: ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true),
    }));
}

/** Every `export const SaveQuestion = call('POST /api/…', …)`. */
function declarations(): { file: string; constant: string; name: string }[] {
  return sources('contract').flatMap(({ file, source }) =>
    source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
      declarationList.declarations.flatMap(({ name, initializer }) => {
        if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== 'call') return [];
        const [first] = initializer.arguments;
        return first && ts.isStringLiteral(first) ? [{ file, constant: name.getText(), name: first.text }] : [];
      }),
    ),
  );
}

/** Where `serve(SaveQuestion, …)` stands: the files by contract file and constant. */
function servings(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { file, source } of sources('server')) {
    const imported = new Map<string, string>();
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const from = statement.moduleSpecifier.text.replace(/^#/, '');
      const names = statement.importClause?.namedBindings;
      if (!from.startsWith('contract/') || !names || !ts.isNamedImports(names)) continue;
      for (const { name, propertyName } of names.elements)
        imported.set(name.text, `${from} ${(propertyName ?? name).text}`);
    }
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'serve') {
        const call = imported.get(node.arguments[0]?.getText() ?? '');
        if (call) found.set(call, [...(found.get(call) ?? []), file]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

const faults: string[] = [];
const declared = declarations();
const served = servings();

/** The file that declares a call and the one that serves it. */
function filesOf(callName: string): { contract: string; server: string } {
  const declaration = declared.find(({ name }) => name === callName);
  if (!declaration) {
    faults.push(`no file of contract/ declares ${callName}`);
    return { contract: '', server: '' };
  }
  const { file, constant } = declaration;
  const by = served.get(`${file} ${constant}`) ?? [];
  if (by.length !== 1) faults.push(`${callName} is served ${by.length} times: ${by.join(', ')}`);
  return { contract: file, server: by.join(', ') };
}

const lines = [
  '# Calls',
  '',
  'Made from `contract/` and `server/` by `npm run check -- --fix`; the full schemas are at `/docs` and `/openapi.json` of a running server.',
  'Every answer is `{ code, msg, data }`.',
];
let section = '';
for (const { feature, call } of calls) {
  if (feature !== section) {
    section = feature;
    lines.push('', `## ${feature}`, '');
    lines.push('| call | declared in | served by | who | says | refuses | source |', `|${' --- |'.repeat(7)}`);
  }
  const { contract, server } = filesOf(call.name);
  const files = `\`${contract}\` | \`${server}\``;
  lines.push(
    `| \`${call.name}\` | ${files} | ${call.who} | ${call.says} | ${call.refuses.join(', ')} | ${call.source} |`,
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
if (process.argv.includes('--write')) writeFileSync(path, text);
if (read(path) !== text) faults.push('docs/calls.md is not what the contract says: npm run check -- --fix');
const map = read(join(root, 'docs/spec-map.md'));
for (const { call } of calls) if (!map.includes(call.path)) faults.push(`docs/spec-map.md does not name ${call.name}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${calls.length} calls, docs fresh`);
