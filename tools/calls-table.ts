/**
 * Makes docs/calls.md from the code: of each call what it says, the file that declares it, the one that binds it, the one
 * that does its work, the stores and the rules it uses, and where the web app sends it. Checks that it is fresh, that each
 * call is served exactly once, and that docs/spec-map.md names every call. `--write` writes it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { calls, sockets } from '#contract/all.ts';
import { refusals } from '#contract/envelope.ts';

const root = join(import.meta.dirname, '..');
const path = join(root, 'docs/calls.md');

/** The code of a room, parsed; tests left out. */
function sources(room: string): { file: string; source: ts.SourceFile }[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test(-kit)?\.tsx?$/.test(name))
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
    .sort()
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

/** A file of the server as reading calls needs it: what it imports, and what it declares at its top. */
interface Module {
  file: string;
  source: ts.SourceFile;
  /** Imported values. */
  imports: Map<string, { file: string; name: string }>;
  /** The file of each imported type. */
  types: Map<string, string>;
  tops: Map<string, ts.Node>;
}

function moduleOf({ file, source }: { file: string; source: ts.SourceFile }): Module {
  const imports: Module['imports'] = new Map();
  const types: Module['types'] = new Map();
  const tops: Module['tops'] = new Map();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const names = statement.importClause?.namedBindings;
      if (!names || !ts.isNamedImports(names)) continue;
      const { text } = statement.moduleSpecifier;
      const from = text.startsWith('#') ? text.slice(1) : posix.join(posix.dirname(file), text);
      const typesOnly = statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      for (const { name, propertyName, isTypeOnly } of names.elements) {
        if (typesOnly || isTypeOnly) types.set(name.text, from);
        else imports.set(name.text, { file: from, name: (propertyName ?? name).text });
      }
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name) {
      tops.set(statement.name.text, statement);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer) tops.set(name.getText(), initializer);
    }
  }
  return { file, source, imports, types, tops };
}

const modules = new Map(sources('server').map((parsed) => [parsed.file, moduleOf(parsed)]));

/** What a handler finds in the parts that it was given, by its name. */
interface FeatureParts {
  /** What `examParts` and its like make themselves. */
  made: Map<string, ts.Node>;
  /** What other features give: the file that declares its type. */
  given: Map<string, string>;
}

function partsOf(feature: string): FeatureParts {
  const parts: FeatureParts = { made: new Map(), given: new Map() };
  const module = modules.get(`server/${feature}/parts.ts`);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) parts.made.set(node.name.getText(), node.initializer);
    if (ts.isPropertyAssignment(node)) parts.made.set(node.name.getText(), node.initializer);
    if (ts.isParameter(node) && node.type && ts.isIdentifier(node.name)) {
      const file = module?.types.get(node.type.getText());
      if (file?.startsWith('server/')) parts.given.set(node.name.text, file);
    }
    ts.forEachChild(node, visit);
  };
  const made = module?.tops.get(`${feature}Parts`);
  if (made) visit(made);
  return parts;
}

/** Functions and constants inside a function that serves: a handler may use them. */
function localsAround(handler: ts.Node): Map<string, ts.Node> {
  const locals = new Map<string, ts.Node>();
  let around: ts.Node = handler;
  while (!ts.isSourceFile(around.parent)) around = around.parent;
  const visit = (node: ts.Node): void => {
    // Another call is served beside this one.
    if (ts.isCallExpression(node) && node.expression.getText() === 'serve') return;
    if (ts.isVariableDeclaration(node) && node.initializer) locals.set(node.name.getText(), node.initializer);
    if (ts.isFunctionDeclaration(node) && node.name) locals.set(node.name.text, node);
    ts.forEachChild(node, visit);
  };
  visit(around);
  return locals;
}

/** Functions that are given to a function that serves, by name: the file of this feature that declares what they bring. */
function givenAround(module: Module, handler: ts.Node): Map<string, string> {
  const given = new Map<string, string>();
  let around: ts.Node = handler;
  while (!ts.isSourceFile(around.parent)) around = around.parent;
  if (!ts.isFunctionDeclaration(around)) return given;
  for (const { name, type } of around.parameters) {
    if (!type || !ts.isFunctionTypeNode(type)) continue;
    for (const [word] of type.getText().matchAll(/\w+/g)) {
      const file = module.types.get(word);
      if (file?.startsWith('server/')) given.set(name.getText(), file);
    }
  }
  return given;
}

const isStore = (file: string) => /^server\/.*store\.ts$/.test(file);

interface Used {
  /** Files of its feature that it names itself, without stores. */
  works: string[];
  /** All stores that its work reaches, those of other features too. */
  stores: string[];
  /** All rules that its work names. */
  rules: string[];
}

/** What the code of a node uses. */
function usedBy(module: Module, handler: ts.Node): Used {
  const feature = module.file.split('/')[1] ?? '';
  const parts = partsOf(feature);
  const partsModule = modules.get(`server/${feature}/parts.ts`);
  const givenFunctions = givenAround(module, handler);
  const works = new Set<string>();
  const stores = new Set<string>();
  const rules = new Set<string>();
  const seen = new Set<ts.Node>();
  const follow = (at: Module, node: ts.Node, locals: Map<string, ts.Node>, isHandler: boolean): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const visit = (child: ts.Node): void => {
      if (ts.isTypeNode(child)) return;
      if (ts.isIdentifier(child)) look(at, child, locals, isHandler);
      ts.forEachChild(child, visit);
    };
    visit(node);
  };
  const look = (
    at: Module,
    { text, parent }: ts.Identifier,
    locals: Map<string, ts.Node>,
    isHandler: boolean,
  ): void => {
    // `parts.closeRecords` and `{ closeRecords }: ExamParts` are the part of that name.
    const isField = ts.isPropertyAccessExpression(parent) && parent.name.text === text;
    if (isField || ts.isBindingElement(parent)) {
      const made = parts.made.get(text);
      if (made && partsModule) follow(partsModule, made, new Map(), false);
      const given = parts.given.get(text);
      if (given) followFile(given);
    }
    if (isField) return;
    const asked = isHandler ? givenFunctions.get(text) : undefined;
    if (asked) followFile(asked);
    const local = locals.get(text);
    const top = at.tops.get(text);
    const from = at.imports.get(text);
    if (local) follow(at, local, locals, isHandler);
    else if (top) follow(at, top, new Map(), isHandler);
    else if (from) followImport(from, isHandler);
  };
  const followImport = (from: { file: string; name: string }, isHandler: boolean): void => {
    if (from.file.startsWith('rules/')) rules.add(from.file);
    if (isStore(from.file)) stores.add(from.file);
    else if (isHandler && from.file.startsWith(`server/${feature}/`)) works.add(from.file);
    const there = modules.get(from.file);
    const declared = there?.tops.get(from.name);
    if (there && declared) follow(there, declared, new Map(), false);
  };
  /** What another feature gives is asked as a whole. */
  const followFile = (file: string): void => {
    if (isStore(file)) stores.add(file);
    for (const from of modules.get(file)?.imports.values() ?? []) {
      if (from.file.startsWith('rules/')) rules.add(from.file);
      if (isStore(from.file)) stores.add(from.file);
    }
  };
  follow(module, handler, localsAround(handler), true);
  return { works: [...works].sort(), stores: [...stores].sort(), rules: [...rules].sort() };
}

interface Serving extends Used {
  /** Where `serve(…)` stands. */
  file: string;
}

/** Where `serve(SaveQuestion, …)` stands and what its handler uses, by contract file and constant. */
function servings(): Map<string, Serving[]> {
  const found = new Map<string, Serving[]>();
  for (const module of modules.values()) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'serve') {
        const from = module.imports.get(node.arguments[0]?.getText() ?? '');
        const handler = node.arguments[1];
        if (from && handler) {
          const call = `${from.file} ${from.name}`;
          found.set(call, [...(found.get(call) ?? []), { file: module.file, ...usedBy(module, handler) }]);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(module.source);
  }
  return found;
}

/** Of the files that a handler uses the one that is named after its call (`save-question.ts` of `…/save_question`), if there is one. */
function doing(callName: string, works: readonly string[]): readonly string[] {
  const words = callName
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('_', '-'));
  const last = words.slice(-1);
  const names = [words.slice(-2).join('-'), ...last];
  const own = works.filter((file) => names.includes(posix.basename(file, '.ts')));
  return own.length > 0 ? own : works;
}

/** What names a call to have its cached answers renewed, or to find them: it sends nothing. */
const ofTheCache = (node: ts.Node) =>
  (ts.isCallExpression(node) && /^(invalidate|callKey)$/.test(node.expression.getText())) ||
  ((ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && node.name.getText() === 'renews');

/** Files of the web app by the name of the call that they send; a name in a type sends nothing. */
function senders(): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { file, source } of sources('web')) {
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
      if (ofTheCache(node)) return;
      if (ts.isStringLiteral(node) && /^(GET|POST) \//.test(node.text))
        found.set(node.text, (found.get(node.text) ?? new Set()).add(file));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return new Map([...found].map(([name, files]) => [name, [...files]]));
}

const faults: string[] = [];
const declared = declarations();
const served = servings();
const sent = senders();

interface CallFiles {
  contract: string;
  route: string;
  works: readonly string[];
  stores: readonly string[];
  rules: readonly string[];
  senders: readonly string[];
}

/** The file that declares a call, the one that binds it, and those that do its work. */
function filesOf(callName: string): CallFiles {
  const none = { route: '', works: [], stores: [], rules: [], senders: sent.get(callName) ?? [] };
  const declaration = declared.find(({ name }) => name === callName);
  if (!declaration) {
    faults.push(`no file of contract/ declares ${callName}`);
    return { ...none, contract: '' };
  }
  const { file, constant } = declaration;
  const by = served.get(`${file} ${constant}`) ?? [];
  if (by.length !== 1)
    faults.push(`${callName} is served ${by.length} times: ${by.map(({ file }) => file).join(', ')}`);
  const [serving] = by;
  if (!serving) return { ...none, contract: file };
  const { works, stores, rules } = serving;
  // A file that serves its call alone does the work itself, and so does a route that uses nothing but stores.
  const isOwn = posix.basename(serving.file) !== 'routes.ts' || works.length === 0;
  return {
    ...none,
    contract: file,
    route: serving.file,
    works: isOwn ? [serving.file] : doing(callName, works),
    stores,
    rules,
  };
}

/** Names of files, without the folder that the heading names. */
function named(files: readonly string[], folder: string): string {
  return files.map((file) => `\`${file.startsWith(folder) ? file.slice(folder.length) : file}\``).join(', ');
}

const lines = [
  '# Calls',
  '',
  'Made from `contract/` and `server/` by `npm run check -- --fix`; the full schemas are at `/docs` and `/openapi.json` of a running server.',
  'Every answer is `{ code, msg, data }`. The first table of a feature leads to the files: the route loads and replies, the work is in the file',
  'named after the call where there is one; stores and rules are all that this work names, and where it is sent from is found in `web/`.',
];
for (const feature of new Set(calls.map((one) => one.feature))) {
  const own = calls.filter((one) => one.feature === feature).map(({ call }) => ({ call, ...filesOf(call.name) }));
  const contracts = named([...new Set(own.map(({ contract }) => contract))], '');
  const folder = `server/${feature}/`;
  lines.push(
    '',
    `## ${feature}`,
    '',
    `Declared in ${contracts}; routes, work and stores in \`${folder}\` (those of another feature from \`server/\`), rules in \`rules/\`, senders in \`web/\`.`,
    '',
  );
  lines.push('| call | route | does the work | stores | decides by | sent from |', `|${' --- |'.repeat(6)}`);
  for (const { call, route, works, stores, rules, senders } of own) {
    const cells = [
      named([route], folder),
      named(works, folder),
      stores.map((file) => named([file], file.startsWith(folder) ? folder : 'server/')).join(', '),
      named(rules, 'rules/'),
      named(senders, 'web/'),
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
if (process.argv.includes('--write')) writeFileSync(path, text);
if (read(path) !== text) faults.push('docs/calls.md is not what the contract says: npm run check -- --fix');
const map = read(join(root, 'docs/spec-map.md'));
for (const { call } of calls) if (!map.includes(call.path)) faults.push(`docs/spec-map.md does not name ${call.name}`);
for (const { socket } of sockets)
  if (!map.includes(socket.path)) faults.push(`docs/spec-map.md does not name ${socket.path}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${calls.length} calls, docs fresh`);
