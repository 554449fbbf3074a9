/**
 * Compiles `rules/` and `contract/` where there is nothing but the language: no DOM and no Node (tsconfig.pure.json), and
 * without what of the language tells the time, draws lots, waits, or asks the machine for its zone and its locale. What a
 * type cannot refuse is refused by the syntax. `npm run check` runs it, pure.test.ts shows that it notices.
 */
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const { AsyncKeyword, AwaitKeyword, DeclareKeyword, ImportKeyword, PlusToken, PlusEqualsToken } = ts.SyntaxKind;

interface Removal {
  /** What a rule can then no longer say. */
  what: string;
  /** The interface or namespace that has it; undefined: all of them, and what stands in none. */
  from?: string;
  /** Whether this is what is taken out of TypeScript's description of the language: a member or a statement. */
  is(found: ts.TypeElement | ts.Statement): boolean;
}

const named =
  (name: RegExp): Removal['is'] =>
  (found) => {
    const called = ts.isVariableStatement(found)
      ? found.declarationList.declarations[0]?.name
      : ts.isTypeElement(found) || ts.isFunctionDeclaration(found)
        ? found.name
        : undefined;
    return called !== undefined && ts.isIdentifier(called) && name.test(called.text);
  };

const removals: readonly Removal[] = [
  { from: 'DateConstructor', what: 'Date.now()', is: named(/^now$/) },
  {
    from: 'DateConstructor',
    what: 'new Date() of now, or of a year and a month in the zone of the machine',
    is: (found) => ts.isConstructSignatureDeclaration(found) && found.parameters.length !== 1,
  },
  { from: 'DateConstructor', what: 'Date()', is: ts.isCallSignatureDeclaration },
  { from: 'Date', what: 'getHours() and all that go by the zone of the machine', is: named(/^[gs]et(?!UTC|Time$)/) },
  { from: 'Date', what: 'toDateString(), toTimeString()', is: named(/^to(Date|Time)String$/) },
  { from: 'Math', what: 'Math.random()', is: named(/^random$/) },
  { what: 'toLocaleString() and its like', is: named(/^toLocale/) },
  {
    from: 'String',
    what: 'localeCompare() without a locale',
    is: (found) => named(/^localeCompare$/)(found) && !comparesByGiven(found),
  },
  {
    from: 'Intl',
    what: 'Intl, which goes by the zone and the locale of the machine where none is given',
    is: (found) => ts.isVariableStatement(found) || ts.isFunctionDeclaration(found),
  },
  { what: 'Promise', is: (found) => ts.isVariableStatement(found) && named(/^Promise$/)(found) },
  { what: 'eval()', is: (found) => ts.isFunctionDeclaration(found) && named(/^eval$/)(found) },
];

/** Of the descriptions of `localeCompare` one names a locale that is text; it is made one that has to be given (`given`). */
function comparesByGiven(found: ts.Node): boolean {
  return ts.isMethodSignature(found) && found.parameters[1]?.type?.getText() === 'string | string[]';
}

/**
 * The text of one of TypeScript's descriptions of the language without what a rule may not use. Line numbers stay.
 * @param done what was taken out is added here
 */
function withoutTheWorld(file: string, text: string, done: Set<Removal>): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const gone: ts.Node[] = [];
  const look = (found: ts.TypeElement | ts.Statement, from: string | undefined) => {
    const removal = removals.find((removal) => (removal.from ?? from) === from && removal.is(found));
    if (removal) {
      done.add(removal);
      gone.push(found);
    }
    const optional = comparesByGiven(found) && ts.isMethodSignature(found) && found.parameters[1]?.questionToken;
    if (optional) gone.push(optional);
  };
  const visit = (node: ts.Node, from: string | undefined): void => {
    if (ts.isInterfaceDeclaration(node)) for (const member of node.members) look(member, node.name.text);
    else if (ts.isModuleDeclaration(node) && node.body) visit(node.body, node.name.text);
    else if (ts.isSourceFile(node) || ts.isModuleBlock(node))
      for (const statement of node.statements) {
        look(statement, from);
        visit(statement, from);
      }
  };
  visit(source, undefined);
  let left = text;
  for (const node of gone) {
    const [start, end] = [node.getStart(), node.getEnd()];
    left = left.slice(0, start) + left.slice(start, end).replace(/[^\n]/g, ' ') + left.slice(end);
  }
  return left;
}

/**
 * Compiles the two rooms, or given files as if they stood in them.
 * @param instead texts by path (`rules/exam/x.ts`) to compile in place of what is there
 * @returns the faults, each with its file and line; none: all well
 */
export function impurities(instead?: ReadonlyMap<string, string>): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tools/tsconfig.pure.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (fault) => {
      throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
    },
  });
  if (!config) throw new Error('tools/tsconfig.pure.json cannot be read');
  const given = new Map([...(instead ?? [])].map(([file, text]) => [join(root, file), text]));
  const host = ts.createCompilerHost(config.options, true);
  const language = dirname(host.getDefaultLibFileName(config.options));
  const done = new Set<Removal>();
  const { fileExists, readFile } = host;
  host.fileExists = (file) => given.has(file) || fileExists(file);
  host.readFile = (file) => given.get(file) ?? readFile(file);
  host.getSourceFile = (file, target) => {
    const text = host.readFile(file);
    if (text === undefined) return undefined;
    const isOfTheLanguage = dirname(file) === language && basename(file).startsWith('lib.');
    return ts.createSourceFile(file, isOfTheLanguage ? withoutTheWorld(file, text, done) : text, target, true);
  };
  const program = ts.createProgram(instead ? [...given.keys()] : config.fileNames, config.options, host);
  // A newer TypeScript says it elsewhere.
  for (const removal of removals)
    if (!done.has(removal)) throw new Error(`the language has no ${removal.what}: mend tools/pure.ts`);
  const checker = program.getTypeChecker();
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return file && start !== undefined ? `${at(file, start)} ${text}` : text;
  });
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || program.isSourceFileFromExternalLibrary(source)) continue;
    const fault = (position: number, text: string) => faults.push(`${at(source, position)} ${text}`);
    for (const { pos, fileName } of [...source.typeReferenceDirectives, ...source.libReferenceDirectives])
      fault(pos, `"${fileName}" brings in what a rule must not have.`);
    for (const { index, 0: comment } of source.text.matchAll(/@ts-[a-z-]+/g))
      fault(index, `"${comment}" silences the compiler.`);
    const visit = (node: ts.Node): void => {
      const what = impurity(node, checker);
      if (what) fault(node.getStart(), what);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return faults;
}

/** What is wrong with a piece of syntax that compiles. */
function impurity(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  const typeOf = (inner: ts.Node) => checker.getTypeAtLocation(inner);
  if (ts.isAwaitExpression(node) || node.kind === AsyncKeyword || node.kind === AwaitKeyword)
    return 'A rule does not wait.';
  if (ts.isIdentifier(node) && /^Promise(Like)?$/.test(node.text)) return 'A rule does not wait.';
  if (ts.isThrowStatement(node)) return 'A rule does not throw: it returns why.';
  if (node.kind === DeclareKeyword) return 'A rule declares nothing from outside.';
  if (ts.isAsExpression(node) && isOfTheLanguage(node.expression, checker))
    return 'What the language brings is taken as what it is.';
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const callee = node.expression;
    if (callee.kind === ImportKeyword) return 'A rule does not wait.';
    const type = typeOf(callee);
    if (type.flags & ts.TypeFlags.Any || type.symbol?.name === 'Function')
      return 'It is not known what is called here.';
    const [first] = node.arguments ?? [];
    const reads = type.symbol?.name === 'DateConstructor' || callee.getText() === 'Date.parse';
    if (first && reads && !saysItsZone(typeOf(first)))
      return 'A date as text is read in the zone of the machine, unless it says its own.';
    if (first && type.symbol?.name === 'StringConstructor' && isDate(typeOf(first))) return DATE_AS_TEXT;
  }
  if (ts.isTemplateSpan(node) && isDate(typeOf(node.expression))) return DATE_AS_TEXT;
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'toString' && isDate(typeOf(node.expression)))
    return DATE_AS_TEXT;
  if (ts.isPropertyAccessExpression(node) && LENT_TO_DATES.test(node.name.text) && isDate(typeOf(node.expression)))
    return 'ts-fsrs adds this to dates, and it goes by the zone of the machine.';
  if (ts.isBinaryExpression(node) && [PlusToken, PlusEqualsToken].includes(node.operatorToken.kind as never)) {
    if (isDate(typeOf(node.left)) || isDate(typeOf(node.right))) return DATE_AS_TEXT;
  }
  return undefined;
}

/** What ts-fsrs adds to every Date when it is loaded; its types say so wherever it is imported. */
const LENT_TO_DATES = /^(scheduler|diff|format|dueFormat)$/;
const DATE_AS_TEXT = 'A date becomes text in the zone of the machine: toISOString() does not.';

const isDate = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(isDate) : type.symbol?.name === 'Date' && !type.isTypeParameter();

/** Whether a value that is made a date means the same everywhere: a number, another date, or text with its zone. */
function saysItsZone(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(saysItsZone);
  if (type.isStringLiteral()) return /^\d{4}-\d\d-\d\d$|T.*(Z|[+-]\d\d:\d\d)$/.test(type.value);
  return !(type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Any | ts.TypeFlags.Unknown));
}

/** Whether an expression is something global (`Date`, `globalThis`), which a cast would make into anything. */
function isOfTheLanguage(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return isOfTheLanguage(node.expression, checker);
  if (!ts.isIdentifier(node)) return false;
  const declared = checker.getSymbolAtLocation(node)?.declarations;
  return node.text === 'globalThis' || (declared?.some((found) => found.getSourceFile().isDeclarationFile) ?? false);
}

function at(file: ts.SourceFile, position: number): string {
  return `${file.fileName.slice(root.length + 1)}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
}

if (import.meta.main) {
  const faults = impurities();
  // A rule that imports a server brings its whole world along: hundreds of faults of it would bury those of the rule.
  const own = faults.filter((fault) => /^(rules|contract)\//.test(fault));
  for (const fault of own) console.error(fault);
  const others = new Set(faults.filter((fault) => !own.includes(fault)).map((fault) => fault.split(':')[0]));
  if (others.size > 0) console.error(`faults in what they import: ${[...others].join(', ')}`);
  if (faults.length > 0) process.exit(1);
  console.log('rules and contract need nothing but the language');
}
