import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { readPack } from '#content/pack/pack.ts';
import { HEADER } from '#content/question/header.test-kit.ts';
import { freshDatabase } from '#server/db/fresh-database.test-kit.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { type Files, localFiles } from '#server/files.ts';
import { START } from '#server/test-kit.ts';
import { importPack } from './pack.ts';

/** A temporary folder of the test files of this process, with databases in it. `clean` belongs in `afterAll`. */
const temporary = mkdtempSync(join(tmpdir(), 'lixue-import-test-'));
/** The repository. */
export const root = join(import.meta.dirname, '..', '..');
const closers: (() => Promise<void>)[] = [];

/** Closes the databases and removes the folder. */
export async function clean(): Promise<void> {
  // Another file in this process has its own turn, and its own databases.
  for (const close of closers.splice(0)) await close();
  rmSync(temporary, { recursive: true, force: true });
}

let made = 0;
/** A path that is not taken yet. */
export const fresh = (name: string) => {
  made += 1;
  // Another file in this process may have cleaned up.
  mkdirSync(temporary, { recursive: true });
  return join(temporary, `${made}-${name}`);
};
/** Writes a file. @returns its path */
export const fileOf = (name: string, content: string | Uint8Array) => {
  const path = fresh(name);
  writeFileSync(path, content);
  return path;
};

/** A database of its own with empty tables. */
async function emptyDb(kind: 'sqlite' | 'postgres'): Promise<Db> {
  const { target, remove } = await freshDatabase(kind, fresh('test.db'));
  const db = await openDb(target, START);
  closers.push(async () => {
    await db.close();
    await remove();
  });
  return db;
}

/** Gives every test of a `describe` an empty database. @returns the store of files that they share */
export function beginEmpty(kind: 'sqlite' | 'postgres', begin: (db: Db) => void): Files {
  beforeEach(async () => begin(await emptyDb(kind)));
  return localFiles(join(temporary, `files-${kind}`));
}

/** The tables that an import may touch. */
export const TABLES = ['packs', 'courses', 'chapters', 'cases', 'questions', 'exams', 'exam_questions'] as const;
/** Everything that an import may touch. */
export async function everything(db: Db) {
  const all: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    all[table] = await db.query
      .selectFrom(table)
      .selectAll()
      .orderBy(table === 'exam_questions' ? 'exam_id' : 'id')
      .execute();
    if (table === 'exam_questions') all[table].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  }
  return all;
}
/** How many rows a table has. */
export const count = async (db: Db, table: (typeof TABLES)[number]) =>
  Number(
    (
      await db.query
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

/** The pack that is hard on purpose. */
export const nasty = join(root, 'content', 'test', 'nasty');
/** A copy of a pack's folder. @param change by file: the text it had to the one it gets; @returns the new folder */
export function copyOf(pack: string, change: Record<string, (text: string) => string> = {}): string {
  const folder = fresh('pack');
  cpSync(pack, folder, { recursive: true });
  for (const [name, edit] of Object.entries(change)) {
    const path = join(folder, name);
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
  }
  return folder;
}

/** Loads a pack that has to be without mistakes. */
export async function loadPack(db: Db, files: Files, folder: string) {
  // Read here: the process of its own, which foreign packs get, has its own tests (content/apart).
  const done = await importPack(db, files, folder, { read: readPack });
  if (!done.ok) throw new Error(JSON.stringify(done.mistakes));
  return done.report;
}

/** A pack of three questions in a tree of two levels, and a paper. */
export const small = () => {
  const folder = fresh('small');
  mkdirSync(join(folder, 'questions'), { recursive: true });
  mkdirSync(join(folder, 'papers'));
  writeFileSync(
    join(folder, 'pack.yaml'),
    'format: 1\nslug: small\nname: 小包\nsummary: 测试\ndescription: 介绍\nenrol: open\nunlock: free\ncourses:\n' +
      '  - { slug: one, name: 课程, chapters: [{ slug: a, name: 第一章, chapters: [{ slug: a-1, name: 第一节 }, { slug: a-2, name: 第二节 }] }, { slug: b, name: 第二章 }] }\n',
  );
  const judge = (key: string, chapter: string) =>
    `  - { key: ${key}, chapter: ${chapter}, type: 判断, topic: 题 ${key}, answer: 对, score: 2 }\n`;
  writeFileSync(
    join(folder, 'questions', '1.yaml'),
    `questions:\n${judge('q-1', 'a-1')}${judge('q-2', 'a-2')}${judge('q-3', 'a-1')}`,
  );
  writeFileSync(
    join(folder, 'papers', '1.yaml'),
    'key: mock-1\nkind: mock\nname: 卷\nminutes: 60\nsections:\n  - { title: 一, score: 4, questions: [q-2, q-1] }\n',
  );
  return folder;
};

/** A CSV file with these lines below the header. @returns its path */
export const csv = (...lines: string[]) => fileOf('questions.csv', `${[HEADER.join(','), ...lines].join('\r\n')}\r\n`);
