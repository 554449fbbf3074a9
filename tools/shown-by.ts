/**
 * Follows a call in the browser: the files that send it, and the components that take its reply, either as a value
 * (`useCall(…)` → a variable, a hook's return, a property of an element) or by its type (`Data<'GET …'>`,
 * `DataOf<typeof ExamDetails>`, an alias of one, properties typed with them).
 */
import { posix } from 'node:path';
import ts from 'typescript';
import { bare, type Code, isComponentFile, walk } from './code.ts';

/** The files of the web app that have to do with a call, the nearest first. */
export interface Shown {
  senders: string[];
  components: string[];
}

export interface Web {
  /** @param constant of the contract, by file and name (`contract/exam.ts ExamDetails`) */
  trace(callName: string, constant: string): Shown;
  /** Files whose values a file imports, late ones too (`import('…')`). */
  imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of the calls that a file sends. */
  sends(file: string): string[];
}

/** A component that shows something of the product: the kit of `web/lib` frames and pages what it is given. */
const isShowing = (file: string) => /^web\//.test(file) && !/^web\/lib\//.test(file) && isComponentFile(file);

export function readWeb(code: Code): Web {
  const references = new Map<ts.Symbol, ts.Identifier[]>();
  const literals = new Map<string, ts.StringLiteral[]>();
  const imports = new Map<string, Set<string>>();
  const names = new Map<string, Set<string>>();
  for (const [file, source] of code.sources) {
    if (!file.startsWith('web/')) continue;
    imports.set(file, importsOf(file, source, false));
    names.set(file, importsOf(file, source, true));
    walk(source, (node) => {
      if (ts.isImportDeclaration(node)) return false;
      if (ts.isStringLiteral(node) && /^(GET|POST) \//.test(node.text))
        literals.set(node.text, [...(literals.get(node.text) ?? []), node]);
      if (ts.isIdentifier(node) && !isMemberName(node)) {
        const symbol = code.symbolOf(node);
        if (symbol) {
          const known = references.get(symbol);
          if (known) known.push(node);
          else references.set(symbol, [node]);
        }
      }
      return undefined;
    });
  }
  return {
    imports,
    sends: (file) =>
      [...literals].flatMap(([name, found]) =>
        found.some((literal) => code.fileOf(literal) === file && isSending(literal)) ? [name] : [],
      ),
    trace(callName, constant) {
      const named = literals.get(callName) ?? [];
      const sending = named.filter(isSending);
      const senders = [...new Set(sending.map(code.fileOf))];
      const flow = new Flow(code, references);
      for (const literal of sending) flow.fromSending(literal);
      for (const literal of named) if (isInType(literal)) flow.fromType(literal, 0);
      for (const [symbol, names] of references) {
        const [declaration] = symbol.declarations ?? [];
        if (declaration && `${code.fileOf(declaration)} ${symbol.name}` === constant)
          for (const name of names) if (isInType(name)) flow.fromType(name, 0);
      }
      return { senders, components: nearest(flow.done(), senders, names, code.sources) };
    },
  };
}

/** Components that use what sends a call, before those that use them are looked for. */
const ENOUGH = 2;

/** Components that were come to, nearest first; who shows none of the others last. Where a sender shows the reply itself, the sender. */
function nearest(
  reached: ReadonlyMap<string, number>,
  senders: readonly string[],
  imports: Web['imports'],
  sources: Code['sources'],
): string[] {
  const size = (file: string) => sources.get(file)?.text.length ?? 0;
  // A page is found by its address, and hands on what it asked for.
  const page = (file: string) => (/^web\/pages\/\w+Page\.tsx$/.test(file) ? 1 : 0);
  const taking = [...reached.keys()].filter((file) => isShowing(file) && !senders.includes(file));
  if (taking.some((file) => page(file) === 0)) {
    const holds = (file: string) => taking.filter((other) => other !== file && imports.get(file)?.has(other)).length;
    const far = (file: string) => reached.get(file) ?? 0;
    return taking.sort((a, b) => page(a) - page(b) || far(a) - far(b) || holds(b) - holds(a) || size(b) - size(a));
  }
  const own = senders.filter(isShowing);
  if (own.length > 0) return own;
  // A hook or the state of a screen sends it: the components that use that.
  let layer = new Set(senders);
  const seen = new Set(layer);
  const pages: string[] = [...taking];
  const components: string[] = [];
  for (let step = 0; step < 3 && layer.size > 0 && components.length < ENOUGH; step += 1) {
    const users = [...imports].filter(([file, from]) => !seen.has(file) && [...from].some((one) => layer.has(one)));
    const using = users.map(([file]) => file).filter((file) => isShowing(file) && page(file) === 0);
    components.push(...using.sort((a, b) => size(b) - size(a)));
    layer = new Set(users.map(([file]) => file));
    if (pages.length === 0) pages.push(...[...layer].filter(isShowing));
    for (const file of layer) seen.add(file);
  }
  return components.length > 0 ? components : pages;
}

/** Where the reply of one call goes. */
class Flow {
  readonly #code: Code;
  readonly #references: ReadonlyMap<ts.Symbol, readonly ts.Identifier[]>;
  readonly #seen = new Set<ts.Node>();
  readonly #reached = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];

  constructor(code: Code, references: ReadonlyMap<ts.Symbol, readonly ts.Identifier[]>) {
    this.#code = code;
    this.#references = references;
  }

  /** Each file that was come to, with how many components or aliases away. */
  done(): ReadonlyMap<string, number> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next();
    return this.#reached;
  }

  #reach(file: string, far: number): void {
    const known = this.#reached.get(file);
    if (known === undefined || known > far) this.#reached.set(file, far);
  }

  /** A name in a type: its file, and whoever uses the alias or interface that it stands in. */
  fromType(name: ts.Node, far: number): void {
    if (this.#seen.has(name) || far > 4) return;
    this.#seen.add(name);
    const file = this.#code.fileOf(name);
    if (file.startsWith('web/lib/send')) return;
    this.#reach(file, far);
    const declaration = ts.findAncestor(
      name,
      (node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node),
    );
    const symbol = declaration && this.#code.symbolOf((declaration as ts.TypeAliasDeclaration).name);
    if (symbol && !isComponentFile(file)) this.#alias(symbol, far + 1, declaration);
  }

  /** Whoever names a type. */
  #alias(symbol: ts.Symbol, far: number, except?: ts.Node): void {
    this.#waiting.push(() => {
      for (const reference of this.#references.get(symbol) ?? [])
        if (reference.parent !== except && isInType(reference)) this.fromType(reference, far);
    });
  }

  /** `useCall('GET …')`: what it returns. */
  fromSending(literal: ts.StringLiteral): void {
    const { parent } = literal;
    if (ts.isCallExpression(parent)) this.#value(parent, 0);
    else if (ts.isVariableDeclaration(parent)) {
      // `const name = 'GET …'`, then `send(name, …)`.
      for (const reference of this.#named(parent.name))
        if (ts.isCallExpression(reference.parent)) this.#value(reference.parent, 0);
    } else {
      const call = ts.findAncestor(literal, ts.isCallExpression);
      if (call) this.#value(call, 0);
    }
  }

  #named(name: ts.Node): readonly ts.Identifier[] {
    const symbol = this.#code.symbolOf(name);
    return (symbol && this.#references.get(symbol))?.filter((reference) => reference !== name) ?? [];
  }

  /** Numbers, words and functions carry no reply on. */
  #carries(node: ts.Node): boolean {
    const type = this.#code.checker.getNonNullableType(this.#code.checker.getTypeAtLocation(node));
    const parts = type.isUnion() ? type.types : [type];
    return parts.some(
      (part) =>
        (part.flags &
          (ts.TypeFlags.Object | ts.TypeFlags.Any | ts.TypeFlags.Intersection | ts.TypeFlags.TypeParameter)) !==
          0 && part.getCallSignatures().length === 0,
    );
  }

  #bound(name: ts.BindingName, far: number): void {
    if (ts.isIdentifier(name)) {
      if (!this.#carries(name)) return;
      this.#waiting.push(() => {
        for (const reference of this.#named(name)) this.#value(reference, far);
      });
      return;
    }
    for (const element of name.elements) if (ts.isBindingElement(element)) this.#bound(element.name, far);
  }

  /** Follows a value that holds the reply, or a part of it, to where it goes. */
  #value(start: ts.Node, far: number): void {
    let node = start;
    for (;;) {
      if (this.#seen.has(node)) return;
      this.#seen.add(node);
      const { parent } = node;
      if (bare(parent) !== parent) {
        node = parent;
      } else if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
        if (ts.isCallExpression(parent.parent) && parent.parent.expression === parent) {
          // `reply.list.map((line) => …)`
          this.#given(parent.parent.arguments, far);
          node = parent.parent;
        } else node = parent;
        if (!this.#carries(node)) return;
      } else if (
        (ts.isElementAccessExpression(parent) && parent.expression === node) ||
        ts.isSpreadElement(parent) ||
        ts.isSpreadAssignment(parent) ||
        ts.isArrayLiteralExpression(parent) ||
        ts.isObjectLiteralExpression(parent) ||
        ts.isPropertyAssignment(parent) ||
        ts.isShorthandPropertyAssignment(parent) ||
        (ts.isConditionalExpression(parent) && parent.condition !== node)
      ) {
        if (ts.isObjectLiteralExpression(parent)) this.#event(parent, node, far);
        node = parent;
      } else if (ts.isBinaryExpression(parent) && /^(\?\?|\|\||&&)$/.test(parent.operatorToken.getText())) {
        if (!this.#carries(parent)) return;
        node = parent;
      } else if (ts.isVariableDeclaration(parent) && parent.initializer === node) {
        this.#bound(parent.name, far);
        return;
      } else if (ts.isCallExpression(parent) && parent.expression !== node) {
        this.#argument(parent, node, far);
        if (!this.#carries(parent)) return;
        node = parent;
      } else if (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node)) {
        this.#returned(node, far);
        return;
      } else {
        if (ts.isJsxExpression(parent)) this.#property(parent, far);
        if (ts.isJsxSpreadAttribute(parent)) this.#element(parent.parent.parent, undefined, far);
        return;
      }
    }
  }

  /** `dispatch({ type: 'shown', question })`: on from a reducer the reply is found by the type that its event declares. */
  #event(event: ts.ObjectLiteralExpression, property: ts.Node, far: number): void {
    if (!ts.isCallExpression(event.parent)) return;
    if (!ts.isPropertyAssignment(property) && !ts.isShorthandPropertyAssignment(property)) return;
    const { checker } = this.#code;
    const expected = checker.getContextualType(event);
    const kind = checker.getTypeAtLocation(event).getProperty('type');
    const kindText = kind && checker.typeToString(checker.getTypeOfSymbol(kind));
    // Of a union of events the one of this kind.
    const types = (expected?.isUnion() ? expected.types : [expected]).filter((type) => {
      const own = type?.getProperty('type');
      return expected?.isUnion() ? own && checker.typeToString(checker.getTypeOfSymbol(own)) === kindText : true;
    });
    const [declaration] = types.flatMap((type) => type?.getProperty(property.name.getText())?.declarations ?? []);
    if (!declaration || !ts.isPropertySignature(declaration) || !declaration.type) return;
    if (!this.#code.fileOf(declaration).startsWith('web/')) return;
    walk(declaration.type, (node) => {
      const symbol = ts.isIdentifier(node) ? this.#code.symbolOf(node) : undefined;
      if (symbol) this.#alias(symbol, far + 1);
      return undefined;
    });
  }

  /** A function of ours that is given the reply. */
  #argument(call: ts.CallExpression, value: ts.Node, far: number): void {
    this.#given(call.arguments, far);
    const [declaration] = this.#code.symbolOf(call.expression)?.declarations ?? [];
    if (!declaration || !this.#code.fileOf(declaration).startsWith('web/')) return;
    const made =
      ts.isVariableDeclaration(declaration) && declaration.initializer ? bare(declaration.initializer) : declaration;
    if (!ts.isFunctionDeclaration(made) && !ts.isArrowFunction(made)) return;
    const parameter = made.parameters[call.arguments.indexOf(value as ts.Expression)];
    if (parameter) this.#bound(parameter.name, far);
  }

  /** Functions beside the reply are called with it. */
  #given(values: readonly ts.Node[], far: number): void {
    for (const value of values)
      if (ts.isArrowFunction(value)) for (const parameter of value.parameters) this.#bound(parameter.name, far);
  }

  #returned(node: ts.Node, far: number): void {
    const made = ts.findAncestor(
      node,
      (around): around is ts.FunctionDeclaration | ts.ArrowFunction =>
        ts.isFunctionDeclaration(around) || ts.isArrowFunction(around),
    );
    if (!made) return;
    const { parent } = made;
    if (ts.isArrowFunction(made) && ts.isCallExpression(parent)) {
      if (this.#carries(parent)) this.#value(parent, far);
      return;
    }
    const name = ts.isFunctionDeclaration(made)
      ? made.name
      : ts.isVariableDeclaration(parent)
        ? parent.name
        : undefined;
    if (!name || /^[A-Z]/.test(name.getText())) return;
    this.#waiting.push(() => {
      for (const reference of this.#named(name))
        if (
          ts.isCallExpression(reference.parent) &&
          reference.parent.expression === reference &&
          this.#carries(reference.parent)
        )
          this.#value(reference.parent, far);
    });
  }

  #property(expression: ts.JsxExpression, far: number): void {
    const { parent } = expression;
    if (ts.isJsxAttribute(parent)) this.#element(parent.parent.parent, parent.name.getText(), far);
  }

  /** An element that is given the reply as a property (undefined: as all of them). */
  #element(element: ts.Node, property: string | undefined, far: number): void {
    if (!ts.isJsxOpeningElement(element) && !ts.isJsxSelfClosingElement(element)) return;
    // `<CallState call={reply}>{(data) => …}</CallState>`
    if (ts.isJsxOpeningElement(element))
      for (const child of element.parent.children)
        if (ts.isJsxExpression(child) && child.expression) this.#given([child.expression], far);
    const [declaration] = this.#code.symbolOf(element.tagName)?.declarations ?? [];
    if (!declaration) return;
    const file = this.#code.fileOf(declaration);
    if (!file.startsWith('web/')) return;
    const next = file === this.#code.fileOf(element) ? far : far + 1;
    if (isShowing(file)) this.#reach(file, next);
    const parameter = ts.isFunctionDeclaration(declaration) ? declaration.parameters[0] : undefined;
    if (!parameter || file.startsWith('web/lib/')) return;
    if (!ts.isObjectBindingPattern(parameter.name)) {
      this.#bound(parameter.name, next);
      return;
    }
    for (const { name, propertyName } of parameter.name.elements)
      if (property === undefined || (propertyName ?? name).getText() === property) this.#bound(name, next);
  }
}

/** What names a call to have its cached answers renewed, or to find them: it sends nothing. */
const ofTheCache = (node: ts.Node) =>
  (ts.isCallExpression(node) && /^(invalidate|callKey)$/.test(node.expression.getText())) ||
  ((ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && node.name.getText() === 'renews');

const isInType = (node: ts.Node) =>
  ts.findAncestor(
    node,
    (around) => ts.isTypeNode(around) || ts.isTypeAliasDeclaration(around) || ts.isInterfaceDeclaration(around),
  ) !== undefined;
const isSending = (node: ts.Node) => !isInType(node) && ts.findAncestor(node, ofTheCache) === undefined;

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    ts.isPropertySignature(parent) ||
    ts.isJsxAttribute(parent)
  );
}

/** The files of the web app whose values a file imports, and with `types` those whose types. */
function importsOf(file: string, source: ts.SourceFile, types: boolean): Set<string> {
  const found = new Set<string>();
  const add = (text: string) => {
    const from = text.startsWith('#')
      ? text.slice(1)
      : text.startsWith('.')
        ? posix.join(posix.dirname(file), text)
        : '';
    if (/^web\/.*\.tsx?$/.test(from)) found.add(from);
  };
  walk(source, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { importClause: clause } = node;
      const names = clause?.namedBindings;
      const typesOnly =
        clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
        (names && ts.isNamedImports(names) && names.elements.every(({ isTypeOnly }) => isTypeOnly) && !clause?.name);
      if (types || !typesOnly) add(node.moduleSpecifier.text);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [from] = node.arguments;
      if (from && ts.isStringLiteral(from)) add(from.text);
    }
    return undefined;
  });
  return found;
}
