import { isSelfScored } from '#rules/exam/answer.ts';
import type { CheckedRow } from './file-question.ts';
import type { Column } from './question-columns.ts';
import { RowReasons } from './row-reasons.ts';

/** Where a question stood first; `rightAnswer` is '' where answers are free text and may differ in wording. */
interface FirstPlace {
  sheet: string;
  row: number;
  rightAnswer: string;
}

/**
 * Refuses a question that stood in an earlier row of the same file, whatever the format, and a key of the school (编号) that did; says so
 * when the answer is another one. One finder serves one file. @param at where the columns of its sheet are. @returns the row as it was, or as a rejected one
 */
export function duplicateFinder(): (checked: CheckedRow, at: ReadonlyMap<Column, number>) => CheckedRow {
  const earlier = new Map<string, FirstPlace>();
  const byKey = new Map<string, FirstPlace>();
  return (checked, at) => {
    if (!checked.ok) return checked;
    const { sheet, row, question } = checked;
    const { schoolKey } = question;
    const first = earlier.get(question.key);
    const keyed = schoolKey === null ? undefined : byKey.get(schoolKey);
    const here = { sheet, row, rightAnswer: isSelfScored(question.type) ? '' : question.rightAnswer };
    if (!first) earlier.set(question.key, here);
    if (schoolKey !== null && !keyed) byKey.set(schoolKey, here);
    if (!first && !keyed) return checked;
    const why = new RowReasons(at);
    if (keyed) why.add(`编号“${schoolKey}”在${placeOf(keyed, sheet)}已经用过，第 ${row} 行要写另一个`, '编号');
    if (first) {
      const differs = first.rightAnswer !== '' && first.rightAnswer !== question.rightAnswer;
      const place = placeOf(first, sheet);
      if (differs) why.add(`与${place}是同一道题，但答案不同（那里是 ${first.rightAnswer}）`, '答案');
      else why.add(`与${place}重复`, '题干');
    }
    return { ok: false, sheet, row, why: why.sentences, columns: why.columns, topic: plainStart(question.topic) };
  };
}

/** How a row is named to somebody who reads another one. @param sheet where they are */
export const placeOf = (of: { sheet: string; row: number }, sheet: string): string =>
  of.sheet === sheet ? `第 ${of.row} 行` : `工作表“${of.sheet}”第 ${of.row} 行`;

/** The beginning of a question by which it is recognised in a list. @param topic sanitized HTML */
export const plainStart = (topic: string): string =>
  topic
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|nbsp|amp);/g, (entity) => SIGNS[entity] ?? entity)
    .slice(0, 60);

/** What sanitized HTML writes as entities. */
const SIGNS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&amp;': '&',
};
