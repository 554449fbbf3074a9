import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';

/** A serializer for one schema: fields the schema does not name are left out. */
export function jsonOf<T>(schema: TSchema): (value: T) => string {
  return fastJsonStringify(schema as object);
}
