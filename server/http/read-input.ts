/** The keywords of a JSON schema that say how an input is read. */
interface Schema {
  type?: string;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  default?: unknown;
  enum?: unknown;
  const?: unknown;
}

type Read = (value: unknown) => unknown;

/** At most 16 digits: what is longer is no id, and would lose digits as a number. */
const WHOLE = /^-?\d{1,16}$/;
const DECIMAL = /^-?\d{1,16}(\.\d{1,16})?$/;

/**
 * Makes the reader of an input before it is checked (docs/decisions/013-what-a-literal-client-sends.md): a number may come as a text, in
 * a query as in a body, since a form knows only texts. In a query a value that is empty counts as left out, where it may be
 * left out. A line break is `\n`, however the client writes it (decisions §6), and no text has a NUL: nobody types one, and
 * PostgreSQL ends a statement that does with an error. Nothing else is bent into shape. Changes the input in place.
 */
export function inputReader(schema: object, isQuery: boolean): (input: unknown) => void {
  const read = readerOf(schema);
  const mayBeEmpty = isQuery ? mayBeLeftOut(schema) : [];
  return (input) => {
    if (mayBeEmpty.length > 0 && isRecord(input)) {
      for (const name of mayBeEmpty) if (input[name] === '') delete input[name];
    }
    read?.(input);
  };
}

/** Fields that a request need not have. */
function mayBeLeftOut({ properties = {}, required = [] }: Schema): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name) || properties[name]?.default !== undefined);
}

/** How values of a schema are read; null: as they are. */
function readerOf(schema: Schema): Read | null {
  const { type, anyOf, properties, items } = schema;
  if (type === 'integer') return (value) => numberOf(WHOLE, value);
  if (type === 'number') return (value) => numberOf(DECIMAL, value);
  if (type === 'string' && schema.enum === undefined && schema.const === undefined) return textOf;
  if (anyOf) return anyOf.map(readerOf).find((read) => read !== null) ?? null;
  if (type === 'array' && items) {
    const read = readerOf(items);
    return read && ((value) => (Array.isArray(value) ? value.map(read) : value));
  }
  const fields = Object.entries(properties ?? {}).flatMap(([name, property]): [string, Read][] => {
    const read = readerOf(property);
    return read ? [[name, read]] : [];
  });
  if (fields.length === 0) return null;
  return (value) => {
    if (isRecord(value)) {
      for (const [name, read] of fields) {
        const sent = value[name];
        // Numbers are most of what comes, and need nothing.
        if (typeof sent === 'string' || typeof sent === 'object') value[name] = read(sent);
      }
    }
    return value;
  };
}

const numberOf = (pattern: RegExp, value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? Number(value) : value;

const textOf: Read = (value) => {
  if (typeof value !== 'string') return value;
  const shown = value.includes('\u0000') ? value.replaceAll('\u0000', '') : value;
  return shown.includes('\r\n') ? shown.replaceAll('\r\n', '\n') : shown;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
