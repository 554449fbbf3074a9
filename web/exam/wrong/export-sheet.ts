import { plainText } from '#ui/safe-html.ts';
import { formatDay } from '#web/lib/format.ts';
import { saveSheet } from '#web/lib/save-sheet.ts';
import { msg, t } from '#web/lib/t.ts';
import { byLetters, type CaseMaterial, lettersOf, typeNames } from '../paper.ts';
import type { ShownQuestion } from './shown-question.ts';

/** Letters that the sheet has columns for, as many as the import takes. */
const LETTERS = [...'ABCDEFGH'];

/** Columns of the import, in the language of its template whatever that of the page. */
const [TYPE, MATERIAL, TOPIC, OPTION] = [msg('题型'), msg('材料'), msg('题干'), msg('选项')];
const [KEY, ANALYSIS, SCORE, POINTS] = [msg('答案'), msg('解析'), msg('分值'), msg('采点')];

/**
 * Saves questions as a spreadsheet. Its first columns are those of the import (docs: `npm run lixue -- help`), so that a teacher
 * can read it in again.
 */
export async function exportSheet(
  questions: readonly ShownQuestion[],
  cases: readonly CaseMaterial[],
  withAnswers: boolean,
  now: number,
): Promise<void> {
  const used = LETTERS.filter((letter) => questions.some(({ question }) => letter in question.options));
  const materials = new Map(cases.map(({ id, text }) => [id, plainText(text)]));
  const withPoints = withAnswers && questions.some(({ question }) => question.points.length > 0);
  const head = [
    TYPE,
    TOPIC,
    ...used.map((letter) => OPTION + letter),
    ...(withAnswers ? [KEY, ANALYSIS] : []),
    SCORE,
    ...(withPoints ? [POINTS] : []),
    ...(materials.size > 0 ? [MATERIAL] : []),
    t('章节'),
    t('错误次数'),
    t('时间'),
    t('试卷'),
    t('笔记'),
  ];
  const rows = questions.map(({ question, chapterName, note, wrong }) => [
    typeNames[question.questionTypesId] ?? '',
    plainText(question.topic),
    ...used.map((letter) => plainText(question.options[letter] ?? '')),
    ...(withAnswers
      ? [
          byLetters(question.questionTypesId) ? rightOf(question) : plainText(question.rightAnswer),
          plainText(question.answerAnalysis),
        ]
      : []),
    question.score,
    ...(withPoints ? [pointsOf(question)] : []),
    ...(materials.size > 0 ? [materials.get(question.parentCaseStudyId ?? 0) ?? ''] : []),
    chapterName,
    wrong?.timesWrong === 0 ? t('蒙对') : (wrong?.timesWrong ?? ''),
    wrong ? formatDay(wrong.lastAt, now) : '',
    wrong?.examName ?? '',
    note,
  ]);
  await saveSheet(t('错题本'), [head, ...rows]);
}

/** Scoring points as the import reads them: a line each, which ends with its marks. */
function pointsOf({ points }: ShownQuestion['question']): string {
  return points
    .map(({ text, weight }) => t('{text}（{score}分）', { text: plainText(text).replace(/\s+/g, ' '), score: weight }))
    .join('\n');
}

/** The key as the import reads it: a judgement in words. */
function rightOf({ questionTypesId, options, rightAnswer }: ShownQuestion['question']): string {
  return questionTypesId === 1 && lettersOf(options).length === 2 ? plainText(options[rightAnswer] ?? '') : rightAnswer;
}
