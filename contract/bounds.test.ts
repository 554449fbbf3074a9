import { expect, it } from 'vitest';
import { calls } from './all.ts';

interface Schema {
  type?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  enum?: unknown;
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every part of a schema that takes a value, with its place. */
function* parts(schema: Schema, at: string): Generator<[string, Schema]> {
  yield [at, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* parts(property, `${at}.${name}`);
  if (schema.items) yield* parts(schema.items, `${at}[]`);
  for (const choice of schema.anyOf ?? []) yield* parts(choice, at);
}
const taken = calls.flatMap(({ call }) => [...parts(call.input as Schema, call.name)]);

it('takes no number that a database column cannot hold', () => {
  const open = taken.filter(
    ([, { type, minimum, maximum, const: only }]) =>
      (type === 'integer' || type === 'number') &&
      only === undefined &&
      (minimum === undefined || maximum === undefined || maximum > Number.MAX_SAFE_INTEGER),
  );
  expect(open.map(([at]) => at)).toEqual([]);
});

it('takes no text or list without an end', () => {
  const open = taken.filter(
    ([, schema]) =>
      (schema.type === 'string' && schema.maxLength === undefined && !schema.enum && schema.const === undefined) ||
      (schema.type === 'array' && schema.maxItems === undefined),
  );
  expect(open.map(([at]) => at)).toEqual([]);
});

it('allows one person no less than one whole body, and some calls at once', () => {
  const tooLittle = calls.filter(
    ({ call: { method, bodyLimit, limits } }) =>
      (method === 'POST' && limits.bytesPerMinute < 4 * bodyLimit) || limits.inFlight < 4 || limits.perMinute < 60,
  );
  expect(tooLittle.map(({ call }) => call.name)).toEqual([]);
});
