import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const values = join(import.meta.dirname, '../contract/values');

// The browser takes these as they are: an import here, of the schema library or of a schema, would come along.
it.each(readdirSync(values))('contract/values/%s imports nothing', (file) => {
  expect(readFileSync(join(values, file), 'utf8')).not.toMatch(/\bimport\b|\brequire\(|^export .* from /m);
});
