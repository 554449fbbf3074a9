import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileGroup } from '#contract/values/file.ts';
import { fileKindOf } from './file-kind.ts';
import type { Mistake } from './mistake.ts';
import type { PackLesson } from './reader.ts';

/** A file that a pack brings for its students, or the slides of lessons; its bytes stay where they lie until they are stored. */
export interface PackFile {
  /** Its stable key: where it lies in the pack, with `/` between folders, in one form of Unicode. */
  path: string;
  /** Where it lies in the pack, as the disk writes it. */
  source: string;
  extension: string;
  fileGroup: FileGroup;
  /** Named by lessons as their slides. */
  slides: boolean;
}

/** Folders within folders. */
const DEEPEST = 5;
const MOST_FILES = 5000;
const MOST_FOLDERS = 1000;
/** Of one name, in characters. */
const LONGEST_NAME = 120;
/** Signs that no name shows and that turn around how it is read. */
const HIDDEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** 第2章 before 第10章, and the rest as a Chinese reader expects. */
const inOrder = new Intl.Collator('zh-CN', { numeric: true });

/** Stops the walk when there is too much of everything. */
class TooMany extends Error {}

/**
 * Finds the course files of a pack: the folder `files` with its folders, in the order of their names, each file looked at by its
 * content. What is wrong with each is added to the mistakes.
 * @param isNoise names that no author wrote
 * @param at is told which file is looked at
 */
export async function readCourseFiles(
  folder: string,
  {
    mistakes,
    isNoise,
    at,
  }: { mistakes: Mistake[]; isNoise: (name: string) => boolean; at: (file: string) => Promise<void> },
): Promise<PackFile[]> {
  const files: PackFile[] = [];
  const complain = (file: string, reason: string) => mistakes.push({ file, line: 1, where: '', reason });
  let folders = 0;
  const walk = async (source: string, path: string, depth: number): Promise<void> => {
    const seen = new Set<string>();
    const entries = (await readdir(join(folder, source), { withFileTypes: true })).filter(({ name }) => !isNoise(name));
    entries.sort((a, b) => inOrder.compare(a.name, b.name) || (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const name = entry.name.normalize('NFC');
      const own = { source: `${source}/${entry.name}`, path: `${path}/${name}` };
      await at(own.source);
      if (seen.has(name)) complain(own.source, '同一个文件夹里有两个同名的文件');
      seen.add(name);
      if (HIDDEN.test(name)) complain(own.source, '名称里有看不见的字符');
      if (Array.from(name).length > LONGEST_NAME) complain(own.source, `名称太长，最多 ${LONGEST_NAME} 个字`);
      if (entry.isDirectory()) {
        folders += 1;
        if (folders > MOST_FOLDERS) throw new TooMany(`文件夹太多，最多 ${MOST_FOLDERS} 个`);
        if (depth >= DEEPEST) complain(own.source, `文件夹最多 ${DEEPEST} 层`);
        else await walk(own.source, own.path, depth + 1);
        continue;
      }
      if (entry.isSymbolicLink()) {
        complain(own.source, '这是一个链接，请放入文件本身');
        continue;
      }
      if (files.length >= MOST_FILES) throw new TooMany(`文件太多，最多 ${MOST_FILES} 个`);
      const kind = await fileKindOf(join(folder, own.source), name);
      if (!kind.ok) complain(own.source, kind.why);
      else {
        const { extension, fileGroup } = kind.value;
        files.push({ ...own, extension, fileGroup, slides: false });
      }
    }
  };
  try {
    // Looked up by its name as written: some disks would open another case of it.
    if (!(await readdir(folder)).includes('files')) return [];
    const found = await lstat(join(folder, 'files'));
    if (found.isSymbolicLink()) complain('files', '这是一个链接，请放入文件夹本身');
    else if (!found.isDirectory()) complain('files', '应当是文件夹，不是文件');
    else await walk('files', 'files', 0);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (error instanceof TooMany) complain('files', error.message);
    else if (code !== '') complain('files', `读不了这个文件夹（${code}）`);
    else throw error;
  }
  return files;
}

/** Whether the file that a lesson names as its slides can be shown as such: null, or a sentence in Chinese. */
export async function whyNoSlides(folder: string, name: string): Promise<string | null> {
  const kind = await fileKindOf(join(folder, 'lessons', name), name);
  return kind.ok ? null : kind.why;
}

/** Where the slides of a lesson lie: the key of their file. */
export const slidesPath = (name: string): string => `lessons/${name.normalize('NFC')}`;

/** The slides that lessons name, each file once. */
export function slidesOf(lessons: readonly PackLesson[]): PackFile[] {
  const names = new Set(lessons.map(({ slides }) => slides).filter((name) => name !== ''));
  return [...names].map((name) => ({
    ...{ path: slidesPath(name), source: `lessons/${name}`, extension: 'pdf', fileGroup: 0 },
    slides: true,
  }));
}
