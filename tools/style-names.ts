/**
 * Checks that style sheets and code name the same classes. A class that a `*.module.css` does not have is `undefined` in
 * the code, and neither compiler nor browser says a word: the element only loses its look. So every `classes.name` of an
 * imported sheet has to stand in that sheet, and every class of a sheet has to be used somewhere.
 *
 * That can only be seen where the name is written out: a sheet is imported by its one default name and read as
 * `classes.name`, never as `classes[name]` or handed on as a whole.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const SHEET = /\.module\.css$/;

/** The classes that a style sheet defines; those inside `:global(…)` belong to somebody else. */
export function classesOf(css: string): Set<string> {
  const bare = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/"[^"]*"|'[^']*'/g, '')
    .replace(/:global\([^)]*\)/g, '');
  const selectors = [...bare.matchAll(/([^{};]+)\{/g)].map(([, text = '']) => text.trim());
  return new Set(
    selectors
      .filter((text) => !text.startsWith('@'))
      .flatMap((text) => [...text.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name)),
  );
}

/**
 * What is wrong between code and style sheets, a line each.
 * @param files path from the root (`ui/Pills.tsx`) to content; those named `*.module.css` are the sheets
 */
export function styleFaults(files: ReadonlyMap<string, string>): string[] {
  const sheets = new Map([...files].filter(([file]) => SHEET.test(file)).map(([file, css]) => [file, classesOf(css)]));
  const used = new Map([...sheets.keys()].map((file) => [file, new Set<string>()]));
  const code = new Map([...files].filter(([file]) => /\.tsx?$/.test(file)));
  const faults: string[] = [];

  // The compiler's own scopes tell the sheet `page` from a parameter `page`; types are not needed for that.
  const options: ts.CompilerOptions = { noResolve: true, noLib: true, jsx: ts.JsxEmit.Preserve };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getSourceFile: (file, target) => {
      const text = code.get(file);
      return text === undefined ? undefined : ts.createSourceFile(file, text, target, true);
    },
    getCurrentDirectory: () => '',
    fileExists: (file) => code.has(file),
    readFile: (file) => code.get(file),
  };
  const program = ts.createProgram([...code.keys()], options, host);
  const checker = program.getTypeChecker();

  for (const file of code.keys()) {
    const source = program.getSourceFile(file);
    if (source === undefined) continue;
    const found = (node: ts.Node, what: string) =>
      faults.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}`);
    const imported = new Map<ts.Symbol, string>();
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
        const from = node.moduleSpecifier.text;
        if (!SHEET.test(from)) return;
        const path = from.startsWith('#') ? from.slice(1) : posix.join(posix.dirname(file), from);
        const name = node.importClause?.name;
        const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name);
        if (!sheets.has(path)) found(node, `there is no ${path}`);
        else if (symbol === undefined || node.importClause?.namedBindings !== undefined)
          found(node, `import a style sheet by one name: import classes from '${from}'`);
        else imported.set(symbol, path);
        return;
      }
      if (ts.isIdentifier(node)) {
        const symbol = ts.isShorthandPropertyAssignment(node.parent)
          ? checker.getShorthandAssignmentValueSymbol(node.parent)
          : checker.getSymbolAtLocation(node);
        const sheet = symbol === undefined ? undefined : imported.get(symbol);
        if (sheet !== undefined) {
          const { parent } = node;
          if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node)
            found(node, `write the class out: ${node.text}.name`);
          else if (!sheets.get(sheet)?.has(parent.name.text)) found(node, `${sheet} has no class .${parent.name.text}`);
          else used.get(sheet)?.add(parent.name.text);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  for (const [sheet, names] of sheets)
    for (const name of names) if (!used.get(sheet)?.has(name)) faults.push(`${sheet} nobody uses .${name}`);
  return faults;
}

if (import.meta.main) {
  const files = new Map(
    ['web', 'ui', 'e2e'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
        .filter((file) => SHEET.test(file) || /\.tsx?$/.test(file))
        .map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')]),
    ),
  );
  const faults = styleFaults(files);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log(
    `${[...files.keys()].filter((file) => SHEET.test(file)).length} style sheets, every class found and used`,
  );
}
