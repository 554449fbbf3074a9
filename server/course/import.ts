import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mistake } from '#content/checked-yaml.ts';
import { type CheckedPack, readPack } from '#content/pack.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { readSetting, writeSetting } from '#server/db/settings-store.ts';
import { type Files, fileAddress } from '#server/files.ts';
import { syncFiles } from './files-store.ts';
import { raiseVersions, syncChapterPractice, syncPapers } from './import-exams-store.ts';
import { archiveQuestions, syncCases, syncQuestions } from './import-questions-store.ts';
import { archiveTree, syncPack, syncTree } from './import-tree-store.ts';

/** What loading a pack did, counted in questions where nothing else is said. */
interface PackReport {
  slug: string;
  name: string;
  added: number;
  changed: number;
  unchanged: number;
  archived: number;
  /** Papers and chapter practices that were written or archived. */
  exams: number;
  /** Whether anything at all reads differently now. */
  different: boolean;
}

/**
 * Checks a pack's folder and loads it in one transaction (docs/guide/content-pack.md). With any mistake nothing is stored
 * and all mistakes are given. Loading the same pack again changes nothing; questions it no longer has are archived, never
 * deleted, because students' records point at them.
 */
export async function importPack(
  db: Db,
  files: Files,
  folder: string,
): Promise<{ ok: true; report: PackReport } | { ok: false; mistakes: Mistake[] }> {
  const read = await readPack(folder);
  if (!read.ok) return read;
  // Files are named by their content, so one stored before a transaction that fails is harmless and found again later.
  const addresses = new Map<string, string>();
  for (const { name, bytes, extension } of read.pack.media) {
    addresses.set(name, fileAddress(await files.put(bytes, extension)));
  }
  const pack = withAddresses(read.pack, addresses);
  return { ok: true, report: await db.transaction((trx) => writePack(trx, pack)) };
}

/** Puts the served addresses of pictures where the texts still name files of the pack. */
function withAddresses(pack: CheckedPack, addresses: ReadonlyMap<string, string>): CheckedPack {
  if (addresses.size === 0) return pack;
  const put = (html: string) =>
    html.replace(/src="(media\/[^"]+)"/g, (hit, name: string) => {
      const address = addresses.get(name);
      return address ? `src="${address}"` : hit;
    });
  return {
    ...pack,
    description: put(pack.description),
    cases: pack.cases.map((one) => ({ ...one, text: put(one.text) })),
    questions: pack.questions.map((one) => ({
      ...one,
      topic: put(one.topic),
      options: Object.fromEntries(Object.entries(one.options).map(([letter, text]) => [letter, put(text)])),
      // The answers of choices are letters and hold no picture.
      rightAnswer: put(one.rightAnswer),
      analysis: put(one.analysis),
    })),
  };
}

async function writePack(trx: Trx, pack: CheckedPack): Promise<PackReport> {
  const { id, added, changed } = await syncPack(trx, pack);
  const tree = await syncTree(trx, id, pack.courses);
  const cases = await syncCases(trx, id, pack.cases);
  const materials = new Map(pack.cases.map(({ key, text }) => [key, text]));
  const placed = pack.questions.map((question, at) => {
    const chapterId = tree.chapters.get(question.chapter);
    if (chapterId === undefined) throw new Error(`the chapter ${question.chapter} was not stored`);
    const caseId = question.caseKey === null ? null : (cases.ids.get(question.caseKey) ?? null);
    const material = question.caseKey === null ? null : (materials.get(question.caseKey) ?? null);
    return { ...question, place: { chapterId, caseId, material, position: at + 1 } };
  });
  const questions = await syncQuestions(trx, id, placed, () => 0);
  const archived = await archiveQuestions(trx, id, new Set(pack.questions.map(({ key }) => key)));
  const pruned = await archiveTree(trx, id, tree);
  const exams =
    (await syncPapers(trx, id, pack.papers, tree, await questionIds(trx, id))) + (await syncChapterPractice(trx, id));
  await raiseVersions(trx, questions.changedIds, cases.changedIds);
  await syncFiles(trx, id, pack);
  return {
    slug: pack.slug,
    name: pack.name,
    added: questions.added,
    changed: questions.changed,
    unchanged: questions.unchanged,
    archived,
    exams,
    different:
      added ||
      changed ||
      tree.changed ||
      pruned ||
      questions.added + questions.changed + archived + exams + cases.changedIds.length > 0,
  };
}

async function questionIds(trx: Trx, packId: number): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('questions')
    .select(['slug', 'id'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  return new Map(rows.map((row) => [row.slug, row.id]));
}

const DEMO_FOLDER = join(import.meta.dirname, '..', '..', 'content', 'demo');
/** Where the digest of the demo packs last loaded is kept. */
const DEMO_DIGEST = 'demo_digest';

/**
 * Loads the demo packs that come with the program: into an empty database, and again when a new version of the program
 * brings other ones. A database that holds a school's own packs and never had the demo is left alone.
 * @param say gets a line for the operator when something was loaded, or could not be
 */
export async function loadDemo(db: Db, files: Files, say: (line: string) => void, folder = DEMO_FOLDER): Promise<void> {
  const digest = await digestOf(folder);
  const known = await readSetting(db.query, DEMO_DIGEST);
  if (known === digest) return;
  if (known === null && (await db.query.selectFrom('packs').select('id').limit(1).executeTakeFirst())) return;
  let whole = true;
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory()) continue;
    const done = await importPack(db, files, join(folder, entry.name));
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

/** A digest of every file of a folder with its name. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) {
    const bytes = await readFile(path);
    hash.update(`${path.slice(folder.length)}\0${bytes.byteLength}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** One mistake as a line: file, line, place, reason. */
export const describeMistake = ({ file, line, where, reason }: Mistake): string =>
  `${file}:${line}${where ? `  ${where}` : ''}  ${reason}`;
