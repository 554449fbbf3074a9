import type { CheckedQuestion } from '#content/question/question.ts';
import type { Media } from '#content/rich-text/media.ts';
import { richFromMarkdown } from '#content/rich-text/rich-text.ts';
import type { PaperKind } from '#contract/values/exam.ts';
import type { LessonKind } from '#contract/values/play.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import type { YamlText } from './checked-yaml.ts';
import type { Mistake } from './mistake.ts';

/** Case material, shown beside its questions. */
export interface PackCase {
  key: string;
  title: string;
  text: string;
}

export interface PackQuestion extends CheckedQuestion {
  /** Slug of its chapter. */
  chapter: string;
  /** Key of its case material. */
  caseKey: string | null;
  /** Where it is written. */
  at: Place;
}

/** Where something of a pack is written, so that it can be found wanting later. */
type Place = Omit<Mistake, 'reason'>;

export const placeOf = ({ file, line, where }: Mistake): Place => ({ file, line, where });

/** A question of a spreadsheet where a paper names it, by its 编号; `score` null: its own points. Whether there is one, the pack's folder does not know. */
export interface SheetName {
  schoolKey: string;
  score: number | null;
  at: Place;
}

/** A paper; its questions exist, as far as they stand in the folder. */
export interface PackPaper {
  key: string;
  kind: PaperKind;
  name: string;
  course: string | null;
  chapter: string | null;
  year: number | null;
  minutes: number | null;
  partial: number | null;
  shuffleQuestions: boolean;
  shuffleOptions: boolean;
  passScore: number | null;
  retake: RetakeRule;
  /** Its questions are kept out of every practice. */
  reserved: boolean;
  sections: { title: string; questions: ({ key: string; score: number } | SheetName)[] }[];
  /** The points that it shall have in all; null: nothing is said. */
  total: number | null;
  /** Where these are written. */
  at: { name: Place; total: Place; passScore: Place };
}

/** A lesson of the course play page. */
export interface PackLesson {
  slug: string;
  name: string;
  /** Slug of the chapter, or else of the course, in which it stands. */
  chapter: string | null;
  course: string | null;
  kind: LessonKind;
  elective: boolean;
  trial: boolean;
  credits: number;
  /** Sanitized HTML. */
  profile: string;
  text: string;
  /** Files of the folder `lessons`, by name; '': none. */
  media: string;
  slides: string;
  /** A picture of the folder `media`, as texts name it, once it is stored its address; '': none. */
  poster: string;
  /** `track`: WebVTT. */
  subtitles: { language: string; label: string; track: string }[];
  /** Stable keys of the exams. */
  practices: { exam: string; credits: number }[];
}

/** What the files of a pack share while they are read. */
export interface PackReader {
  mistakes: Mistake[];
  /** What shows otherwise than its author may have meant. */
  warnings: Mistake[];
  /** Pictures of the folder by the name texts use; null: there is one, but it has a mistake of its own. */
  media: Map<string, Media | null>;
  used: Set<string>;
  courses: Set<string>;
  chapters: Set<string>;
  /** Of chapters, 1 to 3. */
  levels: Map<string, number>;
  cases: Map<string, PackCase>;
  questions: Map<string, PackQuestion>;
  papers: Map<string, PackPaper>;
  lessons: Map<string, PackLesson>;
}

/** The name of a picture of the folder `media`; one that is not there is a mistake. */
export function picture(reader: PackReader, text: YamlText): string {
  const name = text.text.replace(/^\.?\//, '');
  if (!reader.media.has(name)) text.complain(`图片 ${name.slice(0, 80)} 不在 media 文件夹里，写法如 media/cover.jpg`);
  reader.used.add(name);
  return name;
}

/** Renders a rich text of a pack; a picture that is not in `media/` is a mistake. */
export function rich(reader: PackReader, text: YamlText | null): string {
  if (!text) return '';
  const { html, missing, faults, warnings } = richFromMarkdown(text.text, (src) => {
    const name = src.replace(/^\.?\//, '');
    if (!reader.media.has(name)) return null;
    reader.used.add(name);
    return name;
  });
  for (const src of new Set(missing)) text.complain(`图片 ${src.slice(0, 80) || '（没有地址）'} 不在 media 文件夹里`);
  for (const fault of faults) text.complain(fault);
  if (text.comment !== '')
    reader.warnings.push(
      text.remark(`“#”后面的“${text.comment.slice(0, 30)}”是注释，学员看不到；要它请把整段文字放进引号`),
    );
  for (const warning of warnings) reader.warnings.push(text.remark(warning));
  return html;
}
