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

/** What a drawing has that selectors ask for. */
interface Had {
  language: string;
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
  tags: ReadonlySet<string>;
  /** Names of attributes. */
  attributes: ReadonlySet<string>;
}

/**
 * The rules of a style sheet that a drawing may need: those of elements, attributes and classes that it has, in all states; in them the variables
 * that are asked for, and fonts and movements that they name. What is left out comes with the whole sheet, before anything on the page can change.
 */
export class FirstStyles {
  readonly #parts: readonly Part[];

  constructor(sheet: string) {
    this.#parts = partsOf(sheet);
  }

  /** @param html the drawing */
  of(html: string, language: string): string {
    const matched = matching(this.#parts, hadBy(html, language));
    const rules = withoutNamed(matched, () => false);
    const styles = [...html.matchAll(/ style="([^"]*)"/g)].map(([, style]) => style).join(';');
    const said = `${written(rules, variablesOf(rules, html))};${styles}`;
    const kept = withoutNamed(matched, (name) => said.includes(name));
    return written(kept, variablesOf(kept, html));
  }
}

/** A tag of a drawing; what stands in its attributes has no such brackets. */
const TAG = /<([a-z][\w-]*)([^>]*)>/gi;
/** What the document around a drawing has: its language, and the theme that a script says (page-document.ts). */
const OF_DOCUMENT = { tags: ['html', 'head', 'body'], attributes: ['lang', 'data-mantine-color-scheme'] };

function hadBy(html: string, language: string): Had {
  const had = {
    ...{ language, classes: new Set<string>(), ids: new Set<string>() },
    ...{ tags: new Set(OF_DOCUMENT.tags), attributes: new Set(OF_DOCUMENT.attributes) },
  };
  for (const [, tag = '', inside = ''] of html.matchAll(TAG)) {
    had.tags.add(tag.toLowerCase());
    for (const [, name = '', value = ''] of inside.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      had.attributes.add(name.toLowerCase());
      if (name === 'id') had.ids.add(value);
      if (name === 'class') for (const one of value.split(/\s+/)) had.classes.add(one);
    }
  }
  return had;
}

function matching(parts: readonly Part[], had: Had): Part[] {
  return parts.flatMap((part): Part[] => {
    const { head, body, parts: inner } = part;
    if (inner !== null) {
      const within = matching(inner, had);
      // The order of layers is settled by the first that are named.
      return within.length > 0 || head.startsWith('@layer') ? [{ ...part, parts: within }] : [];
    }
    if (body === null || head.startsWith('@')) return [part];
    const asked = selectorsOf(head).filter((selector) => mayMatch(selector, had));
    return asked.length > 0 ? [{ ...part, head: asked.join(',') }] : [];
  });
}

/** Without fonts and movements of which this is not said. */
function withoutNamed(parts: readonly Part[], isAsked: (name: string) => boolean): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.parts !== null) return [{ ...part, parts: withoutNamed(part.parts, isAsked) }];
    const [, movement] = /^@keyframes\s+(\S+)/.exec(part.head) ?? [];
    const [, font] = part.head === '@font-face' ? (/font-family:\s*["']?([^;"']+)/.exec(part.body ?? '') ?? []) : [];
    const name = movement ?? font;
    return name === undefined || isAsked(name) ? [part] : [];
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

/** Names in a selector, by the sign before them: a class, an id, a state or a part, an attribute; without one, an element. */
const NAMES = /([.#[]|::?)?((?:\\.|[\w-])+)/g;
/** What stands in these brackets has to be there, at least one of it; in others it may be asked for not to be. */
const ASKS = /:(?:is|where|has)\(/g;

/** Whether all may be there that a selector asks for. */
function mayMatch(selector: string, had: Had): boolean {
  // Whoever else is of another language says so with an attribute of its own.
  const [, spoken] = /^:root:lang\(([\w-]+)\)/.exec(selector) ?? [];
  if (spoken !== undefined && spoken !== had.language) return false;
  for (const { index, 0: sign } of selector.matchAll(ASKS)) {
    const from = index + sign.length;
    const inside = selectorsOf(selector.slice(from, closing(selector, from)));
    if (isOutside(selector, index) && !inside.some((one) => mayMatch(one, had))) return false;
  }
  return [...outside(selector).matchAll(NAMES)].every(([, sign, name = '']) => {
    if (sign === '.') return had.classes.has(name.replaceAll('\\', ''));
    if (sign === '#') return had.ids.has(name);
    if (sign === '[') return had.attributes.has(name.toLowerCase());
    // Nothing that is drawn stands in the shade of a host.
    return sign === undefined ? had.tags.has(name.toLowerCase()) : name !== 'host';
  });
}

/** Without what stands in brackets, but for the names of attributes. */
function outside(selector: string): string {
  let plain = selector.replace(/\[\s*([\w-]+)[^\]]*\]/g, '[$1');
  for (let last = ''; last !== plain; ) {
    last = plain;
    plain = plain.replace(/\([^()]*\)/g, '');
  }
  return plain;
}

/** Whether this place stands in no bracket. */
function isOutside(selector: string, place: number): boolean {
  const before = selector.slice(0, place).replace(/\[[^\]]*\]/g, '');
  return before.split('(').length === before.split(')').length;
}

/** Where the bracket ends that is open here. */
function closing(selector: string, from: number): number {
  let depth = 1;
  for (let at = from; at < selector.length; at += 1) {
    if (selector[at] === '(') depth += 1;
    else if (selector[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return selector.length;
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
