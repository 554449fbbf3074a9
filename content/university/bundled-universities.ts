import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The list that comes with the product: all 147 universities of the second 双一流 round. */
export const BUNDLED_UNIVERSITIES = join(import.meta.dirname, '..', 'universities', 'universities.csv');

/** Raise it when the drawn marks or the reading of rows change, so that the bundled list is loaded again. */
const FORMAT = 1;

/** A digest of the bundled list and of how it is read. */
export async function digestOfBundled(): Promise<string> {
  const bytes = await readFile(BUNDLED_UNIVERSITIES);
  return createHash('sha256').update(`${FORMAT}:`).update(bytes).digest('hex');
}
