import { richFromCell } from '#content/rich-text/rich-text.ts';
import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { CorrectQuestion, PreviewCorrection, ReadQuality } from '#contract/exam-quality.ts';
import { isSelfScored } from '#rules/exam/answer.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { previewCorrection, readQuality } from '../grading/quality.ts';
import { correctQuestion, planCorrection, type TeacherChange } from '../paper/correct-question.ts';
import { readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';

type Refused = { ok: false; why: Why; field?: string; at?: number };

/** What a teacher typed, ready to be stored: a text as in a cell of a spreadsheet, with the pictures that stand there already. */
async function readTyped(
  { db }: ExamParts,
  { questionId, standing, rightAnswer, answerAnalysis, gradeMode, scores }: InputOf<typeof PreviewCorrection>,
): Promise<{ ok: true; change: TeacherChange } | Refused> {
  const question = (await readQuestions(db.query, [questionId])).get(questionId);
  if (!question) return { ok: false, why: 'notFound', field: 'questionId' };
  const known = new Set(
    [question.analysis, question.right, question.topic, ...Object.values(question.options)].flatMap((html) =>
      [...html.matchAll(/<img\b[^>]*?\bsrc="([^"]*)"/g)].map(([, src = '']) => src),
    ),
  );
  const rich = (typed: string) => {
    const { html, missing, faults } = richFromCell(typed, (src) => (known.has(src) ? src : null), true);
    return missing.length + faults.length > 0 ? null : html;
  };
  const isText = isSelfScored(question.type);
  const right =
    rightAnswer === undefined || !isText || rightAnswer === question.right ? rightAnswer : rich(rightAnswer);
  if (right === null) return { ok: false, why: 'richTextFaulty', field: 'rightAnswer' };
  const analysis =
    answerAnalysis === undefined || answerAnalysis === question.analysis ? answerAnalysis : rich(answerAnalysis);
  if (analysis === null) return { ok: false, why: 'richTextFaulty', field: 'answerAnalysis' };
  return { ok: true, change: { questionId, standing, right, analysis, gradeMode, scores } };
}

/** What a correction would change in records that are over. Does nothing. */
export async function tryCorrection(
  parts: ExamParts,
  asked: InputOf<typeof PreviewCorrection>,
): Promise<{ ok: true; preview: DataOf<typeof PreviewCorrection> } | Refused> {
  const read = await readTyped(parts, asked);
  if (!read.ok) return read;
  const plan = await planCorrection(parts.db.query, parts.readContent, read.change);
  if (!plan.ok) return plan;
  return { ok: true, preview: await previewCorrection(parts.db.query, plan) };
}

/** Corrects a question; its records are graded again in the background (grading/rescore.ts). */
export async function makeCorrection(
  parts: ExamParts,
  { reason: typed, teacherId, now, ...asked }: InputOf<typeof CorrectQuestion> & { teacherId: number; now: number },
): Promise<{ ok: true; question: DataOf<typeof ReadQuality> } | Refused> {
  const reason = tidyText(typed);
  if (reason === '') return { ok: false, why: 'badInput', field: 'reason' };
  const read = await readTyped(parts, asked);
  if (!read.ok) return read;
  const done = await parts.db.transaction((trx) =>
    correctQuestion(parts, trx, { ...read.change, reason, teacherId, now }),
  );
  if (!done.ok) return done;
  const question = await readQuality(parts, asked.questionId);
  return question === null ? { ok: false, why: 'notFound', field: 'questionId' } : { ok: true, question };
}
