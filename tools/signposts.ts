/** Where to open what: of every call the files that answer it on the server and show it in the browser, read once. */
import ts from 'typescript';
import { calls } from '#contract/all.ts';
import { type Code, filesOf, readCode, walk } from './code.ts';
import { readServer, type Served } from './served-by.ts';
import { readWeb, type Shown, type Web } from './shown-by.ts';

interface CallFiles extends Served, Shown {
  /** The file that declares it. */
  contract: string;
}

export interface Signposts {
  /** By the name of the call. */
  callFiles: ReadonlyMap<string, CallFiles>;
  web: Web;
  code: Code;
  /** Calls without a declaration, and those that are not served exactly once. */
  faults: readonly string[];
}

/** Every `export const SaveQuestion = call('POST /api/…', …)`, as `contract/exam.ts SaveQuestion` by the name of the call. */
function declarations({ sources }: Code): Map<string, { file: string; constant: string }> {
  const found = new Map<string, { file: string; constant: string }>();
  for (const [file, source] of sources) {
    if (!file.startsWith('contract/')) continue;
    walk(source, (node) => {
      if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isCallExpression(node.initializer))
        return undefined;
      const { expression, arguments: given } = node.initializer;
      const [name] = given;
      if (expression.getText() === 'call' && name && ts.isStringLiteral(name))
        found.set(name.text, { file, constant: `${file} ${node.name.getText()}` });
      return undefined;
    });
  }
  return found;
}

/** Reads the repository: some seconds. */
export function signposts(): Signposts {
  const code = readCode(['contract', 'rules', 'server', 'web'].flatMap(filesOf));
  const declared = declarations(code);
  const server = readServer(code);
  const web = readWeb(code);
  const faults: string[] = [];
  const callFiles = new Map<string, CallFiles>();
  for (const { call } of calls) {
    const declaration = declared.get(call.name);
    if (!declaration) {
      faults.push(`no file of contract/ declares ${call.name}`);
      continue;
    }
    const { file, constant } = declaration;
    const handlers = server.handlers.get(constant) ?? [];
    const [handler] = handlers;
    if (handlers.length !== 1 || !handler)
      faults.push(`${call.name} is served ${handlers.length} times: ${handlers.map((one) => one.file).join(', ')}`);
    const served = handler
      ? server.trace(handler, call.name, call.who === 'enrolled' && !call.gathered)
      : { route: '', works: [], stores: [], rules: [] };
    callFiles.set(call.name, { contract: file, ...served, ...web.trace(call.name, constant) });
  }
  return { callFiles, web, code, faults };
}
