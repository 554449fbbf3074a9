import { isSelfScored } from '#rules/exam/answer.ts';
import { materialKey } from './content-key.ts';
import type { CheckedRow } from './file-question.ts';

/** Where a question stood first; `rightAnswer` is '' where answers are free text and may differ in wording. */
interface FirstPlace {
  sheet: string;
  row: number;
  rightAnswer: string;
  /** Key of its case material; two materials are not the same question, but nothing else tells them apart. */
  material: string;
}

/**
 * Refuses a question that stood in an earlier row of the same file, whatever the format; says so when its answer is
 * another one. One finder serves one file. @returns the row as it was, or as a rejected one
 */
export function duplicateFinder(): (checked: CheckedRow) => CheckedRow {
  const earlier = new Map<string, FirstPlace>();
  return (checked) => {
    if (!checked.ok) return checked;
    const { sheet, row, question } = checked;
    const first = earlier.get(question.key);
    if (!first) {
      earlier.set(question.key, {
        sheet,
        row,
        rightAnswer: isSelfScored(question.type) ? '' : question.rightAnswer,
        material: materialKey(question.material),
      });
      return checked;
    }
    const place = first.sheet === sheet ? `第 ${first.row} 行` : `工作表“${first.sheet}”第 ${first.row} 行`;
    const differs = first.rightAnswer !== '' && first.rightAnswer !== question.rightAnswer;
    const why =
      first.material !== materialKey(question.material)
        ? `题干和选项与${place}相同，只有材料不同：试题靠题干和选项辨认，请在题干里写明是哪份材料`
        : differs
          ? `与${place}是同一道题，但答案不同（那里是 ${first.rightAnswer}）`
          : `与${place}重复`;
    return { ok: false, sheet, row, why: [why], topic: question.topic.replace(/<[^>]*>/g, '').slice(0, 60) };
  };
}
