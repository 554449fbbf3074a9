/** A part of a style sheet: what it is for, and what is in it where that has parts of its own. */
interface Part {
  /** Up to its brace, or the whole of a statement without one. */
  head: string;
  /** Between its braces; null: a statement. */
  body: string | null;
  /** Parts of a block that holds rules. */
  parts: readonly Part[] | null;
}

/** Blocks that hold rules, by their name. */
const HOLDS_RULES = /^@(?:media|layer|supports|container)\b/;

/**
 * The rules of a style sheet that a drawing may need: those of elements, attributes and states, and those of the classes that it has; in them
 * the variables that are asked for. What is left out comes with the whole sheet, before anything on the page can change.
 */
export class FirstStyles {
  readonly #parts: readonly Part[];

  constructor(sheet: string) {
    this.#parts = partsOf(sheet);
  }

  /** @param html the drawing */
  of(html: string): string {
    const classes = new Set<string>();
    for (const [, names = ''] of html.matchAll(/ class="([^"]*)"/g))
      for (const name of names.split(/\s+/)) classes.add(name);
    const kept = matching(this.#parts, classes);
    return written(kept, variablesOf(kept, html));
  }
}

function matching(parts: readonly Part[], classes: ReadonlySet<string>): Part[] {
  return parts.flatMap((part): Part[] => {
    const { head, body, parts: inner } = part;
    if (inner !== null) {
      const within = matching(inner, classes);
      // The order of layers is settled by the first that are named.
      return within.length > 0 || head.startsWith('@layer') ? [{ ...part, parts: within }] : [];
    }
    const isKept =
      body === null || head.startsWith('@') || selectorsOf(head).some((selector) => mayMatch(selector, classes));
    return isKept ? [part] : [];
  });
}

/** @param variables those whose values are kept */
function written(parts: readonly Part[], variables: ReadonlySet<string>): string {
  let text = '';
  for (const { head, body, parts: inner } of parts) {
    if (inner !== null) text += `${head}{${written(inner, variables)}}`;
    else if (body === null) text += `${head};`;
    else {
      const kept = declarationsOf(body).filter((one) => {
        const variable = variableOf(one);
        return variable === null || variables.has(variable.name);
      });
      if (kept.length > 0) text += `${head}{${kept.join(';')}}`;
    }
  }
  return text;
}

/** The variables that these rules or the drawing ask for, be it by way of others. */
function variablesOf(parts: readonly Part[], html: string): Set<string> {
  const values = new Map<string, string[]>();
  const asked: string[] = [];
  const look = (bodies: string) => {
    for (const one of declarationsOf(bodies)) {
      const variable = variableOf(one);
      if (variable === null) asked.push(one);
      else values.set(variable.name, [...(values.get(variable.name) ?? []), variable.value]);
    }
  };
  const walk = (all: readonly Part[]) => {
    for (const { body, parts: inner } of all) {
      if (inner !== null) walk(inner);
      else if (body !== null) look(body);
    }
  };
  walk(parts);
  // Styles inside a drawing are those of the component library's provider: variables, which ask for others only if they are asked for.
  for (const [, sheet = ''] of html.matchAll(/<style[^>]*>([^<]*)<\/style>/g)) walk(partsOf(sheet));
  for (const [, style = ''] of html.matchAll(/ style="([^"]*)"/g)) look(style);
  const found = new Set<string>();
  for (let text = asked.pop(); text !== undefined; text = asked.pop()) {
    for (const [, name = ''] of text.matchAll(/var\(\s*(--[\w-]+)/g)) {
      if (found.has(name)) continue;
      found.add(name);
      asked.push(...(values.get(name) ?? []));
    }
  }
  return found;
}

/** What stands between the semicolons of a rule. */
function declarationsOf(body: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < body.length; ) {
    const end = next(body, from, ';{');
    // A rule inside of a rule: all of it, as it stands.
    if (body[end] === '{') return [body];
    found.push(body.slice(from, end));
    from = end + 1;
  }
  return found.filter((one) => one.trim() !== '');
}

/** The variable that a declaration sets; null: it sets something else. */
function variableOf(declaration: string): { name: string; value: string } | null {
  const colon = declaration.indexOf(':');
  const name = declaration.slice(0, colon).trim();
  return name.startsWith('--') ? { name, value: declaration.slice(colon + 1) } : null;
}

/** Whether all classes that it asks for are there; those in brackets, which may be asked for not to be, do not count. */
function mayMatch(selector: string, classes: ReadonlySet<string>): boolean {
  let plain = selector.replace(/\[[^\]]*\]/g, '');
  for (let last = ''; last !== plain; ) {
    last = plain;
    plain = plain.replace(/\([^()]*\)/g, '');
  }
  return [...plain.matchAll(/\.((?:\\.|[\w-])+)/g)].every(([, name = '']) => classes.has(name.replaceAll('\\', '')));
}

/** At its commas that stand in no bracket. */
function selectorsOf(head: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < head.length; at += 1) {
    const sign = head[at];
    if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    else if (sign === ',' && depth === 0) {
      found.push(head.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, head.slice(from)];
}

function partsOf(sheet: string): Part[] {
  const parts: Part[] = [];
  const text = sheet.replace(/\/\*[\s\S]*?\*\//g, '');
  let from = 0;
  while (from < text.length) {
    const open = next(text, from, '{;');
    const head = text.slice(from, open).trim();
    if (open >= text.length || text[open] === ';') {
      if (head !== '') parts.push({ head, body: null, parts: null });
      from = open + 1;
      continue;
    }
    let depth = 1;
    let close = open;
    while (depth > 0 && close < text.length) {
      close = next(text, close + 1, '{}');
      depth += text[close] === '{' ? 1 : -1;
    }
    const body = text.slice(open + 1, close);
    parts.push({ head, body, parts: HOLDS_RULES.test(head) ? partsOf(body) : null });
    from = close + 1;
  }
  return parts;
}

/** The next of these signs that stands in no text; the end where there is none. */
function next(text: string, from: number, signs: string): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\\') at += 1;
    else if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (signs.includes(sign)) return at;
  }
  return text.length;
}
