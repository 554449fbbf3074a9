import { createHash } from 'node:crypto';
import type { QuestionType } from '#rules/exam/answer.ts';

/**
 * Begins the key of everything that came from a file without keys of its own. A pack's own keys hold no colon, so loading a
 * pack never touches these.
 */
export const CONTENT_KEY = 'sheet:';

const keyOf = (text: string) => CONTENT_KEY + createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * The key of a question that has none of its own: what it asks decides it (type, text, options). So the same file
 * imported again finds its questions, and a corrected answer, analysis or score updates them.
 */
export const questionKey = (type: QuestionType, topic: string, options: Readonly<Record<string, string>>): string =>
  keyOf(JSON.stringify([type, topic, options]));

/** The key of case material that has none of its own: its text decides it. @param material sanitized HTML */
export const materialKey = (material: string): string => keyOf(material);

/** The key of a chapter that a file names by the way to it. @param path names from the course down */
export const chapterKey = (courseId: number, path: readonly string[]): string =>
  keyOf(JSON.stringify([courseId, path]));
