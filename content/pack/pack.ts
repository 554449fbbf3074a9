import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlainFile } from '#content/plain-file.ts';
import { checkMedia, LARGEST_MEDIA, type Media } from '#content/rich-text/media.ts';
import { chinaMoment } from '#rules/clock/china-day.ts';
import { fenFrom } from '#rules/order/money.ts';
import { YamlFile, type YamlMap } from './checked-yaml.ts';
import { type PackFile, readCourseFiles, slidesOf } from './course-files.ts';
import { checkLessonFiles, isLessonFile, readLesson } from './lessons.ts';
import type { Mistake } from './mistake.ts';
import { readPapers } from './papers.ts';
import { readCase, readQuestion } from './questions.ts';
import {
  type PackCase,
  type PackLesson,
  type PackPaper,
  type PackQuestion,
  type PackReader,
  picture,
  rich,
} from './reader.ts';

/** A chapter with what is below it: three levels at most. */
interface PackChapter {
  slug: string;
  name: string;
  chapters: PackChapter[];
}
interface PackCourse {
  slug: string;
  name: string;
  chapters: PackChapter[];
}

/** What a pack is for: a big category, and a little one in it. */
interface PackCategory {
  big: string;
  /** '': none. */
  little: string;
}

/** Who teaches in a pack, as its page shows them. */
export interface PackTeacher {
  name: string;
  /** '': none. */
  title: string;
  /** Plain text. */
  words: string;
  /** A picture of the folder `media`, as texts name it, once it is stored its address; '': none. */
  picture: string;
}

/** Teachers of one pack. */
const MOST_TEACHERS = 12;

/** How a pack is sold: sums in fen, times in epoch milliseconds. `price` null: it costs nothing, and the others are null too. */
interface PackSale {
  price: number | null;
  originalPrice: number | null;
  seats: number | null;
  saleFrom: number | null;
  saleUntil: number | null;
}

/** A pack that has passed every check. Its rich texts are sanitized HTML in which pictures are still `src="media/…"`. */
export interface CheckedPack {
  slug: string;
  name: string;
  summary: string;
  description: string;
  examDate: string | null;
  enrol: 'open' | 'closed';
  unlock: 'free' | 'sequential';
  /** Its lessons and practices carry credits. */
  scoreState: 0 | 1;
  category: PackCategory | null;
  teachers: PackTeacher[];
  sale: PackSale;
  courses: PackCourse[];
  cases: PackCase[];
  questions: PackQuestion[];
  papers: PackPaper[];
  /** In the order of its files. */
  lessons: PackLesson[];
  /** What students may download, in the order of names, then the slides of lessons. */
  files: PackFile[];
  /** Only the pictures that texts use. */
  media: Media[];
  /** What shows otherwise than its author may have meant; nothing that keeps the pack out. */
  warnings: Mistake[];
}

/** What may lie in the folder of a pack (docs/guide/content-pack.md). */
const NAMES = ['pack.yaml', 'questions', 'papers', 'lessons', 'files', 'media'] as const;
type Subfolder = Exclude<(typeof NAMES)[number], 'pack.yaml' | 'files'>;

/** What editors, version control and file managers leave behind, and no author wrote. */
const isNoise = (name: string) => /^[.~]/.test(name) || name === 'Thumbs.db' || name === 'desktop.ini';

/** A YAML file takes some eighty times its size while it is read, so larger ones would reach the bound (content/apart/limits.ts). */
const LARGEST_TEXT_FILE = 3 * 1024 * 1024;

/** All pictures of a pack together: they are held until the whole pack is known to be good. */
const MOST_PICTURES = 100 * 1024 * 1024;

/** Is told which file is read now. */
type At = (file: string) => Promise<void>;

/**
 * Reads and checks a whole pack (docs/guide/content-pack.md). Nothing is stored.
 * @param at is told which file is read now
 * @returns the pack, or every mistake of every file: never the first one alone
 */
export async function readPack(
  folder: string,
  at: At = async () => undefined,
): Promise<{ ok: true; pack: CheckedPack } | { ok: false; mistakes: Mistake[] }> {
  const mistakes: Mistake[] = [];
  const reader: PackReader = {
    mistakes,
    warnings: [],
    media: new Map(),
    used: new Set(),
    courses: new Set(),
    chapters: new Set(),
    levels: new Map(),
    cases: new Map(),
    questions: new Map(),
    papers: new Map(),
    lessons: new Map(),
  };
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    return { ok: false, mistakes: [{ file: folder, line: 1, where: '', reason: '没有这个文件夹' }] };
  }
  await checkNames(folder, mistakes);
  await readMedia(folder, reader, at);
  const main = await readYaml(folder, 'pack.yaml', mistakes, at);
  const root = main?.root() ?? null;
  const head = root ? readHead(root, reader) : null;

  const questionFiles = await readFolder(folder, 'questions', reader, at);
  // Case material first: a question may use a case of any file.
  for (const file of questionFiles) for (const map of file.maps('cases')) readCase(map, reader);
  for (const file of questionFiles) {
    for (const map of file.maps('questions')) readQuestion(map, reader);
    file.done();
  }
  readPapers(await readFolder(folder, 'papers', reader, at), reader);
  for (const file of await readFolder(folder, 'lessons', reader, at)) {
    for (const map of file.maps('lessons')) await checkLessonFiles(folder, readLesson(map, reader), reader);
    file.done();
  }
  const files = await readCourseFiles(folder, { mistakes, isNoise, at });

  if (mistakes.length > 0 || !head) return { ok: false, mistakes };
  const media = [...reader.used]
    .map((name) => reader.media.get(name))
    .filter((picture) => picture !== null && picture !== undefined);
  const { cases, questions, papers, lessons } = reader;
  return {
    ok: true,
    pack: {
      ...head,
      cases: [...cases.values()],
      questions: [...questions.values()],
      papers: [...papers.values()],
      lessons: [...lessons.values()],
      files: [...files, ...slidesOf([...lessons.values()])],
      media,
      warnings: reader.warnings,
    },
  };
}

async function readYaml(folder: string, name: string, mistakes: Mistake[], at: At): Promise<YamlFile | null> {
  await at(name);
  const refuse = (reason: string) => {
    mistakes.push({ file: name, line: 1, where: '', reason });
    return null;
  };
  const bytes = await readPlainFile(join(folder, name), LARGEST_TEXT_FILE);
  if (!bytes.ok) return refuse(bytes.why);
  const source = utf8(bytes.value);
  if (source === null) return refuse('文件不是 UTF-8 编码，请另存为 UTF-8');
  try {
    return new YamlFile(name, source, mistakes);
  } catch (error) {
    if (error instanceof RangeError) return refuse('YAML 的嵌套太深');
    throw error;
  }
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Refuses names that mean nothing: a misspelt folder would read as one that the pack no longer has. */
async function checkNames(folder: string, mistakes: Mistake[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isNoise(name) || NAMES.some((known) => known === name)) continue;
    const meant = NAMES.find((known) => known === name.toLowerCase());
    const reason = meant ? `名称须写作 ${meant}，区分大小写` : `不认识的名称，这里只能有 ${NAMES.join('、')}`;
    mistakes.push({ file: name, line: 1, where: '', reason });
  }
}

/** What lies in a subfolder, in name order; [] when the pack has none. */
async function entriesOf(folder: string, sub: Subfolder, mistakes: Mistake[]): Promise<Dirent[]> {
  try {
    // Looked up by its name as written: some disks would open another case of it, and a link may lead to nothing.
    if (!(await readdir(folder)).includes(sub)) return [];
    if ((await lstat(join(folder, sub))).isSymbolicLink()) {
      mistakes.push({ file: sub, line: 1, where: '', reason: '这是一个链接，请放入文件夹本身' });
      return [];
    }
    const entries = await readdir(join(folder, sub), { withFileTypes: true });
    return entries.filter(({ name }) => !isNoise(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === '') throw error;
    const reason = code === 'ENOTDIR' ? '应当是文件夹，不是文件' : `读不了这个文件夹（${code}）`;
    mistakes.push({ file: sub, line: 1, where: '', reason });
    return [];
  }
}

/** The roots of a subfolder's YAML files in name order. */
async function readFolder(folder: string, sub: Subfolder, reader: PackReader, at: At): Promise<YamlMap[]> {
  const roots: YamlMap[] = [];
  for (const entry of await entriesOf(folder, sub, reader.mistakes)) {
    const name = `${sub}/${entry.name}`;
    if (sub === 'lessons' && entry.isFile() && isLessonFile(entry.name)) continue;
    if (!(entry.isFile() || entry.isSymbolicLink()) || !/\.ya?ml$/.test(entry.name)) {
      const others = sub === 'lessons' ? '，和课时写到的视频、音频、课件、字幕' : '';
      reader.mistakes.push({ file: name, line: 1, where: '', reason: `${sub} 文件夹里只能有 .yaml 文件${others}` });
      continue;
    }
    const root = (await readYaml(folder, name, reader.mistakes, at))?.root();
    if (root) roots.push(root);
  }
  return roots;
}

async function readMedia(folder: string, reader: PackReader, at: At): Promise<void> {
  let total = 0;
  for (const entry of await entriesOf(folder, 'media', reader.mistakes)) {
    const name = `media/${entry.name}`;
    await at(name);
    const read = await readPicture(folder, entry);
    reader.media.set(name, typeof read === 'string' || total > MOST_PICTURES ? null : read);
    if (typeof read === 'string') reader.mistakes.push({ file: name, line: 1, where: '', reason: read });
    else total += read.bytes.byteLength;
  }
  if (total <= MOST_PICTURES) return;
  const reason = `图片合计 ${Math.ceil(total / 1_048_576)} MB，最多 ${MOST_PICTURES / 1_048_576} MB，请分成几个课程包`;
  reader.mistakes.push({ file: 'media', line: 1, where: '', reason });
}

async function readPicture(folder: string, entry: Dirent): Promise<Media | string> {
  if (entry.isDirectory()) return 'media 文件夹里只能有图片文件';
  const bytes = await readPlainFile(join(folder, 'media', entry.name), LARGEST_MEDIA);
  return bytes.ok ? checkMedia(entry.name, bytes.value) : bytes.why;
}

type Head = Omit<CheckedPack, 'cases' | 'questions' | 'papers' | 'lessons' | 'files' | 'media' | 'warnings'>;

function readHead(root: YamlMap, reader: PackReader): Head {
  const format = root.required('format');
  if (format && format.text !== '1') format.complain(`不支持的格式版本“${format.text.slice(0, 20)}”，须为 1`);
  const examDate = root.optional('examDate');
  if (examDate && !isDay(examDate.text))
    examDate.complain(`“${examDate.text.slice(0, 20)}”不是日期，写法如 2026-12-19`);
  const head: Head = {
    slug: root.slug('slug'),
    name: root.required('name', 100)?.text ?? '',
    summary: root.required('summary', 200)?.text ?? '',
    description: rich(reader, root.required('description')),
    examDate: examDate?.text ?? null,
    enrol: root.oneOf('enrol', ['open', 'closed']) ?? 'closed',
    unlock: root.oneOf('unlock', ['free', 'sequential']) ?? 'free',
    scoreState: root.flag('credits') ? 1 : 0,
    category: readCategory(root),
    teachers: readTeachers(root, reader),
    sale: readSale(root),
    courses: root.maps('courses').map((course) => readCourse(course, reader)),
  };
  if (head.courses.length === 0) root.complain('至少要有一门课程', 'courses');
  root.done();
  return head;
}

function readCategory(root: YamlMap): PackCategory | null {
  const map = root.map('category');
  if (!map) return null;
  const category = { big: map.required('big', 20)?.text ?? '', little: map.optional('little', 20)?.text ?? '' };
  map.done();
  return category;
}

function readTeachers(root: YamlMap, reader: PackReader): PackTeacher[] {
  const maps = root.maps('teachers');
  if (maps.length > MOST_TEACHERS) root.complain(`最多 ${MOST_TEACHERS} 位老师`, 'teachers');
  return maps.map((map) => {
    const name = map.required('name', 20)?.text ?? '';
    const shown = map.optional('picture', 200);
    const teacher = {
      name,
      title: map.optional('title', 40)?.text ?? '',
      words: map.optional('words', 500)?.text ?? '',
      picture: shown ? picture(reader, shown) : '',
    };
    map.done();
    return teacher;
  });
}

/** A pack with a price is sold; what belongs to selling means nothing without one (decisions §8). */
function readSale(root: YamlMap): PackSale {
  const price = readYuan(root, 'price');
  const originalPrice = readYuan(root, 'originalPrice');
  const seats = root.number('seats', { min: 1, max: MOST_SEATS, step: 1 });
  const saleFrom = readMoment(root, 'saleFrom', 'begin');
  const saleUntil = readMoment(root, 'saleUntil', 'end');
  if (!root.keys().includes('price'))
    for (const key of ['originalPrice', 'seats', 'saleFrom', 'saleUntil'])
      if (root.keys().includes(key)) root.complain(`写了 ${key} 却没有写 price，不收费的课程包不需要它`, key);
  if (price !== null && originalPrice !== null && originalPrice <= price)
    root.complain('原价须高于现价 price，没有优惠时不要写', 'originalPrice');
  if (saleFrom !== null && saleUntil !== null && saleUntil <= saleFrom)
    root.complain('停售时间须晚于开售时间 saleFrom', 'saleUntil');
  return { price, originalPrice, seats, saleFrom, saleUntil };
}

/** More seats than any class has. */
const MOST_SEATS = 1_000_000;

/** Yuan as a text, exactly; null when it is left out or wrong. */
function readYuan(root: YamlMap, key: 'price' | 'originalPrice'): number | null {
  const text = root.optional(key);
  if (text === null) return null;
  const fen = fenFrom(text.text);
  if (fen === null) text.complain(`“${text.text.slice(0, 20)}”不是金额，写法如 199.00，单位为元，最多 10000000.00`);
  else if (fen === 0) text.complain('金额须大于 0，不收费的课程包不要写 price');
  return fen === 0 ? null : fen;
}

function readMoment(root: YamlMap, key: 'saleFrom' | 'saleUntil', at: 'begin' | 'end'): number | null {
  const text = root.optional(key);
  if (text === null) return null;
  const moment = chinaMoment(text.text, at);
  if (moment === null)
    text.complain(`“${text.text.slice(0, 20)}”不是日期，写法如 2026-12-01 或 2026-12-01 20:00（北京时间）`);
  return moment;
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function readCourse(course: YamlMap, reader: PackReader): PackCourse {
  const slug = course.slug('slug');
  if (slug && reader.courses.has(slug)) course.complain(`课程 ${slug} 写了两次`, 'slug');
  reader.courses.add(slug);
  const read = { slug, name: course.required('name', 100)?.text ?? '', chapters: readChapters(course, reader, 1) };
  course.done();
  return read;
}

function readChapters(parent: YamlMap, reader: PackReader, level: number): PackChapter[] {
  return parent.maps('chapters').map((chapter) => {
    const slug = chapter.slug('slug');
    if (slug && reader.chapters.has(slug))
      chapter.complain(`章节 ${slug} 写了两次，章节的 slug 在整个课程包里不能重复`, 'slug');
    reader.chapters.add(slug);
    reader.levels.set(slug, level);
    if (level > 3) chapter.complain('章节最多三级');
    const name = chapter.required('name', 100)?.text ?? '';
    const chapters = level > 3 ? [] : readChapters(chapter, reader, level + 1);
    if (level <= 3) chapter.done();
    return { slug, name, chapters };
  });
}
