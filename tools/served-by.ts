/**
 * Follows a call on the server: from `serve(SaveQuestion, …)` through the functions that its handler calls to the stores and
 * rules. A value is followed to where it was made: a part of `examParts`, an argument that `app.ts` or a `routes.ts` gives, a
 * method of a class; of what is found, only the functions that are called are read.
 */
import { posix } from 'node:path';
import ts from 'typescript';
import { bare, type Code, walk } from './code.ts';

/** The files of the server that answer a call, those that one would open first before the others. */
export interface Served {
  /** Where `serve(…)` stands. */
  route: string;
  /** The file that does the work, then those between it and the stores in which something is decided. */
  works: string[];
  stores: string[];
  rules: string[];
}

const isStore = (file: string) => /^server\/.*store\.ts$/.test(file) && !/^server\/(db|http)\//.test(file);
/** Rooms that serve every call: what they do for it is the same for all. */
const isCommon = (file: string) => !/^server\/(\w+\/|app\.ts)/.test(file) || /^server\/(db|http)\//.test(file);
/** Where parts are put together: what is given there is given for every call. */
const isWiring = (file: string) => /^server\/app\.ts$|\/(routes|parts)\.ts$/.test(file);

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isGetAccessorDeclaration(node);

interface Handler {
  file: string;
  node: ts.Node;
}

/** Every `serve(…)` of the server and who calls what, read once. */
export interface Server {
  /** By contract file and constant (`contract/exam.ts SaveQuestion`). */
  handlers: ReadonlyMap<string, readonly Handler[]>;
  /** @param callName `POST /api/…` @param enrolled whether the pack is asked for before the handler */
  trace(handler: Handler, callName: string, enrolled: boolean): Served;
}

export function readServer(code: Code): Server {
  const { fileOf, symbolOf } = code;
  const handlers = new Map<string, Handler[]>();
  const callsOf = new Map<ts.Symbol, (ts.CallExpression | ts.NewExpression)[]>();
  /** What is asked before each call of somebody enrolled. */
  let mayOpenPack: ts.Node | undefined;
  for (const [file, source] of code.sources) {
    if (!file.startsWith('server/')) continue;
    walk(source, (node) => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'mayOpenPack' && file === 'server/app.ts')
        mayOpenPack = node.initializer;
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
      if (!ts.isIdentifier(node.expression)) return undefined;
      const [first, second] = node.arguments ?? [];
      if (node.expression.text === 'serve' && first && second) {
        const [declaration] = symbolOf(first)?.declarations ?? [];
        if (declaration) {
          const key = `${fileOf(declaration)} ${first.getText()}`;
          handlers.set(key, [...(handlers.get(key) ?? []), { file, node: second }]);
        }
      }
      const symbol = symbolOf(node.expression);
      if (symbol) callsOf.set(symbol, [...(callsOf.get(symbol) ?? []), node]);
      return undefined;
    });
  }
  return {
    handlers,
    trace: (handler, callName, enrolled) =>
      new Trace(code, callsOf).served(handler, callName, enrolled ? mayOpenPack : undefined),
  };
}

interface Waiting {
  node: ts.Node;
  depth: number;
}

/** One call being followed. */
class Trace {
  readonly #code: Code;
  readonly #callsOf: ReadonlyMap<ts.Symbol, readonly (ts.CallExpression | ts.NewExpression)[]>;
  readonly #seen = new Set<ts.Node>();
  readonly #resolving = new Set<ts.Node>();
  #waiting: Waiting[] = [];
  /** Each file that was come to, with how many functions away, nearest first. */
  readonly #reached = new Map<string, number>();
  /** Files that name a rule or a store themselves. */
  readonly #deciding = new Set<string>();
  readonly #rules = new Set<string>();

  constructor(code: Code, callsOf: ReadonlyMap<ts.Symbol, readonly (ts.CallExpression | ts.NewExpression)[]>) {
    this.#code = code;
    this.#callsOf = callsOf;
  }

  served(handler: Handler, callName: string, before: ts.Node | undefined): Served {
    this.#follow(handler.node);
    const own = [...this.#reached.keys()];
    const direct = [...this.#reached].filter(([, depth]) => depth <= 1).map(([file]) => file);
    if (before) {
      for (const made of this.#resolve(before)) this.#follow(made);
    }
    const stores = [...this.#reached.keys()].filter(isStore);
    const between = [...this.#reached.keys()].filter(
      (file) => !isStore(file) && file !== handler.file && !isWiring(file) && this.#deciding.has(file),
    );
    const [, feature] = handler.file.split('/');
    const works = direct.filter((file) => !isStore(file) && file !== handler.file && !isWiring(file));
    const inRoom = works.filter((file) => posix.dirname(file) === posix.dirname(handler.file));
    // A file that serves its call alone does the work itself, and so does a route that uses nothing but stores.
    const isOwn = posix.basename(handler.file) !== 'routes.ts' || inRoom.length === 0;
    const main = isOwn ? [handler.file] : doing(callName, inRoom);
    // Its own feature's before those of others, and last what is asked before it.
    const firstStore = (file: string) => (!own.includes(file) ? 2 : file.startsWith(`server/${feature}/`) ? 0 : 1);
    return {
      route: handler.file,
      works: [...new Set([...main, ...between])],
      stores: stores.sort((a, b) => firstStore(a) - firstStore(b)),
      rules: [...this.#rules],
    };
  }

  /** Reads a function and what it calls, the nearest first. */
  #follow(start: ts.Node): void {
    this.#enter(start, 0);
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { node, depth } = next;
      this.#look(node, depth);
    }
  }

  #enter(node: ts.Node, depth: number): void {
    const file = this.#code.fileOf(node);
    if (file.startsWith('rules/')) this.#rules.add(file);
    if (this.#seen.has(node) || isCommon(file) || !file.startsWith('server/')) return;
    this.#seen.add(node);
    const known = this.#reached.get(file);
    if (known === undefined || known > depth) this.#reached.set(file, depth);
    this.#waiting.push({ node, depth });
  }

  #look(body: ts.Node, depth: number): void {
    const from = this.#code.fileOf(body);
    const come = (to: ts.Node) => {
      const file = this.#code.fileOf(to);
      if (file.startsWith('rules/') || isStore(file)) this.#deciding.add(from);
      this.#enter(to, depth + 1);
    };
    walk(body, (node) => {
      if (ts.isTypeNode(node)) return false;
      if (ts.isNewExpression(node)) {
        for (const made of this.#resolve(node.expression))
          if (ts.isClassDeclaration(made))
            for (const member of made.members) if (ts.isConstructorDeclaration(member)) come(member);
      }
      if (ts.isPropertyAccessExpression(node)) {
        const made = this.#resolve(node);
        for (const one of made) for (const callable of this.#callable(one)) come(callable);
        if (!isStore(from) && made.every(ts.isCallExpression)) {
          // What nobody could be seen making: the file that says what it is. (A store asks the library, at some length.)
          const [declaration] = this.#code.symbolOf(node.name)?.declarations ?? [];
          if (declaration && isStore(this.#code.fileOf(declaration)) && !this.#seen.has(declaration)) {
            this.#seen.add(declaration);
            const file = this.#code.fileOf(declaration);
            this.#deciding.add(from);
            if (!this.#reached.has(file)) this.#reached.set(file, depth + 1);
          }
        }
      }
      if (ts.isIdentifier(node) && !isNameOf(node)) this.#lookAtName(node, body, come);
      return undefined;
    });
  }

  #lookAtName(name: ts.Identifier, body: ts.Node, come: (to: ts.Node) => void): void {
    const [declaration] = this.#code.symbolOf(name)?.declarations ?? [];
    if (!declaration) return;
    const file = this.#code.fileOf(declaration);
    if (file.startsWith('rules/') && !ts.isTypeAliasDeclaration(declaration)) {
      come(declaration);
      return;
    }
    if (!file.startsWith('server/')) return;
    const made = this.#resolve(name);
    for (const one of made) for (const callable of this.#callable(one)) come(callable);
    // A constant at the top of another file, made by what cannot be followed.
    if (
      made.length === 0 &&
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer &&
      !isInside(declaration, body)
    )
      come(declaration.initializer);
  }

  /** The functions that run when a value is called; what a library or `server/db` made may call all that it was given. */
  #callable(value: ts.Node): ts.Node[] {
    if (isFunction(value)) return [value];
    if (!ts.isCallExpression(value)) return [];
    return value.arguments.flatMap((argument) => this.#resolve(argument)).filter(isFunction);
  }

  /** The functions, classes and object literals that a value may be; a call of what cannot be followed stands for itself. */
  #resolve(value: ts.Node): ts.Node[] {
    const node = bare(value);
    if (isFunction(node) || ts.isObjectLiteralExpression(node) || ts.isClassDeclaration(node)) return [node];
    if (this.#resolving.has(node) || this.#resolving.size > 200) return [];
    this.#resolving.add(node);
    try {
      if (ts.isIdentifier(node)) return this.#resolveName(node);
      if (node.kind === ts.SyntaxKind.ThisKeyword) {
        const around = ts.findAncestor(node, ts.isClassDeclaration);
        return around ? [around] : [];
      }
      if (ts.isPropertyAccessExpression(node))
        return this.#resolve(node.expression).flatMap((object) => this.#member(object, node.name.text));
      if (ts.isCallExpression(node)) {
        const made = this.#resolve(node.expression).filter(isFunction);
        if (made.length === 0 || made.some((one) => isCommon(this.#code.fileOf(one)))) return [node];
        return made.flatMap((one) => this.#returned(one));
      }
      if (ts.isNewExpression(node)) return this.#resolve(node.expression);
      if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap((one) => this.#resolve(one));
      if (ts.isBinaryExpression(node) && /^(\?\?|\|\||&&)=?$/.test(node.operatorToken.getText()))
        return [node.left, node.right].flatMap((one) => this.#resolve(one));
      return [];
    } finally {
      this.#resolving.delete(node);
    }
  }

  #resolveName(name: ts.Identifier): ts.Node[] {
    const [declaration] = this.#code.symbolOf(name)?.declarations ?? [];
    return declaration ? this.#declared(declaration) : [];
  }

  #declared(declaration: ts.Node): ts.Node[] {
    if (!this.#code.fileOf(declaration).startsWith('server/')) return [];
    if (isFunction(declaration) || ts.isClassDeclaration(declaration)) return [declaration];
    if (ts.isVariableDeclaration(declaration))
      return declaration.initializer ? this.#resolve(declaration.initializer) : [];
    if (ts.isParameter(declaration)) return this.#given(declaration);
    if (ts.isBindingElement(declaration)) {
      const { parent: pattern, propertyName, name, dotDotDotToken } = declaration;
      const whole = this.#declared(pattern.parent);
      if (ts.isArrayBindingPattern(pattern)) return [];
      return dotDotDotToken ? whole : whole.flatMap((one) => this.#member(one, (propertyName ?? name).getText()));
    }
    return [];
  }

  /** What a function is given for a parameter: where parts are put together, or by what was read before. */
  #given(parameter: ts.ParameterDeclaration): ts.Node[] {
    const made = parameter.parent;
    const at = made.parameters.indexOf(parameter);
    const named = ts.isConstructorDeclaration(made) ? made.parent : made;
    const name =
      (ts.isFunctionDeclaration(named) || ts.isClassDeclaration(named)) && named.name
        ? named.name
        : ts.isVariableDeclaration(made.parent)
          ? made.parent.name
          : undefined;
    const symbol = name && this.#code.symbolOf(name);
    const calls = (symbol && this.#callsOf.get(symbol)) ?? [];
    const known = calls.filter(
      (call) =>
        calls.length === 1 ||
        isWiring(this.#code.fileOf(call)) ||
        ts.findAncestor(call, (around) => this.#seen.has(around)) !== undefined,
    );
    const found = known.flatMap((call) => {
      const argument = call.arguments?.[at];
      return argument ? this.#resolve(argument) : [];
    });
    return [...new Set(found)];
  }

  #member(object: ts.Node, name: string): ts.Node[] {
    if (ts.isCallExpression(object)) return [object];
    if (ts.isObjectLiteralExpression(object)) {
      for (const property of object.properties) {
        if (ts.isSpreadAssignment(property)) {
          const spread = this.#resolve(property.expression).flatMap((one) => this.#member(one, name));
          if (spread.length > 0) return spread;
        } else if (property.name.getText() === name) {
          if (ts.isPropertyAssignment(property)) return this.#resolve(property.initializer);
          if (ts.isShorthandPropertyAssignment(property)) return this.#resolve(property.name);
          return [property];
        }
      }
    }
    if (ts.isClassDeclaration(object)) {
      for (const member of object.members) {
        if (member.name?.getText() !== name) continue;
        if (isFunction(member)) return [member];
        if (ts.isPropertyDeclaration(member))
          return member.initializer ? this.#resolve(member.initializer) : this.#setByConstructor(object, name);
      }
    }
    return [];
  }

  #setByConstructor(made: ts.ClassDeclaration, name: string): ts.Node[] {
    const found: ts.Node[] = [];
    for (const member of made.members.filter(ts.isConstructorDeclaration))
      walk(member, (node) => {
        if (
          ts.isBinaryExpression(node) &&
          node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
          node.left.getText() === `this.${name}`
        )
          found.push(...this.#resolve(node.right));
        return undefined;
      });
    return found;
  }

  #returned(made: ts.Node): ts.Node[] {
    if (!isFunction(made) || !made.body || !this.#code.fileOf(made).startsWith('server/')) return [];
    if (!ts.isBlock(made.body)) return this.#resolve(made.body);
    const found: ts.Node[] = [];
    walk(made.body, (node) => {
      if (isFunction(node)) return false;
      if (ts.isReturnStatement(node) && node.expression) found.push(...this.#resolve(node.expression));
      return undefined;
    });
    return [...new Set(found)];
  }
}

/** Whether an identifier only names a member or what is declared, and stands for no value itself. */
function isNameOf(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && (parent.propertyName === node || parent.name === node)) ||
    ((ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isMethodDeclaration(parent)) &&
      parent.name === node)
  );
}

function isInside(node: ts.Node, around: ts.Node): boolean {
  return node.getSourceFile() === around.getSourceFile() && node.pos >= around.pos && node.end <= around.end;
}

/** Of the files that a handler uses the one that is named after its call (`save-question.ts` of `…/save_question`), if there is one. */
function doing(callName: string, works: readonly string[]): readonly string[] {
  const words = callName
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('_', '-'));
  const names = [words.slice(-2).join('-'), ...words.slice(-1)];
  const own = works.filter((file) => names.includes(posix.basename(file, '.ts')));
  return own.length > 0 ? own : works;
}
