/**
 * Compiles `rules/` and `contract/` where there is nothing but the language: no DOM and no Node (tsconfig.pure.json), and
 * without the members of the language that tell the time or draw lots. A rule that asks a clock, chance, a storage or the
 * network does not compile there, nor does one that waits. `npm run check` runs it, pure.test.ts shows that it notices.
 */
import { basename, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const { AsyncKeyword, AwaitKeyword, DeclareKeyword } = ts.SyntaxKind;

interface Removal {
  /** The file of TypeScript's that describes the language, the interface in it, and what a rule can then no longer say. */
  lib: string;
  from: string;
  what: string;
  /** What to take out of one member; undefined: it is another member. */
  of(member: ts.TypeElement): ts.Node | undefined;
}

const member = (name: string) => (found: ts.TypeElement) =>
  found.name && ts.isIdentifier(found.name) && found.name.text === name ? found : undefined;

/** Makes the date of a formatting method one that has to be given: left out, it is the present. */
const optionOf = (name: string) => (found: ts.TypeElement) =>
  ts.isMethodSignature(found) && member(name)(found) ? found.parameters[0]?.questionToken : undefined;

const removals: readonly Removal[] = [
  { lib: 'lib.es5.d.ts', from: 'DateConstructor', what: 'Date.now()', of: member('now') },
  {
    lib: 'lib.es5.d.ts',
    from: 'DateConstructor',
    what: 'new Date()',
    of: (found) => (ts.isConstructSignatureDeclaration(found) && found.parameters.length === 0 ? found : undefined),
  },
  {
    lib: 'lib.es5.d.ts',
    from: 'DateConstructor',
    what: 'Date()',
    of: (found) => (ts.isCallSignatureDeclaration(found) ? found : undefined),
  },
  { lib: 'lib.es5.d.ts', from: 'Math', what: 'Math.random()', of: member('random') },
  { lib: 'lib.es5.d.ts', from: 'DateTimeFormat', what: 'format()', of: optionOf('format') },
  { lib: 'lib.es2017.intl.d.ts', from: 'DateTimeFormat', what: 'formatToParts()', of: optionOf('formatToParts') },
];

/**
 * The text of one of TypeScript's descriptions of the language without what a rule may not use. Line numbers stay.
 * @throws when something to take out is not there: a newer TypeScript says it elsewhere
 */
function withoutClockAndChance(file: string, text: string): string {
  const here = removals.filter(({ lib }) => lib === basename(file));
  if (here.length === 0) return text;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const gone: ts.Node[] = [];
  for (const { from, what, of } of here) {
    const found: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isInterfaceDeclaration(node) && node.name.text === from)
        found.push(...node.members.flatMap((member) => of(member) ?? []));
      else ts.forEachChild(node, visit);
    };
    visit(source);
    if (found.length === 0) throw new Error(`${basename(file)} has no ${what} in ${from}: mend tools/pure.ts`);
    gone.push(...found);
  }
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
  const { fileExists, readFile } = host;
  host.fileExists = (file) => given.has(file) || fileExists(file);
  host.readFile = (file) => given.get(file) ?? readFile(file);
  host.getSourceFile = (file, target) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, withoutClockAndChance(file, text), target, true);
  };
  const program = ts.createProgram(instead ? [...given.keys()] : config.fileNames, config.options, host);
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return file && start !== undefined ? `${at(file, start)} ${text}` : text;
  });
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || program.isSourceFileFromExternalLibrary(source)) continue;
    const fault = (position: number, text: string) => faults.push(`${at(source, position)} ${text}`);
    for (const { pos, fileName } of [...source.typeReferenceDirectives, ...source.libReferenceDirectives])
      fault(pos, `"${fileName}" brings in what a rule must not have.`);
    const visit = (node: ts.Node): void => {
      if (ts.isAwaitExpression(node) || node.kind === AsyncKeyword || node.kind === AwaitKeyword)
        fault(node.getStart(), 'A rule does not wait.');
      if (node.kind === DeclareKeyword) fault(node.getStart(), 'A rule declares nothing from outside.');
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return faults;
}

function at(file: ts.SourceFile, position: number): string {
  return `${file.fileName.slice(root.length + 1)}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
}

if (import.meta.main) {
  const faults = impurities();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log('rules and contract need nothing but the language');
}
