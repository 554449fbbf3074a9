import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfFolder } from '#content/pack/folder-digest.ts';
import { describeMistake } from '#content/pack/mistake.ts';
import { readPack } from '#content/pack/pack.ts';
import { readStorefront } from '#content/storefront/storefront.ts';
import { hasPacks } from '#server/course/pack-store.ts';
import type { Db } from '#server/db/open.ts';
import { readSetting, writeSetting } from '#server/db/settings-store.ts';
import type { Files } from '#server/files.ts';
import { importPack } from './pack.ts';
import { importStorefront } from './storefront.ts';

const DEMO_FOLDER = join(import.meta.dirname, '..', '..', 'content', 'demo');
/** The folder beside the packs that holds the front of the demo school. */
const STOREFRONT = 'storefront';
/** Where the digest of the demo packs last loaded is stored. */
const DEMO_DIGEST = 'demo_digest';

/**
 * Loads the demo packs that come with the program: into an empty database, and again when a new version of the program
 * brings other ones. A database that holds a school's own packs and never had the demo is left alone.
 * @param say gets a line for the operator when something was loaded, or could not be
 */
export async function loadDemo(db: Db, files: Files, say: (line: string) => void, folder = DEMO_FOLDER): Promise<void> {
  const digest = await digestOfFolder(folder);
  const known = await readSetting(db.query, DEMO_DIGEST);
  if (known === digest) return;
  if (known === null && (await hasPacks(db.query))) return;
  let whole = true;
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory()) continue;
    if (entry.name === STOREFRONT) {
      const done = await importStorefront(db, files, join(folder, entry.name), readStorefront);
      if (done.ok) continue;
      say('The demo storefront was not loaded:');
      for (const mistake of done.mistakes) say(`  ${describeMistake(mistake)}`);
      whole = false;
      continue;
    }
    const done = await importPack(db, files, join(folder, entry.name), { read: readPack });
    if (done.ok) {
      const { name, added, changed, unchanged } = done.report;
      say(`Demo pack ${name}: ${added + changed + unchanged} questions`);
    } else {
      say(`Demo pack ${entry.name} was not loaded:`);
      for (const mistake of done.mistakes) say(`  ${describeMistake(mistake)}`);
      whole = false;
    }
  }
  // What failed is tried again at the next start.
  await writeSetting(db.query, DEMO_DIGEST, whole ? digest : 'incomplete');
}
