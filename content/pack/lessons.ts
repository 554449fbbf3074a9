import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LessonKind } from '#contract/values/play.ts';
import type { YamlMap, YamlText } from './checked-yaml.ts';
import { type PackLesson, type PackReader, rich } from './reader.ts';

/** What each file of a lesson may be; what is in it is looked at when it is stored. */
const FILES = {
  video: ['mp4', 'm4v', 'mov', 'mkv', 'webm', 'flv', 'avi', 'ts', 'mpg', 'mpeg', 'wmv'],
  audio: ['mp3', 'm4a', 'aac', 'wav', 'flac', 'ogg', 'opus', 'wma'],
  slides: ['pdf'],
  subtitles: ['vtt', 'srt'],
} as const;
type FileField = keyof typeof FILES;

/** Practices beside one lesson. */
const MOST_PRACTICES = 5;
/** A name in the folder `lessons`: no way out of it. */
const FILE_NAME = /^[^/\\\p{Cc}]{1,120}$/u;

/** Reads one lesson into the reader, with its mistakes. @returns the files that it names, for `checkLessonFiles` */
export function readLesson(map: YamlMap, reader: PackReader): NamedFile[] {
  const slug = map.slug('slug');
  if (slug && reader.lessons.has(slug))
    map.complain(`课时 ${slug} 写了两次，课时的 slug 在整个题库包里不能重复`, 'slug');
  const name = map.required('name', 100)?.text ?? '';
  const place = readPlace(map, reader);
  const named: NamedFile[] = [];
  const file = (field: FileField) => {
    const text = map.optional(field, 200);
    if (!text) return '';
    if (isFileName(text, field)) named.push({ text, field });
    return text.text;
  };
  const [video, audio, slides, subtitles] = [file('video'), file('audio'), file('slides'), file('subtitles')];
  if (video && audio) map.complain('一个课时只能有 video 或 audio 之一', 'audio');
  if (subtitles && !video && !audio) map.complain('只有带 video 或 audio 的课时才写 subtitles', 'subtitles');
  const kind: LessonKind = video ? 'video' : audio ? 'audio' : 'text';
  const text = rich(reader, map.optional('text', 100_000));
  if (kind === 'text' && text === '') map.complain('没有 video 也没有 audio 的课时须写 text');
  const lesson: PackLesson = {
    slug,
    name,
    ...place,
    kind,
    elective: map.flag('elective'),
    trial: map.flag('trial'),
    credits: map.number('credits', { min: 0, max: 100, step: 0.5 }) ?? 0,
    profile: rich(reader, map.optional('profile')),
    text,
    media: video || audio,
    slides,
    subtitles,
    practices: readPractices(map, reader),
  };
  map.done();
  if (slug) reader.lessons.set(slug, lesson);
  return named;
}

/** A lesson stands at a chapter of the first or second level, or at the top of a course: the directory has three levels. */
function readPlace(map: YamlMap, reader: PackReader): { chapter: string | null; course: string | null } {
  const chapter = map.optional('chapter');
  const course = map.optional('course');
  if (chapter && course) map.complain('chapter 和 course 只写一个', 'course');
  else if (!chapter && !course) map.complain('须写 chapter（第一或第二级章节），或 course（放在课程的最上层）');
  if (chapter && !reader.chapters.has(chapter.text)) chapter.complain(`没有章节 ${chapter.text.slice(0, 70)}`);
  else if (chapter && (reader.levels.get(chapter.text) ?? 1) > 2)
    chapter.complain(`${chapter.text} 是第三级章节，课时只能放在第一、二级，目录最多三级`);
  if (course && !reader.courses.has(course.text)) course.complain(`没有课程 ${course.text.slice(0, 70)}`);
  return { chapter: chapter?.text ?? null, course: course?.text ?? null };
}

/** Each is a chapter's practice or an after-class paper, by the stable key of its exam. */
function readPractices(map: YamlMap, reader: PackReader): PackLesson['practices'] {
  const seen = new Set<string>();
  const practices = map.maps('practice').flatMap((practice) => {
    const chapter = practice.optional('chapter');
    const paper = practice.optional('paper');
    const credits = practice.number('credits', { min: 0, max: 100, step: 0.5 }) ?? 0;
    if ((chapter === null) === (paper === null)) practice.complain('须写 chapter 或 paper 之一');
    if (chapter && !reader.chapters.has(chapter.text)) chapter.complain(`没有章节 ${chapter.text.slice(0, 70)}`);
    const known = paper ? reader.papers.get(paper.text) : undefined;
    if (paper && !known) paper.complain(`没有试卷 ${paper.text.slice(0, 70)}`);
    if (paper && known && known.kind !== 'afterclass') paper.complain(`${paper.text} 不是课后练习（afterclass）`);
    practice.done();
    const exam = chapter ? `chapter:${chapter.text}` : (paper?.text ?? '');
    if (seen.has(exam)) practice.complain('同一个练习写了两次');
    seen.add(exam);
    return exam ? [{ exam, credits }] : [];
  });
  if (practices.length > MOST_PRACTICES) map.complain(`一个课时最多 ${MOST_PRACTICES} 个练习`, 'practice');
  return practices;
}

/** A file that a lesson names, with its place in the YAML. */
interface NamedFile {
  text: YamlText;
  field: FileField;
}

function isFileName(text: YamlText, field: FileField): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(text.text)?.[1]?.toLowerCase() ?? '';
  if (!FILE_NAME.test(text.text) || text.text.startsWith('.')) text.complain('须为 lessons 文件夹里的文件名，不含路径');
  else if (!(FILES[field] as readonly string[]).includes(extension))
    text.complain(`${field} 的文件须为 ${FILES[field].map((known) => `.${known}`).join(' ')}`);
  else return true;
  return false;
}

/** Whether a name in the folder `lessons` may be that of a lesson's file. */
export function isLessonFile(name: string): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.values(FILES).some((known) => (known as readonly string[]).includes(extension));
}

/** Complains about files that lessons name and that are not there. */
export async function checkLessonFiles(folder: string, named: readonly NamedFile[]): Promise<void> {
  for (const { text } of named) {
    const found = await lstat(join(folder, 'lessons', text.text)).catch(() => null);
    if (found === null) text.complain(`lessons 文件夹里没有 ${text.text.slice(0, 70)}`);
    else if (found.isSymbolicLink()) text.complain('这是一个链接，请放入文件本身');
    else if (!found.isFile()) text.complain('不是文件');
    else if (found.size === 0) text.complain('文件是空的');
  }
}
