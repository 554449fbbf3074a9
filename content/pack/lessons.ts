import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlainFile } from '#content/plain-file.ts';
import type { LessonKind } from '#contract/values/play.ts';
import { containerOf, HEAD_BYTES } from '#rules/media/container.ts';
import type { YamlMap, YamlText } from './checked-yaml.ts';
import { whyNoSlides } from './course-files.ts';
import { type PackLesson, type PackReader, picture, rich } from './reader.ts';
import { LARGEST_SUBTITLES, readSubtitles } from './subtitles.ts';

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
/** Subtitles of one lesson, each a language. */
const MOST_SUBTITLES = 8;
/** A language as browsers name it (BCP 47): `zh-CN`, `en`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
/** What has no picture, by the ending under which it is stored. */
const SOUNDS = ['m4a', 'wav', 'flac', 'mp3', 'aac'];
/** A name in the folder `lessons`: no way out of it. */
const FILE_NAME = /^[^/\\\p{Cc}]{1,120}$/u;

/** Reads one lesson into the reader, with its mistakes. @returns the files that it names, for `checkLessonFiles` */
export function readLesson(map: YamlMap, reader: PackReader): NamedFile[] {
  const slug = map.slug('slug');
  if (slug && reader.lessons.has(slug))
    map.complain(`课时 ${slug} 写了两次，课时的 slug 在整个课程包里不能重复`, 'slug');
  const name = map.required('name', 100)?.text ?? '';
  const place = readPlace(map, reader);
  const named: NamedFile[] = [];
  const file = (field: 'video' | 'audio' | 'slides') => {
    const text = map.optional(field, 200);
    if (!text) return '';
    if (isFileName(text, field)) named.push({ text, field });
    return text.text;
  };
  const [video, audio, slides] = [file('video'), file('audio'), file('slides')];
  if (video && audio) map.complain('一个课时只能有 video 或 audio 之一', 'audio');
  const subtitles = readTracks(map, named);
  const poster = map.optional('poster', 200);
  if (poster && !video) map.complain('只有带 video 的课时才写 poster', 'poster');
  if (subtitles.length > 0 && !video && !audio) map.complain('只有带 video 或 audio 的课时才写 subtitles', 'subtitles');
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
    poster: poster ? picture(reader, poster) : '',
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

/** The subtitles of a lesson; what is in their files is read with the others (`checkLessonFiles`). */
function readTracks(map: YamlMap, named: NamedFile[]): PackLesson['subtitles'] {
  const labels = new Set<string>();
  const tracks = map.maps('subtitles').map((track) => {
    const language = track.required('language', 40);
    if (language && !LANGUAGE.test(language.text)) language.complain('语言写法如 zh-CN、en');
    const label = track.required('label', 30);
    if (label && labels.has(label.text)) label.complain(`字幕 ${label.text} 写了两次`);
    labels.add(label?.text ?? '');
    const text = track.required('file', 200);
    track.done();
    const read = { language: language?.text ?? '', label: label?.text ?? '', track: '' };
    if (text && isFileName(text, 'subtitles'))
      named.push({
        ...{ text, field: 'subtitles' },
        take: (content) => {
          read.track = content;
        },
      });
    return read;
  });
  if (tracks.length > MOST_SUBTITLES) map.complain(`一个课时最多 ${MOST_SUBTITLES} 种字幕`, 'subtitles');
  return tracks;
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
  /** Given what a file of subtitles became. */
  take?(content: string): void;
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

/** Complains about files that lessons name and that are not there, or are something else than their lesson says. */
export async function checkLessonFiles(folder: string, named: readonly NamedFile[], reader: PackReader): Promise<void> {
  for (const { text, field, take } of named) {
    const path = join(folder, 'lessons', text.text);
    const found = await lstat(path).catch(() => null);
    if (found === null) text.complain(`lessons 文件夹里没有 ${text.text.slice(0, 70)}`);
    else if (found.isSymbolicLink()) text.complain('这是一个链接，请放入文件本身');
    else if (!found.isFile()) text.complain('不是文件');
    else if (found.size === 0) text.complain('文件是空的');
    else if (field === 'subtitles') {
      const bytes = await readPlainFile(path, LARGEST_SUBTITLES);
      const read = bytes.ok ? readSubtitles(bytes.value) : bytes;
      if (read.ok) {
        take?.(read.value.track);
        for (const warning of read.value.warnings) reader.warnings.push(text.remark(warning));
      } else text.complain(read.why);
    } else if (field === 'video' || field === 'audio') {
      const why = await whyNoMedia(path, field);
      if (why !== null) text.complain(why);
    } else if (field === 'slides') {
      const why = await whyNoSlides(folder, text.text);
      if (why !== null) text.complain(why);
    }
  }
}

/** Looks at the first bytes alone: whether all of it can be played is found out by its conversion. @returns null: nothing is wrong */
async function whyNoMedia(path: string, field: 'video' | 'audio'): Promise<string | null> {
  const head = new Uint8Array(HEAD_BYTES);
  // Not through a link that was put there since.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  if (!file) return '读不了这个文件，请检查它的权限';
  const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0).finally(() => file.close());
  const container = containerOf(head.subarray(0, bytesRead));
  if (!container) return `内容不是可以识别的${field === 'video' ? '视频' : '音频'}，和文件名无关`;
  if (field === 'video' && SOUNDS.includes(container.extension)) return '里面只有声音，请写在 audio 里';
  return null;
}
