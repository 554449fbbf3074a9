/**
 * Looks for code that nobody calls: a name that a file exports and no other file imports, one that only its test imports and its
 * own file does not use either, and a file that no program comes to. The code is only parsed, not typed: that is enough
 * where every import names its file and what it takes (no barrels, no `export *`). A file that is imported as a whole (`import * as`,
 * `import()`, a worker's path) counts as used whole, so nothing that is used is ever named.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const ROOMS = ['contract', 'rules', 'server', 'web', 'ui', 'content', 'e2e', 'bench', 'tools'];
/** The tests of tools are checks themselves. */
const isTest = (file: string) =>
  /\.(test|test-kit)\.tsx?$|^server\/test-(kit|process)\.ts$|^e2e\//.test(file) && !file.startsWith('tools/');
/** What people and tools start by its name. */
const isStarted = (file: string) =>
  /^(server\/(main|cli)\.ts|web\/app\/(main|draw)\.tsx|vite\.config\.ts|(tools|bench)\/.*)$/.test(file) ||
  /\.d\.m?ts$/.test(file);

/** Built and tested before what will use it: a file, a name in one, or a folder (`…/`), with who that is. A line that is not needed is a fault. */
const WAITING: ReadonlyMap<string, string> = new Map([
  ['rules/user/operator.ts', 'the form for an examination (docs/spec-map.md)'],
  ['server/exam/grading/study.ts takeResults', 'grading again (docs/decisions/026-statistics.md)'],
  ['server/exam/grading/study.ts putResults', 'grading again (docs/decisions/026-statistics.md)'],
]);

/** What one file says: names that it exports with their lines, and what it takes from other files (`*`: everything). */
interface Said {
  exports: Map<string, number>;
  takes: { file: string; names: readonly string[] }[];
  /** How often each name stands in it. */
  words: Map<string, number>;
}

const named = (element: { propertyName?: ts.Node | undefined; name: ts.Node }) =>
  (element.propertyName ?? element.name).getText().replace(/^'|'$/g, '');

function read(file: string, text: string, exists: (file: string) => boolean): Said {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const said: Said = { exports: new Map(), takes: [], words: new Map() };
  const exported = (name: ts.Node) =>
    said.exports.set(name.getText(), source.getLineAndCharacterOfPosition(name.getStart()).line + 1);
  const take = (from: string, names: readonly string[]) => {
    const path = from.startsWith('#') ? from.slice(1) : posix.join(posix.dirname(file), from);
    if (exists(path)) said.takes.push({ file: path, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) said.words.set(node.text, (said.words.get(node.text) ?? 0) + 1);
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { name, namedBindings: bound } = node.importClause ?? {};
      const names = bound === undefined ? [] : ts.isNamedImports(bound) ? bound.elements.map(named) : ['*'];
      take(node.moduleSpecifier.text, name ? ['default', ...names] : names);
      return;
    }
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
      for (const element of node.exportClause.elements) exported(element.name);
      if (node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
        take(node.moduleSpecifier.text, node.exportClause.elements.map(named));
      return;
    }
    // Also `import()`, and how workers and child processes are started: by a path.
    if (ts.isStringLiteralLike(node)) take(node.text, ['*']);
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      if (ts.isVariableStatement(node)) {
        for (const { name } of node.declarationList.declarations)
          if (ts.isIdentifier(name)) exported(name);
          else for (const element of name.elements) if (ts.isBindingElement(element)) exported(element.name);
      } else if ('name' in node && !ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword))
        exported(node.name as ts.Node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return said;
}

/**
 * What nobody calls, a line each.
 * @param files path from the root to content
 */
export function unused(files: ReadonlyMap<string, string>, waiting: ReadonlySet<string> = new Set()): string[] {
  const said = new Map([...files].map(([file, text]) => [file, read(file, text, (path) => files.has(path))]));
  const inUse = new Set([...files.keys()].filter((file) => isStarted(file)));
  for (const file of inUse) for (const taken of said.get(file)?.takes ?? []) inUse.add(taken.file);
  const byTests = new Set<string>();
  const byCode = new Set<string>();
  for (const [file, { takes }] of said)
    for (const taken of takes)
      for (const name of taken.names) (isTest(file) ? byTests : byCode).add(`${taken.file} ${name}`);
  const found = new Map<string, string>();
  for (const [file, { exports, words }] of said) {
    // What a library has is declared, not written here.
    if (/\.d\.m?ts$/.test(file)) continue;
    if (!inUse.has(file) && !isTest(file)) found.set(file, `${file} no program comes to it`);
    else
      for (const [name, line] of exports) {
        const takenBy = (users: ReadonlySet<string>) => users.has(`${file} ${name}`) || users.has(`${file} *`);
        const [key, place] = [`${file} ${name}`, `${file}:${line}`];
        if (takenBy(byCode)) continue;
        if (!takenBy(byTests)) found.set(key, `${place} no other file imports ${name}`);
        else if (!isTest(file) && (words.get(name) ?? 0) < 2) found.set(key, `${place} only tests import ${name}`);
      }
  }
  const waits = (key: string, wait: string) => key === wait || (wait.endsWith('/') && key.startsWith(wait));
  const faults = [...found].flatMap(([key, fault]) => ([...waiting].some((wait) => waits(key, wait)) ? [] : [fault]));
  const needless = [...waiting].filter((wait) => ![...found.keys()].some((key) => waits(key, wait)));
  return [...faults.sort(), ...needless.map((wait) => `tools/unused.ts ${wait} waits for nobody now`)];
}

if (import.meta.main) {
  const files = new Map(
    ROOMS.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
        .map((name) => posix.join(room, name.replaceAll('\\', '/')))
        .filter((file) => /\.(tsx?|mjs)$/.test(file)),
    )
      .concat('vite.config.ts')
      .map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const faults = unused(files, new Set(WAITING.keys()));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log(`${files.size} files, and somebody calls all of it`);
}
