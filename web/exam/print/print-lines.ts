import type { CaseMaterial, KeyedQuestion } from '../paper.ts';

/** A question as it is printed. */
export interface PrintedQuestion {
  question: KeyedQuestion;
  /** The student's private note; '' : none. */
  note: string;
  /** Its key may not be seen now. */
  withheld: boolean;
}

/** What stands on paper before a question: the heading of a part, the material of a case. */
export interface PrintLine extends PrintedQuestion {
  number: number;
  heading: { title: string; type: number; count: number; score: number } | null;
  material: string | null;
}

/**
 * The lines of a printed paper. A part is a section of the paper; where it has none of its own, a run of questions of one type. A
 * case's material stands once, before the first of the questions in a row that belong to it, and keeps them in one part.
 */
export function printLines(
  questions: readonly PrintedQuestion[],
  cases: readonly CaseMaterial[],
  sections: readonly { title: string; questionIds: readonly number[] }[] | null,
): PrintLine[] {
  const titled = sections !== null && sections.length > 1;
  const titles = new Map(
    titled ? sections.flatMap(({ title, questionIds }) => questionIds.map((id) => [id, title])) : [],
  );
  const texts = new Map(cases.map(({ id, text }) => [id, text]));
  const partOf = ({ question: { questionId, questionTypesId, parentCaseStudyId } }: PrintedQuestion) =>
    titled ? (titles.get(questionId) ?? '') : `${questionTypesId} ${parentCaseStudyId === null ? '' : 'case'}`;
  const lines: PrintLine[] = questions.map((printed, at) => {
    const { parentCaseStudyId, questionTypesId } = printed.question;
    const before = questions[at - 1];
    const sameCase = before !== undefined && before.question.parentCaseStudyId === parentCaseStudyId;
    const begins =
      before === undefined || (partOf(before) !== partOf(printed) && !(sameCase && parentCaseStudyId !== null));
    const heading =
      begins && sections !== null
        ? {
            title: titled ? (titles.get(printed.question.questionId) ?? '') : '',
            type: questionTypesId,
            count: 0,
            score: 0,
          }
        : null;
    const material = parentCaseStudyId === null || sameCase ? null : (texts.get(parentCaseStudyId) ?? null);
    return { ...printed, number: at + 1, heading, material };
  });
  let part: PrintLine['heading'] = null;
  for (const { heading, question } of lines) {
    part = heading ?? part;
    if (part === null) continue;
    part.count += 1;
    part.score = Math.round((part.score + question.score) * 100) / 100;
    // A part of several types is named by none of them.
    if (part.type !== question.questionTypesId) part.type = 0;
  }
  return lines;
}

/** Whether the school's own title of a part says what it gives already, as “一、判断题（每小题 2 分，共 10 分）” does. */
export const saysPoints = (title: string): boolean => /\d\s*分/.test(title);

/** Whether all options are so short that two stand beside each other in a column. */
export function areShort(options: Readonly<Record<string, string>>): boolean {
  return Object.values(options).every(
    (html) => !/<(img|table|pre)/.test(html) && html.replace(/<[^>]*>/g, '').trim().length <= 9,
  );
}

/** Lines of writing that an answer in words gets, by the points of its question. */
export function linesFor(score: number): number {
  return Math.min(16, Math.max(4, Math.ceil(score)));
}

/** A text as CSS writes it in quotes. */
export function cssString(text: string): string {
  return `"${text.replace(/[\\"\n\r\f<>]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;
}
