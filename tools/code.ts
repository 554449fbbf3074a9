/** The code of the repository as the generators of docs read it: parsed, with the types asked where a name leads. */
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dirname, '..');

/** Files of a room, sorted; tests and their kits left out. */
export function filesOf(room: string): string[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$/.test(file) && !/[.-]test(-kit|-process)?\.tsx?$/.test(file))
    .filter((file) => !/\/test-(kit|process)\.ts$/.test(file))
    .sort();
}

/** Parsed files by path (`server/app.ts`), and what asks their types. */
export interface Code {
  checker: ts.TypeChecker;
  sources: ReadonlyMap<string, ts.SourceFile>;
  /** The path of the file that a node stands in; of a file outside of the repository the whole path. */
  fileOf(node: ts.Node): string;
  /** What an identifier names, through imports. */
  symbolOf(name: ts.Node): ts.Symbol | undefined;
}

/**
 * Reads code.
 * @param instead texts by path to read in place of what is there, for tests: without the types of libraries
 */
export function readCode(files: readonly string[], instead: ReadonlyMap<string, string> = new Map()): Code {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  if (instead.size > 0) Object.assign(options, { types: [], lib: ['lib.es2024.d.ts'] });
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  const given = new Map([...instead].map(([file, text]) => [join(root, file), text]));
  host.fileExists = (file) => given.has(file) || fileExists(file);
  host.readFile = (file) => given.get(file) ?? readFile(file);
  host.getSourceFile = (file, target) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, target, true);
  };
  const all = [...new Set([...files, ...instead.keys()])];
  const program = ts.createProgram(
    all.map((file) => join(root, file)),
    options,
    host,
  );
  const checker = program.getTypeChecker();
  const fileOf = (node: ts.Node) => {
    const { fileName } = node.getSourceFile();
    return fileName.startsWith(`${root}/`) ? fileName.slice(root.length + 1) : fileName;
  };
  const sources = new Map<string, ts.SourceFile>();
  for (const file of all) {
    const source = program.getSourceFile(join(root, file));
    if (source) sources.set(file, source);
  }
  const symbolOf = (name: ts.Node): ts.Symbol | undefined => {
    const symbol =
      ts.isIdentifier(name) && ts.isShorthandPropertyAssignment(name.parent)
        ? checker.getShorthandAssignmentValueSymbol(name.parent)
        : checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  };
  return { checker, sources, fileOf, symbolOf };
}

/** Calls `look` for a node and everything in it, until it answers `false`: then not for what is inside. */
export function walk(node: ts.Node, look: (node: ts.Node) => boolean | undefined): void {
  if (look(node) === false) return;
  ts.forEachChild(node, (child) => walk(child, look));
}

/** The node without parentheses, `await`, `as`, `satisfies` around it. */
export function bare(node: ts.Node): ts.Node {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAwaitExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isNonNullExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

/** Whether a name is a component's: PascalCase, in a file with elements. */
export const isComponentFile = (file: string) => /^[A-Z]\w*\.tsx$/.test(posix.basename(file));
