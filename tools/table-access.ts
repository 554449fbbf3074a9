/**
 * Reads the code of the server for its use of tables: SQL stands in stores only (`store.ts`, `*-store.ts`, `server/db`),
 * and only the owner's stores name a table (features.ts). The code is parsed and its types are asked, so a table is found
 * as a literal, with an alias, in an array, as a variable or parameter of a union type, and in the text of `sql`. A change of
 * people runs on a `PeopleTrx`, and a query that a store hands out is neither extended nor run elsewhere.
 * `npm run check` runs it, table-access.test.ts shows each form being noticed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  gradedColumns,
  gradingRoom,
  internalTables,
  tableOwners,
  tablesKeptInMemory,
  wholeDatabase,
} from './features.ts';

const root = join(import.meta.dirname, '..');

/** One thing that is against the rules of stores and owners. */
interface Fault {
  file: string;
  line: number;
  /** What is wrong, without the place. */
  what: string;
}

type Verb = 'reads' | 'adds to' | 'changes';

/** Methods of the query builder that name tables in their first argument. The names say enough to find them anywhere. */
const BUILDER: Readonly<Record<string, Verb>> = {
  selectFrom: 'reads',
  innerJoin: 'reads',
  leftJoin: 'reads',
  rightJoin: 'reads',
  fullJoin: 'reads',
  crossJoin: 'reads',
  innerJoinLateral: 'reads',
  leftJoinLateral: 'reads',
  crossJoinLateral: 'reads',
  crossApply: 'reads',
  outerApply: 'reads',
  insertInto: 'adds to',
  replaceInto: 'changes',
  updateTable: 'changes',
  deleteFrom: 'changes',
  mergeInto: 'changes',
  createTable: 'changes',
  alterTable: 'changes',
  dropTable: 'changes',
};
/** Methods that other objects have too: they count when the object is a query. */
const ALSO_ELSEWHERE: Readonly<Record<string, Verb>> = { from: 'reads', using: 'reads', table: 'reads' };

/** Methods of `sql` that make text of what they are given. */
const PARTS_OF_SQL: readonly string[] = ['table', 'raw', 'id', 'ref'];

const isStore = (file: string) => /[/-]store\.ts$/.test(file) || file.startsWith('server/db/');
const isExempt = (file: string) =>
  /\.test(-kit)?\.ts$/.test(file) ||
  ['server/test-kit.ts', 'server/test-process.ts', 'server/db/migrate.ts'].includes(file) ||
  file.startsWith('server/db/migrations/');

/** The code of the server, and of `content/`, which has no database. */
function codeOfTheServer(): string[] {
  return ['server', 'content'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
      .filter((file) => !isExempt(file)),
  );
}

const owners = new Map(
  Object.entries(tableOwners).flatMap(([owner, tables]) => tables.map((table) => [table as string, owner] as const)),
);

/**
 * What is against the rules, in the whole server or in given files as if they stood there.
 * @param instead texts by path (`server/exam/x-store.ts`) to read in place of what is there
 */
export function tableFaults(instead?: ReadonlyMap<string, string>): Fault[] {
  const files = instead ? [...instead.keys()] : codeOfTheServer();
  const program = programOf([...files, 'server/db/schema.ts'], instead);
  const checker = program.getTypeChecker();
  const faults: Fault[] = instead ? [] : ownerlessTables(program, checker);
  for (const file of files) {
    const source = program.getSourceFile(join(root, file));
    if (!source) throw new Error(`${file} is not in the program`);
    faults.push(...new StoreReader(file, source, checker).read());
  }
  return faults;
}

function programOf(files: readonly string[], instead: ReadonlyMap<string, string> | undefined): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  const given = new Map([...(instead ?? [])].map(([file, text]) => [join(root, file), text]));
  host.fileExists = (file) => given.has(file) || fileExists(file);
  host.readFile = (file) => given.get(file) ?? readFile(file);
  host.getSourceFile = (file, target) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, target, true);
  };
  return ts.createProgram(
    files.map((file) => join(root, file)),
    options,
    host,
  );
}

/** Tables of the schema without an owner or with two, and owned ones that it does not have. */
function ownerlessTables(program: ts.Program, checker: ts.TypeChecker): Fault[] {
  const file = 'server/db/schema.ts';
  const source = program.getSourceFile(join(root, file));
  const tables = source?.statements.find((found) => ts.isInterfaceDeclaration(found) && found.name.text === 'Tables');
  if (!source || !tables) throw new Error(`${file} has no interface Tables`);
  const inSchema = checker
    .getTypeAtLocation(tables)
    .getProperties()
    .map(({ name }) => name);
  const owned = Object.values(tableOwners).flat() as string[];
  const fault = (what: string): Fault => ({ file, line: 1, what });
  return [
    ...inSchema
      .filter((name) => !owned.includes(name))
      .map((name) => fault(`${name} has no owner in tools/features.ts`)),
    ...owned.filter((name, at) => owned.indexOf(name) !== at).map((name) => fault(`${name} has two owners`)),
    ...owned
      .filter((name) => !inSchema.includes(name) && !internalTables.includes(name))
      .map((name) => fault(`${name} has an owner in tools/features.ts, but is no table`)),
  ];
}

/** Reads one file. */
class StoreReader {
  readonly #file: string;
  readonly #source: ts.SourceFile;
  readonly #checker: ts.TypeChecker;
  readonly #faults: Fault[] = [];
  /** The feature whose tables this file may name; undefined: none. */
  readonly #feature: string | undefined;
  readonly #readsAll: boolean;

  constructor(file: string, source: ts.SourceFile, checker: ts.TypeChecker) {
    this.#file = file;
    this.#source = source;
    this.#checker = checker;
    this.#feature = /^server\/([^/]+)\//.exec(file)?.[1];
    this.#readsAll = file in wholeDatabase;
  }

  read(): Fault[] {
    const visit = (node: ts.Node): void => {
      this.#look(node);
      ts.forEachChild(node, visit);
    };
    visit(this.#source);
    return this.#faults;
  }

  #look(node: ts.Node): void {
    if (ts.isTaggedTemplateExpression(node) && this.#isSql(node.tag)) {
      const { template } = node;
      const pieces = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template.text]
        : [template.head.text, ...template.templateSpans.map((span) => span.literal.text)];
      this.#sqlText(node, pieces.join(' ? '));
    } else if (ts.isCallExpression(node)) this.#call(node);
    else if (ts.isPropertyAccessExpression(node)) this.#mention(node, node.name.text, node.expression);
    else if (ts.isElementAccessExpression(node) && (isCallee(node) || ts.isStringLiteral(node.argumentExpression))) {
      const names = this.#texts(this.#checker.getTypeAtLocation(node.argumentExpression));
      for (const name of names ?? []) this.#mention(node, name, node.expression);
      if (names === null && this.#isOfKysely(node.expression)) this.#unreadable(node);
    } else if (ts.isBindingElement(node) && node.propertyName && ts.isIdentifier(node.propertyName)) {
      if (node.propertyName.text in BUILDER) this.#unreadable(node);
    } else if (ts.isIdentifier(node) && node.text === 'CompiledQuery') this.#readySql(node);
    else if (ts.isAsExpression(node) || ts.isTypePredicateNode(node)) this.#cast(node);
    const used =
      ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
        ? node.expression
        : ts.isObjectBindingPattern(node)
          ? node
          : undefined;
    if (used && this.#buildsQueries(this.#checker.getTypeAtLocation(used))) {
      this.#outsideOfStore(ts.isPropertyAccessExpression(node) ? node.name : node);
    }
  }

  /** A `PeopleTrx` comes from `Db.changePeople` alone: nobody may make one by saying that it is one. */
  #cast(node: ts.AsExpression | ts.TypePredicateNode): void {
    // Of a cast of a cast the outer one says what it becomes.
    if (this.#file.startsWith('server/db/') || ts.isAsExpression(node.parent)) return;
    const types = ts.isAsExpression(node)
      ? [this.#checker.getTypeAtLocation(node), this.#checker.getContextualType(node)]
      : [node.type && this.#checker.getTypeAtLocation(node.type)];
    const was = ts.isAsExpression(node) && this.#tellsOfPeople(this.#checker.getTypeAtLocation(node.expression));
    if (!was && types.some((type) => type && this.#tellsOfPeople(type)))
      this.#fault(node, 'makes a PeopleTrx by saying so');
  }

  /** A method of the builder that is not called where it is named could be called with anything. */
  #mention(node: ts.Expression, name: string, of: ts.Expression): void {
    if (name in BUILDER && !isCallee(node)) this.#unreadable(node);
    if (name === 'executeQuery' && !isCallee(node)) this.#readySql(node);
    if (name === 'look' && this.#typeName(of) === 'Db') this.#readySql(node);
    if ((name === 'schema' || name === 'introspection') && this.#isOfKysely(of)) this.#readySql(node);
  }

  /** SQL that was made elsewhere passes only through `server/db` (prepared.ts). */
  #readySql(node: ts.Node): void {
    if (!this.#file.startsWith('server/db/')) this.#fault(node, 'runs ready SQL beside the query builder');
  }

  #call(node: ts.CallExpression): void {
    const { expression: callee } = node;
    const [name, of] = ts.isPropertyAccessExpression(callee)
      ? [callee.name.text, callee.expression]
      : ts.isElementAccessExpression(callee)
        ? [this.#texts(this.#checker.getTypeAtLocation(callee.argumentExpression))?.[0], callee.expression]
        : [ts.isIdentifier(callee) ? callee.text : undefined, undefined];
    if (name === undefined) return;
    const [first] = node.arguments;
    if (of && PARTS_OF_SQL.includes(name) && this.#isSql(of)) {
      this.#partOfSql(node);
      return;
    }
    if (name === 'executeQuery' && first) {
      this.#outsideOfStore(node);
      // A query of the builder is read where it is built.
      if (!this.#checker.getTypeAtLocation(first).getProperty('compile')) this.#readySql(node);
    }
    let verb = Object.hasOwn(BUILDER, name) ? BUILDER[name] : undefined;
    if (!verb && of && Object.hasOwn(ALSO_ELSEWHERE, name) && this.#isOfKysely(of)) verb = ALSO_ELSEWHERE[name];
    if (!verb || !first) return;
    // All calls of a chain begin at the same place in the file; the place of its name tells one call from another.
    const place = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    this.#outsideOfStore(place);
    if (verb === 'adds to' && updatesOnConflict(node)) verb = 'changes';
    const names = this.#tablesIn(first);
    if (names === null) this.#unreadable(first);
    for (const table of names ?? []) this.#access(first, verb, table, of);
  }

  /** `sql.table(…)` and its like. */
  #partOfSql(node: ts.CallExpression): void {
    for (const argument of node.arguments) {
      const texts = this.#texts(this.#checker.getTypeAtLocation(argument));
      if (texts === null) this.#unreadable(argument);
      for (const text of texts ?? []) this.#sqlText(argument, text);
    }
  }

  #sqlText(node: ts.Node, text: string): void {
    this.#outsideOfStore(node);
    const bare = text
      .replace(/--[^\n]*/g, ' ')
      .replace(/\/\*.*?\*\//gs, ' ')
      .replace(/'(?:[^']|'')*'/g, ' ')
      .toLowerCase();
    const words = new Set(bare.match(/[a-z_][a-z0-9_]*/g));
    const withoutLocks = bare.replace(/\bfor\s+(no\s+key\s+)?update\b/g, ' ');
    const verb = /\b(insert|update|delete|replace|merge|truncate|alter|drop)\b/.test(withoutLocks)
      ? 'changes'
      : 'reads';
    const { parent } = node;
    const run =
      ts.isPropertyAccessExpression(parent) && parent.name.text === 'execute' && ts.isCallExpression(parent.parent)
        ? parent.parent.arguments[0]
        : undefined;
    for (const table of owners.keys()) if (words.has(table)) this.#access(node, verb, table, run);
  }

  /** @param on what the statement is built or run on */
  #access(node: ts.Node, verb: Verb, table: string, on: ts.Expression | undefined): void {
    const owner = owners.get(table);
    // Not a table: a name that the query has given itself (`with`), else it would not compile.
    if (owner === undefined) return;
    if (owner !== this.#feature && !(this.#readsAll && verb === 'reads'))
      this.#fault(node, `${verb} ${table}, which belongs to ${owner}`);
    this.#graded(node, verb, table);
    if (verb === 'changes' && tablesKeptInMemory.includes(table) && !this.#runsOnPeopleTrx(on))
      this.#fault(node, `changes ${table} without a PeopleTrx`);
  }

  /** What hangs on correctness is read in the room of grading alone: the statement around names no such column. */
  #graded(node: ts.Node, verb: Verb, table: string): void {
    const columns = gradedColumns[table];
    if (columns === undefined || verb !== 'reads' || this.#readsAll || this.#file.startsWith(gradingRoom)) return;
    if (columns === true) {
      this.#fault(node, `reads ${table}, which hangs on correctness, outside of ${gradingRoom}`);
      return;
    }
    let around = node;
    while (around.parent && !ts.isStatement(around) && !ts.isSourceFile(around.parent)) around = around.parent;
    const visit = (inner: ts.Node): void => {
      const column = ts.isStringLiteralLike(inner) ? (/^(?:\w+\.)?(\w+)(?: as \w+)?$/.exec(inner.text)?.[1] ?? '') : '';
      const other = ts.isStringLiteralLike(inner) && /^(questions|exam_questions)\./.test(inner.text);
      if (columns.includes(column) && !other)
        this.#fault(inner, `reads ${table}.${column}, which hangs on correctness, outside of ${gradingRoom}`);
      if (ts.isIdentifier(inner) && inner.text === 'selectAll')
        this.#fault(inner, `reads all of ${table}, which has what hangs on correctness, outside of ${gradingRoom}`);
      ts.forEachChild(inner, visit);
    };
    visit(around);
  }

  /** Whether a statement runs on a `PeopleTrx` itself: to have one at hand is not enough. */
  #runsOnPeopleTrx(on: ts.Expression | undefined): boolean {
    let root = on;
    // `trx.with('a', …).deleteFrom('users')` still runs on `trx`.
    while (root && ts.isCallExpression(root) && ts.isPropertyAccessExpression(root.expression)) {
      if (!/^with(Recursive)?$/.test(root.expression.name.text)) break;
      root = root.expression.expression;
    }
    return root !== undefined && this.#tellsOfPeople(this.#checker.getTypeAtLocation(root));
  }

  /** Whether a type is `PeopleTrx` or made of it: no other has its mark. */
  #tellsOfPeople(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((part) => this.#tellsOfPeople(part));
    return this.#checker.getPropertiesOfType(type).some(({ name }) => name.startsWith('__@changesPeople'));
  }

  /** The tables that a first argument names; null: the code does not say. */
  #tablesIn(node: ts.Expression): string[] | null {
    if (ts.isParenthesizedExpression(node)) return this.#tablesIn(node.expression);
    // The calls inside a function are visited on their own.
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [];
    if (ts.isArrayLiteralExpression(node)) return all(node.elements.map((element) => this.#tablesIn(element)));
    const texts = ts.isTemplateExpression(node)
      ? this.#textsOfTemplate(node)
      : this.#texts(this.#checker.getTypeAtLocation(node));
    return texts?.map(tableName) ?? null;
  }

  #textsOfTemplate(node: ts.TemplateExpression): string[] | null {
    let texts: string[] = [node.head.text];
    for (const { expression, literal } of node.templateSpans) {
      const inside = this.#texts(this.#checker.getTypeAtLocation(expression));
      if (inside === null) return null;
      texts = texts.flatMap((text) => inside.map((piece) => text + piece + literal.text));
    }
    return texts;
  }

  /** The texts that a type stands for: none when it is an object (a query of its own), null when it could be any text. */
  #texts(type: ts.Type): string[] | null {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return null;
    if (type.isUnion()) return all(type.types.map((part) => this.#texts(part)));
    if (type.isStringLiteral()) return [type.value];
    if (type.flags & ts.TypeFlags.Instantiable) {
      const constraint = this.#checker.getBaseConstraintOfType(type);
      return constraint && constraint !== type ? this.#texts(constraint) : null;
    }
    if (this.#checker.isArrayLikeType(type))
      return all(this.#checker.getTypeArguments(type as ts.TypeReference).map((argument) => this.#texts(argument)));
    if (type.symbol?.name === 'DynamicTableBuilder')
      return all(this.#checker.getTypeArguments(type as ts.TypeReference).map((argument) => this.#texts(argument)));
    return type.flags & ts.TypeFlags.Object ? [] : null;
  }

  #typeName(node: ts.Node): string | undefined {
    return this.#checker.getTypeAtLocation(node).symbol?.name;
  }

  #isSql(node: ts.Expression): boolean {
    return this.#typeName(node) === 'Sql' && this.#isOfKysely(node);
  }

  #isOfKysely(node: ts.Expression): boolean {
    return this.#isTypeOfKysely(this.#checker.getTypeAtLocation(node));
  }

  /** Whether something of this type becomes a query when it is asked to: a builder, wherever it was begun. */
  #buildsQueries(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((part) => this.#buildsQueries(part));
    const builds = ['toOperationNode', 'selectFrom', 'compile'].some((name) => type.getProperty(name));
    return builds && this.#isTypeOfKysely(type);
  }

  #isTypeOfKysely(type: ts.Type): boolean {
    const declared = (type.isIntersection() ? type.types : [type]).flatMap((part) => part.symbol?.declarations ?? []);
    return declared.some((declaration) => declaration.getSourceFile().fileName.includes('/node_modules/kysely/'));
  }

  #outsideOfStore(node: ts.Node): void {
    if (isStore(this.#file)) return;
    const what = 'has SQL and is no store';
    // Said once of a line, however many methods its query is built with.
    const line = this.#lineOf(node);
    if (!this.#faults.some((fault) => fault.line === line && fault.what === what)) this.#fault(node, what);
  }

  #unreadable(node: ts.Node): void {
    // Drivers and migrations pass on what they are given; what looks at the whole database asks it for its tables.
    if (this.#file.startsWith('server/db/') || this.#readsAll) return;
    this.#fault(node, 'names a table in a way that the code does not tell');
  }

  #fault(node: ts.Node, what: string): void {
    this.#faults.push({ file: this.#file, line: this.#lineOf(node), what });
  }

  #lineOf(node: ts.Node): number {
    return this.#source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  }
}

const isCallee = (node: ts.Expression) => ts.isCallExpression(node.parent) && node.parent.expression === node;

/** `users as u` and `public.users` name the table `users`. */
const tableName = (text: string) =>
  text
    .split(/\s+as\s+/i)[0]
    ?.split('.')
    .at(-1)
    ?.trim() ?? '';

function all(lists: readonly (string[] | null)[]): string[] | null {
  return lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? []);
}

/** Whether the statement that an `insertInto` begins may change rows that are there. */
function updatesOnConflict(node: ts.CallExpression): boolean {
  let whole: ts.Node = node;
  while (ts.isPropertyAccessExpression(whole.parent) || ts.isCallExpression(whole.parent)) {
    if (ts.isCallExpression(whole.parent) && whole.parent.expression !== whole) break;
    whole = whole.parent;
  }
  let found = false;
  const visit = (inner: ts.Node): void => {
    if (ts.isPropertyAccessExpression(inner) && /^(doUpdateSet|onDuplicateKeyUpdate|orReplace)$/.test(inner.name.text))
      found = true;
    ts.forEachChild(inner, visit);
  };
  visit(whole);
  return found;
}

if (import.meta.main) {
  const lines = tableFaults().map(({ file, line, what }) => `${file}:${line} ${what}`);
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exit(1);
  console.log(`${owners.size} tables, each with the stores of its owner`);
}
