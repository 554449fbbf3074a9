import { createHash } from 'node:crypto';
import type { QuestionType } from '#rules/exam/answer.ts';
import { undescribed, undescribedOptions } from '#rules/exam/twin.ts';

/**
 * Begins the key of everything that came from a file without keys of its own. A pack's own keys hold no colon, so loading a
 * pack never touches these.
 */
export const CONTENT_KEY = 'sheet:';

const keyOf = (text: string) => CONTENT_KEY + createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * The key of a question that has none of its own: what it asks decides it (type, text, options and case material). So the same file
 * imported again finds its questions, and a corrected answer, analysis or score updates them. What is stored keeps the key
 * that it came with when its text is corrected; it is found by what it asks now (server/import/question-identity.ts). Alternative texts of
 * pictures are no part of it: they were not read when the first keys were made, which would be others.
 * @param material sanitized HTML; '' where there is none, which leaves the key as it was before materials belonged to it
 */
export const questionKey = (
  type: QuestionType,
  topic: string,
  options: Readonly<Record<string, string>>,
  material: string,
): string => {
  const about = material === '' ? [] : [materialKey(undescribed(material))];
  return keyOf(JSON.stringify([type, undescribed(topic), undescribedOptions(options), ...about]));
};

/** Another key for a question whose own is held by one that asked the same before it was corrected. @param turn from 1 */
export const nextKey = (key: string, turn: number): string => keyOf(`${key} ${turn}`);

/** The key of case material that has none of its own: its text decides it. @param material sanitized HTML */
export const materialKey = (material: string): string => keyOf(material);

/** The key of a chapter that a file names by the way to it. @param path names from the course down */
export const chapterKey = (courseId: number, path: readonly string[]): string =>
  keyOf(JSON.stringify([courseId, path]));

/** The key of a paper that has one of the school's own (试卷编号). */
export const schoolPaperKey = (paperKey: string): string => keyOf(JSON.stringify(['paper', paperKey]));

/** The key of a paper that has none: its name decides it. @param name in the form in which names are compared */
export const namedPaperKey = (name: string): string => keyOf(JSON.stringify(['named paper', name]));

/** The key of one whose name a paper of another course has as its key. */
export const namedPaperKeyIn = (courseId: number, name: string): string =>
  keyOf(JSON.stringify(['named paper', name, courseId]));
