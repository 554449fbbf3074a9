import type { Static } from 'typebox';
import type { QuestionType as QuestionTypeSchema } from '#contract/exam.ts';

/** 1 judge · 2 single · 3 multiple · 4 short answer · 5 one or more letters · 8 short answer with self-scoring. */
export type QuestionType = Static<typeof QuestionTypeSchema>;

/** Text that the student scores after hand-in (types 4 and 8; decisions §3 Scoring). */
export function isSelfScored(type: QuestionType): boolean {
  return type === 4 || type === 8;
}

/** Whether an answer counts as given: neither missing nor cleared nor blank. */
export function isAnswered(answer: string | null): answer is string {
  return answer !== null && answer.trim() !== '';
}

/** Letters ascending, each once: the one form in which chosen options are stored and compared. */
export function sortLetters(letters: string): string {
  return [...new Set(letters)].sort().join('');
}

/**
 * An answer in the form in which it is stored, or a refusal when it cannot be an answer to this question.
 * Letters may come in any order, small, or separated by commas and spaces; types 1 and 2 take one. Text loses only the
 * NUL character, which no database takes. '' and blank text say that the answer was cleared (清除作答).
 * @param letters the letters on offer, e.g. "ABCD"
 */
export function normalAnswer(
  type: QuestionType,
  letters: string,
  raw: string,
): { ok: true; answer: string } | { ok: false; why: 'answerMalformed' } {
  if (isSelfScored(type)) {
    // As any database can keep it: no NUL, no half of a surrogate pair.
    const text = raw.replaceAll('\u0000', '').toWellFormed();
    return { ok: true, answer: isAnswered(text) ? text : '' };
  }
  if (raw.length > 64) return { ok: false, why: 'answerMalformed' };
  const chosen = sortLetters(raw.toUpperCase().replace(/[\s,，、]/g, ''));
  const most = type === 1 || type === 2 ? 1 : letters.length;
  const fits = chosen.length <= most && [...chosen].every((letter) => letters.includes(letter));
  return fits ? { ok: true, answer: chosen } : { ok: false, why: 'answerMalformed' };
}
