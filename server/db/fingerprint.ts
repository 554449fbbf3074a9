import { createHash } from 'node:crypto';
import { comparable, type QuestionText } from '#rules/exam/twin.ts';

/** What `questions.fingerprint` holds: equal for questions that are the same to a student (rules/exam/twin.ts). */
export function fingerprintOf(question: QuestionText): string {
  return createHash('sha256').update(comparable(question)).digest('hex').slice(0, 32);
}
